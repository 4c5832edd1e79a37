//! The table without a voice: time is a number, and searches report what the test says.

use std::time::{Duration, Instant};

use engine::board::{Color, Move, Position};
use engine::notation::{PgnReader, to_pgn};
use engine::player::{Go, Options, Player, generator};
use engine::search::{Bound, Event, Line, Score, SearchResult, Wdl};
use rand::RngExt;
use zebu::game::{Ask, Happened, Level, PlayedGame, Searcher, Table, Terms, TimeControl};

const MINUTE: Duration = Duration::from_secs(60);
const SECOND: Duration = Duration::from_secs(1);

/// A table at a time of its own.
struct At {
    table: Table,
    now: Instant,
}

fn player() -> Player {
    let options = Options { hash: 1, seed: 7, ..Options::default() };
    Player::new(options).0
}

fn terms(zebu: Option<Color>) -> Terms {
    Terms { zebu, level: Level::Full, clock: None, move_time: SECOND }
}

fn at(game: PlayedGame, terms: &Terms) -> At {
    At { table: Table::new(player(), game, terms), now: Instant::now() }
}

/// The person has White in a game from this position.
fn from(fen: &str) -> At {
    at(PlayedGame::new(fen.parse().expect(fen)), &terms(Some(Color::Black)))
}

fn from_start() -> At {
    from(&Position::start().fen().to_string())
}

fn line(moves: &[Move], score: Score) -> Line {
    Line {
        depth: 12,
        sel_depth: 12,
        pv_index: 1,
        score,
        bound: Bound::Exact,
        wdl: Wdl::DRAW,
        nodes: 20,
        tb_hits: 0,
        time: SECOND,
        hashfull: 0,
        moves: moves.to_vec(),
    }
}

impl At {
    fn ask(&mut self, what: Ask) -> String {
        told(&self.table.ask(what, self.now))
    }

    fn position(&self) -> Position {
        *self.table.game().position()
    }

    fn moves(&mut self, san: &str) -> String {
        let mv = self.position().parse_san(san).expect(san);
        self.ask(Ask::Move(mv))
    }

    fn wait(&mut self, time: Duration) -> String {
        self.now += time;
        told(&self.table.due(self.now))
    }

    /// A search of a position reports this line, and then ends.
    fn finds(
        &mut self,
        of: Searcher,
        position: &Position,
        line_in_san: &str,
        score: i32,
    ) -> String {
        let mut next = *position;
        let mut moves = Vec::new();
        for san in line_in_san.split_whitespace() {
            let mv = next.parse_san(san).expect(san);
            moves.push(mv);
            next = next.after(mv);
        }
        let best = moves.first().copied();
        let line = Event::Lines(vec![line(&moves, Score::Centipawns(score))]);
        let result = SearchResult { best, ponder: None, nodes: 20, time: Duration::ZERO };
        let mut happened = self.table.heard(of, &line, self.now);
        happened.extend(self.table.heard(of, &Event::Done(result), self.now));
        told(&happened)
    }

    fn zebu_finds(&mut self, san: &str, score: i32) -> String {
        let position = self.position();
        self.finds(Searcher::Opponent, &position, san, score)
    }

    fn adviser_finds(&mut self, line: &str, score: i32) -> String {
        let position = self.position();
        self.finds(Searcher::Adviser, &position, line, score)
    }
}

/// What happened in words, with commas between.
fn told(happened: &[Happened]) -> String {
    let word = |it: &Happened| match it {
        Happened::Begun => "begun".to_string(),
        Happened::Moved { name, by_zebu } => {
            format!("{}{name}", if *by_zebu { "Zebu " } else { "" })
        }
        Happened::TakenBack => "taken back".to_string(),
        Happened::GoesOn { lost_clock } => format!("goes on, lost clock {lost_clock}"),
        Happened::Over(outcome) => outcome.to_string(),
        Happened::Thinks(_) => "thinks".to_string(),
        Happened::Looks(_) => "looks".to_string(),
        Happened::Line(_) => "line".to_string(),
        Happened::Looked(_) => "looked".to_string(),
        Happened::Hint(hint) => hint.to_string(),
        Happened::Judged(judged) => judged.to_string(),
        Happened::Refused(refused) => refused.to_string(),
        Happened::Problem(problem) => problem.clone(),
    };
    happened.iter().map(word).collect::<Vec<_>>().join(", ")
}

