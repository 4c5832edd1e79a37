//! The clock of a game.

use std::time::{Duration, Instant};

use engine::board::{Color, Position};
use engine::notation::to_pgn;
use zebu::game::{GameClock, Occasion, PlayedGame, TimeControl, shown};

const BLITZ: TimeControl =
    TimeControl { base: Duration::from_secs(300), increment: Duration::from_secs(3) };

#[test]
fn time_controls() {
    for text in ["5+3", "5 3", "5 + 3", "5.0+3.0"] {
        assert_eq!(TimeControl::parse(text), Ok(BLITZ), "{text}");
    }
    let sudden = TimeControl::parse("0.03").unwrap();
    assert_eq!((sudden.to_string(), BLITZ.to_string()), ("1.8".into(), "300+3".into()));
    for text in ["", "+", "0", "0+3", "-5", "5+-1", "5+3+1", "five", "NaN", "inf", "1e9", "5:30"] {
        assert!(TimeControl::parse(text).is_err(), "{text}");
    }
}

#[test]
fn times_are_told() {
    let time = Duration::from_millis;
    let texts = [3_660_001, 299_001, 20_000, 19_999, 0].map(|ms| shown(time(ms)));
    assert_eq!(texts, ["1:01:01", "5:00", "0:20", "0:19.9", "0:00.0"]);
}

#[test]
fn a_saved_game_has_its_times() {
    let mut game = PlayedGame::new(Position::start());
    game.set_clock(TimeControl::parse("5").ok());
    let mut now = Instant::now();
    for (san, milliseconds) in [("e4", 50_000), ("e5", 3_000), ("Nf3", 290_650)] {
        now += Duration::from_millis(milliseconds);
        game.play(game.position().parse_san(san).unwrap(), now);
        game.run_clock(true, now);
    }
    let zebu = Some((Color::Black, "Zebu".to_string()));
    let pgn = to_pgn(&game.pgn(&Occasion { event: "A test", zebu }));
    for time in ["e4 { [%clk 0:05:00] }", "e5 { [%clk 0:04:57] }", "Nf3 { [%clk 0:00:09.3] }"] {
        assert!(pgn.replace('\n', " ").contains(time), "{pgn}");
    }
}

/// Time goes by in whole seconds.
fn left(clock: &GameClock, to_move: Color, now: Instant) -> [u64; 2] {
    clock.left(to_move, now).map(|left| left.as_secs())
}

#[test]
fn a_game_by_the_clock() {
    let start = Instant::now();
    let at = |seconds| start + Duration::from_secs(seconds);
    let mut clock = GameClock::new(BLITZ, 4);
    assert!(!clock.has_begun() && clock.falls_at(Color::White).is_none());
    // The first move takes no time.
    clock.press(Color::White, at(50));
    assert!(clock.has_begun());
    clock.run(true, Color::Black, at(50));
    assert_eq!(left(&clock, Color::Black, at(60)), [300, 290]);
    assert_eq!(clock.falls_at(Color::Black), Some(at(350)));
    clock.press(Color::Black, at(60));
    assert_eq!(left(&clock, Color::White, at(80)), [280, 293]);
    // It stands for a while.
    clock.run(false, Color::White, at(80));
    assert!(clock.falls_at(Color::White).is_none());
    clock.run(true, Color::White, at(100));
    assert_eq!(left(&clock, Color::White, at(110)), [270, 293]);
    clock.press(Color::White, at(110));
    assert_eq!(clock.after_move(6, Color::White), Some(Duration::from_secs(273)));
    assert_eq!(clock.after_move(3, Color::Black), None);
    assert_eq!(clock.after_move(7, Color::Black), None);
    // A move is taken back with its time, and then all of them.
    clock.take_back(5);
    assert!(!clock.is_running());
    assert_eq!(left(&clock, Color::Black, at(500)), [300, 300]);
    clock.take_back(2);
    assert!(!clock.has_begun());
    assert_eq!(left(&clock, Color::White, at(500)), [300, 300]);
}

#[test]
fn a_clock_that_is_off_only_remembers() {
    let now = Instant::now();
    let mut clock = GameClock::new(BLITZ, 0);
    clock.press(Color::White, now);
    clock.is_off = true;
    clock.press(Color::Black, now);
    assert_eq!(clock.after_move(0, Color::White), Some(BLITZ.base));
    assert_eq!(clock.after_move(1, Color::Black), None);
}
