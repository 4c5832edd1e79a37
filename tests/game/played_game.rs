//! A game as it is played: how it ends, takebacks, and draws.

use std::time::{Duration, Instant};

use engine::board::Color;
use engine::notation::GameResult;
use engine::search::Score;
use zebu::game::{Outcome, PlayedGame, TimeControl};

fn game(fen: &str) -> PlayedGame {
    PlayedGame::new(fen.parse().unwrap())
}

fn play(game: &mut PlayedGame, words: &str, now: Instant) {
    for word in words.split_whitespace() {
        game.play(game.position().parse_san(word).unwrap(), now);
    }
}

/// The time of the side to move is up.
fn late(fen: &str) -> PlayedGame {
    let mut game = game(fen);
    let start = Instant::now();
    game.set_clock(TimeControl::parse("1").ok());
    let first = game.position().legal_moves()[0];
    game.play(first, start);
    game.run_clock(true, start);
    let minute = Duration::from_secs(60);
    assert_eq!(game.flag_fell(start + minute / 2), None);
    assert!(game.flag_fell(start + minute).is_some());
    game
}

#[test]
fn a_flag_falls_and_a_bare_king_does_not_win_by_it() {
    let drawn = late("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1").outcome().unwrap();
    assert_eq!(drawn.result(), GameResult::Drawn);
    assert_eq!(drawn.to_string(), "White's time is up; Black has only a king: a draw.");
    let mut lost = late("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_eq!(lost.outcome(), Some(Outcome::OnTime(Color::Black)));
    // It goes on without its clock.
    play(&mut lost, "Kd7", Instant::now());
    assert_eq!((lost.outcome(), lost.flag_falls_at()), (None, None));
    assert!(lost.left(Instant::now()).is_none());
}

#[test]
fn what_is_taken_back_is_not_over() {
    let mut game = game("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    assert_eq!(game.resign(Color::White), None, "nothing was played");
    let now = Instant::now();
    play(&mut game, "Ra8#", now);
    assert_eq!(game.resign(Color::Black), None, "it is over");
    assert_eq!(game.outcome().unwrap().to_string(), "Checkmate, White wins.");
    assert_eq!(game.take_back().map(|mv| mv.to_string()), Some("a1a8".to_string()));
    assert_eq!(game.outcome(), None);
    play(&mut game, "Ra7", now);
    assert_eq!(game.resign(Color::Black), Some(Outcome::Resigned(Color::Black)));
    assert_eq!(game.resign(Color::White), None, "it is over");
    assert_eq!(game.outcome().unwrap().result(), GameResult::Won(Color::White));
    game.take_back();
    assert_eq!((game.outcome(), game.take_back()), (None, None));
}

#[test]
fn a_draw_is_taken_by_the_rule() {
    let taken = |scores: [i32; 3], from: u16| {
        let mut game = game(&format!("4k3/p7/8/8/8/8/P7/4K3 w - - 0 {from}"));
        for (score, words) in scores.into_iter().zip(["Kd2 Kd7", "Kd3 Kd6", "Kd4"]) {
            assert_eq!(game.offer_draw(), None, "it has not thought enough");
            let (own, reply) = words.split_once(' ').unwrap_or((words, ""));
            play(&mut game, own, Instant::now());
            game.set_score(Score::Centipawns(score));
            play(&mut game, reply, Instant::now());
        }
        game.offer_draw() == Some(Outcome::DrawAgreed)
    };
    assert!(taken([20, -50, 0], 20));
    assert!(!taken([20, 21, 0], 20), "it is ahead");
    assert!(!taken([20, -50, 0], 10), "it is early");
}