const CLOCK: TimeControl = TimeControl { base: MINUTE, increment: Duration::ZERO };

#[test]
fn a_flag_falls_while_zebu_thinks() {
    let mut at = from_start();
    at.ask(Ask::Clock(Some(CLOCK)));
    assert_eq!(at.moves("e4"), "1. e4, thinks");
    // It is asked for the best move so far in time; nobody woke it.
    assert!(at.table.wakes_at().is_some_and(|wakes| wakes < at.now + MINUTE));
    assert_eq!(at.wait(MINUTE), "Black's time is up: White wins.");
    assert!(at.table.is_free() && at.table.wakes_at().is_none());
    assert_eq!(at.zebu_finds("e5", 0), "", "it comes too late");
    assert_eq!(at.moves("e5"), "The game is over.");
    // It goes on without its clock, and Zebu is still to move.
    assert_eq!(at.ask(Ask::GoOn), "goes on, lost clock true, thinks");
    assert_eq!(at.zebu_finds("e5", 0), "Zebu 1... e5");
    assert_eq!(at.wait(10 * MINUTE), "");
}

#[test]
fn a_flag_falls_before_what_comes_with_it() {
    let mut at = from_start();
    at.ask(Ask::Clock(Some(CLOCK)));
    at.moves("e4");
    at.zebu_finds("e5", 0);
    at.now += MINUTE;
    assert_eq!(at.moves("Nf3"), "White's time is up: Black wins., The game is over.");
    assert_eq!(at.ask(Ask::TakeBack(None)), "taken back");
    // The clock stands before the first move.
    assert_eq!(at.wait(2 * MINUTE), "");
    at.moves("e4");
    at.now += MINUTE - SECOND;
    at.zebu_finds("e5", 0);
    at.now += MINUTE;
    assert_eq!(at.ask(Ask::GoOn), "White's time is up: Black wins.", "not by this");
    assert_eq!(at.ask(Ask::GoOn), "goes on, lost clock true");
}

#[test]
fn a_takeback_ends_the_search() {
    let mut at = from_start();
    assert_eq!(at.ask(Ask::TakeBack(None)), "There is no move to take back.");
    at.moves("e4");
    assert_eq!(at.moves("e5"), "It is not your move.");
    assert_eq!(at.ask(Ask::TakeBack(None)), "taken back");
    assert_eq!(at.position(), Position::start());
    assert_eq!(at.zebu_finds("d4", 0), "", "it is of a search that is no more");
    assert!(at.table.is_free());
    assert_eq!(at.moves("d4"), "1. d4, thinks");
    assert_eq!(at.zebu_finds("d5", 0), "Zebu 1... d5");
    at.moves("c4");
    at.zebu_finds("e6", 0);
    // The person's last move, with the reply.
    assert_eq!(at.ask(Ask::TakeBack(None)), "taken back");
    assert_eq!(at.table.game().board().moves().len(), 2);
    // So many moves; Zebu waits though it is to move, and whoever moves then takes its side.
    assert_eq!(at.ask(Ask::TakeBack(Some(1))), "taken back");
    assert!(!at.table.is_thinking() && at.table.is_zebus_turn());
    assert_eq!(at.moves("Nf6"), "1... Nf6, thinks");
    assert_eq!(at.table.zebu(), Some(Color::White));
}

/// Of a game that Zebu began, the person can take back none but their own move.
#[test]
fn zebus_first_move_is_not_taken_back() {
    let mut at = at(PlayedGame::new(Position::start()), &terms(Some(Color::White)));
    assert_eq!(at.wait(SECOND), "", "nobody is there");
    assert_eq!(at.ask(Ask::Return), "thinks");
    assert_eq!(at.ask(Ask::Hint), "It is not your move.");
    assert_eq!(at.zebu_finds("e4", 0), "Zebu 1. e4");
    assert_eq!(at.ask(Ask::TakeBack(None)), "There is no move to take back.");
    assert_eq!(at.ask(Ask::TakeBack(Some(1))), "taken back");
    assert_eq!(at.ask(Ask::Play(Some(Color::Black))), "thinks");
}

/// Zebu takes a draw by its rule, while the clock leaves time to offer one.
#[test]
fn a_draw_is_offered_in_time_trouble() {
    let equal = || {
        let mut at = from("4k3/p7/8/8/8/8/P7/4K3 w - - 0 30");
        at.ask(Ask::Clock(Some(CLOCK)));
        for (own, reply) in [("Kd2", "Kd7"), ("Kd3", "Kd6"), ("Kd4", "Ke6")] {
            at.moves(own);
            assert!(at.ask(Ask::Draw).starts_with("No draw: Zebu takes a draw from move 20 on"));
            at.zebu_finds(reply, 0);
        }
        at
    };
    let mut early = equal();
    early.now += MINUTE - SECOND;
    assert_eq!(early.ask(Ask::Draw), "A draw by agreement.");
    assert_eq!(early.wait(MINUTE), "", "the clock stands");
    assert_eq!(early.ask(Ask::Resign), "There is no game to resign.");
    let mut late = equal();
    late.now += MINUTE;
    assert_eq!(late.ask(Ask::Draw), "White's time is up: Black wins., The game is over.");
}

#[test]
fn a_resignation_ends_the_search() {
    let mut at = from_start();
    assert_eq!(at.ask(Ask::Resign), "There is no game to resign.");
    at.moves("e4");
    assert_eq!(at.ask(Ask::Resign), "White resigns, Black wins.");
    assert!(!at.table.is_thinking());
    assert_eq!(at.ask(Ask::Hint), "The game is over.");
}

const FORK: &str = "q3k3/5ppp/8/1N6/8/8/5PPP/4K2R w K - 0 1";

#[test]
fn hints_tell_more_and_more() {
    let mut at = from(FORK);
    assert_eq!(at.ask(Ask::Hint), "");
    assert!(!at.table.is_free());
    assert_eq!(at.ask(Ask::Hint), "", "it is being searched");
    assert_eq!(at.adviser_finds("Nc7 Kd8 Nxa8", 500), "Look for a fork.");
    assert_eq!(at.ask(Ask::Hint), "Move the knight on b5.");
    assert_eq!(at.ask(Ask::Hint), "1. Nc7+ is good.");
    assert_eq!(at.ask(Ask::Hint), "", "another search");
}

#[test]
fn a_hint_that_comes_after_the_move_is_none() {
    let mut at = from(FORK);
    at.ask(Ask::Hint);
    assert_eq!(at.moves("Nc7"), "1. Nc7+, thinks");
    let before = FORK.parse().expect("a position");
    assert_eq!(at.finds(Searcher::Adviser, &before, "Nc7", 500), "");
    at.zebu_finds("Kd8", -500);
    at.ask(Ask::Hint);
    assert_eq!(at.adviser_finds("Nxa8", 500), "Look for a hanging piece.");
    // One that was begun is not told about another position.
    at.ask(Ask::TakeBack(None));
    assert_eq!(at.ask(Ask::Hint), "");
    assert_eq!(at.adviser_finds("Nc7 Kd8 Nxa8", 500), "Look for a fork.");
}

/// A hint takes a twentieth of a short clock.
#[test]
fn a_hint_leaves_time_to_play_it() {
    let mut at = from_start();
    at.ask(Ask::Clock(TimeControl::parse("0.1").ok()));
    at.moves("e4");
    at.zebu_finds("e5", 0);
    at.ask(Ask::Hint);
    // Of 6 s 300 ms; a late search gives what it has.
    let line = Event::Lines(vec![line(
        &[at.position().parse_san("Nf3").expect("a move")],
        Score::Centipawns(0),
    )]);
    assert_eq!(told(&at.table.heard(Searcher::Adviser, &line, at.now)), "");
    assert_eq!(at.wait(Duration::from_millis(250)), "");
    assert_eq!(at.wait(Duration::from_millis(60)), "Look for a piece to attack.");
}

/// The positions before and after are searched, and where the best line fell the alternatives.
#[test]
fn moves_are_judged() {
    let mut at = from("4k3/5ppp/8/1N1q4/8/8/5PPP/4K2R b K - 0 1");
    at.ask(Ask::LookOn);
    at.table.judges = true;
    let before = at.position();
    assert_eq!(at.moves("Qa8"), "1... Qa8");
    assert!(at.table.is_free(), "nobody waits for it");
    let adviser = Searcher::Adviser;
    assert_eq!(at.finds(adviser, &before, "Qa8", 600), "");
    let after = at.position();
    assert_eq!(at.finds(adviser, &after, "Nc7 Kd8 Nxa8", 300), "");
    let told = at.finds(adviser, &before, "Qxb5", 700);
    assert!(told.starts_with("1... Qa8?? "), "{told}");
    assert!(told.contains(" fork the king and the queen on a8"), "{told}");
    assert!(told.ends_with("; Qxb5 was best."), "{told}");
    // Another move, as good as the best, waits for no alternatives.
    at.ask(Ask::TakeBack(Some(1)));
    at.moves("Qxb5");
    at.finds(adviser, &before, "Qxb5", 700);
    let after = at.position();
    assert_eq!(at.finds(adviser, &after, "f3", -700), "1... Qxb5 is a good move.");
}

#[test]
fn judgements_wait_for_each_other_and_looks_for_them() {
    let mut at = from_start();
    at.ask(Ask::LookOn);
    at.table.judges = true;
    let start = Position::start();
    at.moves("e4");
    let after_e4 = at.position();
    at.moves("e5");
    let after_e5 = at.position();
    at.moves("Nf3");
    let after_nf3 = at.position();
    let game = Box::new(at.table.game().board().clone());
    assert_eq!(at.ask(Ask::Look(game, Box::default())), "");
    assert!(!at.table.is_free());
    let adviser = Searcher::Adviser;
    at.finds(adviser, &start, "e4", 20);
    assert_eq!(at.finds(adviser, &after_e4, "e5", -20), "1. e4 is a good move.");
    // The newest move is next.
    at.finds(adviser, &after_e5, "Nf3", 20);
    assert_eq!(at.finds(adviser, &after_nf3, "Nc6", -20), "2. Nf3 is a good move.");
    at.finds(adviser, &after_e4, "e5", -20);
    assert_eq!(at.finds(adviser, &after_e5, "Nf3", 20), "1... e5 is a good move., looks");
    // A look is more than a judgement, and what it has found says what the move was worth.
    assert_eq!(at.moves("Nc6"), "2... Nc6");
    assert_eq!(at.finds(adviser, &after_nf3, "Nc6", -20), "line, looked");
    assert!(at.table.is_free());
    let game = at.table.game().board().clone();
    assert!(at.table.note(&game).is_none(), "the position after is unknown");
    at.ask(Ask::Look(Box::new(game.clone()), Box::default()));
    assert_eq!(at.adviser_finds("Bb5", 20), "line, looked");
    assert!(at.table.note(&game).is_some_and(|note| note.judgement.is_none()));
    // What is taken back is not judged, whether its search runs or waits.
    at.moves("Bb5");
    at.moves("a6");
    at.ask(Ask::TakeBack(Some(2)));
    for _ in 0..3 {
        assert_eq!(at.adviser_finds("Bb5", 20), "");
    }
}

#[test]
fn a_stop_is_enough() {
    let mut at = from_start();
    let game = Box::new(at.table.game().board().clone());
    at.ask(Ask::Look(game, Box::new(Go { infinite: true, ..Go::default() })));
    assert_eq!(at.adviser_finds("e4", 20), "line", "it is infinite");
    assert_eq!(at.ask(Ask::Stop), "looked");
    at.table.takes_its_time = true;
    at.ask(Ask::Level(Level::Elo(1000)));
    at.moves("e4");
    assert_eq!(at.zebu_finds("e5", 0), "");
    assert_eq!(at.ask(Ask::Stop), "Zebu 1... e5");
}

/// The search that runs goes on, and what follows is of the new level.
#[test]
fn a_level_changes_in_the_middle() {
    let mut at = from_start();
    at.table.takes_its_time = true;
    at.moves("e4");
    assert_eq!(at.zebu_finds("e5", 0), "Zebu 1... e5", "at full strength it does not wait");
    at.moves("Nf3");
    assert_eq!(at.ask(Ask::Level(Level::Elo(1000))), "");
    assert!(at.table.is_thinking());
    assert_eq!(at.zebu_finds("Nc6", 0), "", "now it waits like a person");
    let wakes_at = at.table.wakes_at().expect("a time for its move");
    let pause = wakes_at.saturating_duration_since(at.now);
    assert!(pause <= Duration::from_millis(2400), "{pause:?}");
    assert_eq!(at.wait(pause), "Zebu 2... Nc6");
    assert_eq!(at.table.level().to_string(), "Zebu plays at 1000 Elo: beginner.");
    let (_, name) = at.table.occasion("").zebu.expect("it plays");
    assert!(name.ends_with(", level 1000"), "{name}");
    for (level, name) in
        [("full", Level::Full), ("easy", Level::Elo(600)), ("2000", Level::Elo(2000))]
    {
        assert_eq!(Level::parse(level), Ok(name));
    }
    assert!(Level::parse("599").is_err() && Level::parse("3201").is_err());
}

/// Put down in the middle and taken up from its PGN, the game stands until somebody is there.
#[test]
fn a_restart() {
    let mut at = from_start();
    let mut terms = terms(Some(Color::Black));
    terms.clock = TimeControl::parse("5+3").ok();
    let game = PlayedGame::new(Position::start());
    assert_eq!(at.ask(Ask::New(Box::new(game), terms.clone())), "begun");
    at.moves("e4");
    at.now += SECOND;
    at.zebu_finds("e5", 0);
    at.now += SECOND;
    at.moves("Nf3");
    let kept = to_pgn(&at.table.game().pgn(&at.table.occasion("A test")));
    let left = at.table.game().left(at.now);
    let read = PgnReader::new(kept.as_bytes()).next().expect("a game").expect("a game");
    let mut again = At { table: Table::new(player(), PlayedGame::from(read), &terms), now: at.now };
    assert_eq!(again.wait(10 * MINUTE), "");
    assert_eq!(again.table.game().left(again.now), left, "the clock stands");
    assert_eq!(again.ask(Ask::Return), "thinks");
    again.now += SECOND;
    assert_eq!(again.zebu_finds("Nc6", 0), "Zebu 2... Nc6");
    // Nobody is there: nothing is searched, and the clock stands.
    again.moves("Bb5");
    assert_eq!(again.ask(Ask::Leave), "");
    assert!(again.table.is_free());
    let left = again.table.game().left(again.now);
    assert_eq!(again.wait(10 * MINUTE), "");
    assert_eq!(again.table.game().left(again.now), left);
    assert_eq!(again.ask(Ask::Return), "thinks");
    assert_eq!(at.table.terms(), again.table.terms());
}

/// A third repetition is a draw, unless the person goes on.
#[test]
fn a_repetition_ends_the_game() {
    let mut at = from_start();
    for _ in 0..2 {
        for (own, reply) in [("Nf3", "Nf6"), ("Ng1", "Ng8")] {
            at.moves(own);
            at.zebu_finds(reply, 0);
        }
    }
    let draw = "A draw: the position is here for the third time.";
    assert_eq!(at.table.game().outcome().map(|outcome| outcome.to_string()).as_deref(), Some(draw));
    assert_eq!(at.moves("e4"), "The game is over.");
    assert_eq!(at.ask(Ask::GoOn), "goes on, lost clock false");
    assert_eq!(at.ask(Ask::Draw), draw, "it may still be claimed");
    at.ask(Ask::GoOn);
    assert_eq!(at.moves("e4"), "5. e4, thinks");
    let mated = from("7k/8/5K2/8/8/8/8/R7 w - - 0 1");
    let mut at = mated;
    at.moves("Kf7");
    at.zebu_finds("Kh7", -500);
    assert_eq!(at.moves("Rh1"), "2. Rh1#, Checkmate, White wins.");
    assert_eq!(at.ask(Ask::GoOn), "", "not on the board");
}

#[test]
fn a_time_for_a_move_has_limits() {
    let mut at = from_start();
    assert_eq!(at.ask(Ask::MoveTime(2 * SECOND)), "");
    let refused = "A move takes from a millisecond to a day, not 86401 s.";
    assert_eq!(at.ask(Ask::MoveTime(Duration::from_secs(86_401))), refused);
    assert_eq!(at.table.terms().move_time, 2 * SECOND);
}

/// Random games are deterministic and never stuck.
#[test]
fn whole_games_twice_alike() {
    let play = |seed: u32| {
        let mut chance = generator(seed);
        let mut at = from_start();
        at.table.judges = true;
        at.table.takes_its_time = true;
        at.ask(Ask::Clock(TimeControl::parse("1+1").ok()));
        let mut record = Vec::new();
        for _ in 0..400 {
            let moves = at.position().legal_moves();
            let any = (!moves.is_empty()).then(|| moves[chance.random_range(0..moves.len())]);
            let said = match chance.random_range(0..40) {
                0 => at.ask(Ask::TakeBack(None)),
                1 => at.ask(Ask::TakeBack(Some(3))),
                2 => at.ask(Ask::Hint),
                3 => at.ask(Ask::Draw),
                4 if record.len() > 300 => at.ask(Ask::Resign),
                5 => at.ask(Ask::GoOn),
                6 => at.ask(Ask::Level(Level::Elo(1000))),
                7 => at.ask(Ask::Leave),
                8 => at.ask(Ask::Return),
                9 => at.ask(Ask::Stop),
                10 => at.ask(Ask::Play(None)),
                11..15 => {
                    let time = Duration::from_millis(chance.random_range(0..3000));
                    at.wait(time)
                }
                15..18 => match any {
                    Some(mv) => {
                        let san = at.position().san(mv);
                        at.adviser_finds(&san, chance.random_range(-300..300))
                    }
                    None => String::new(),
                },
                _ => match any {
                    Some(mv) if at.table.is_thinking() => {
                        let san = at.position().san(mv);
                        at.zebu_finds(&san, chance.random_range(-300..300))
                    }
                    Some(mv) => at.ask(Ask::Move(mv)),
                    None => at.ask(Ask::TakeBack(None)),
                },
            };
            let game = at.table.game();
            assert!(game.outcome().is_none() || !at.table.is_thinking(), "{record:?}");
            assert!(
                at.table.is_thinking()
                    || at.table.is_zebus_turn()
                    || at.table.wakes_at() >= game.flag_falls_at()
            );
            record.push((
                said,
                game.position().key(),
                game.left(at.now),
                at.table.wakes_at().map(|it| it - at.now),
            ));
        }
        record
    };
    for seed in 1..4 {
        let (one, other) = (play(seed), play(seed));
        let differs = one.iter().zip(&other).position(|(one, other)| one != other);
        assert_eq!(differs.map(|i| (&one[i], &other[i])), None);
        assert!(one.iter().any(|(said, ..)| said.contains("Zebu ")));
    }
}
