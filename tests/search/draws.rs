//! The fifty-move rule and repetitions, also against wins that the table remembers.

use engine::board::{Game, Move, Position};
use engine::search::{Engine, Limits, Score, Task};

use crate::common::{Found, engine, play, position, search, search_until, syzygy};
use crate::data::data;

const DRAW: Score = Score::Centipawns(0);

fn to_depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// A board without its counters.
fn at(board: &str, halfmoves: u32) -> Position {
    position(&format!("{board} {halfmoves} 100"))
}

fn search_at(engine: &mut Engine, board: &str, halfmoves: u32) -> Found {
    search(engine, Task::new(at(board, halfmoves), to_depth(20)))
}

/// Searches until a mate in this many moves is reported.
fn find_mate(engine: &mut Engine, board: &str, halfmoves: u32, moves: i32) {
    let limits = Limits { nodes: Some(40_000_000), ..Limits::default() };
    let wanted = Score::Mate(moves);
    let found =
        search_until(engine, Task::new(at(board, halfmoves), limits), |line| line.score == wanted);
    assert_eq!(found.score(), wanted, "{board} {halfmoves}");
}

fn is_won(score: Score) -> bool {
    matches!(score, Score::Centipawns(101..) | Score::Mate(1..))
}

/// Searches the current position of a game.
fn search_game(engine: &mut Engine, game: &Game, moves: Vec<Move>) -> Found {
    search(engine, Task::in_game(game, Limits { moves, ..to_depth(12) }))
}

/// The more distant mates of such endings come too late much earlier, whatever the table says.
#[test]
fn the_table_promises_no_mate_beyond_the_fiftieth_move() {
    for (board, moves) in [
        ("8/8/8/1rk5/K7/8/8/8 b - -", 5),
        ("8/8/8/6Q1/4k3/8/3K4/8 w - -", 5),
        ("8/5k2/8/5K2/3R4/8/8/8 w - -", 6),
    ] {
        let mut engine = engine();
        find_mate(&mut engine, board, 0, moves);
        let last = 101 - 2 * moves as u32;
        find_mate(&mut engine, board, last, moves);
        for halfmoves in last + 1..=99 {
            let plies_left = 100 - halfmoves as i32;
            let is_beyond =
                |score| matches!(score, Score::Mate(moves) if 2 * moves - 1 > plies_left);
            let found = search_at(&mut engine, board, halfmoves);
            let claims = found.lines.iter().any(|line| is_beyond(line.score));
            assert!(!claims, "{board} {halfmoves}");
        }
    }
}

/// A pawn move resets the counter.
#[test]
fn a_won_ending_is_won_with_a_pawn_to_move() {
    let found = search_at(&mut engine(), "8/8/8/4k3/8/5K2/3QP3/8 w - -", 98);
    assert!(is_won(found.score()), "{:?}", found.score());
    let found = search_at(&mut engine(), "8/8/8/4k3/8/5K2/3Q4/8 w - -", 98);
    assert_eq!(found.score(), DRAW);
}

#[test]
fn the_last_check_of_the_fifty_moves_is_not_mate() {
    // Black can step out of the check, which draws.
    let found = search_at(&mut engine(), "k7/8/8/2K5/8/8/8/6Q1 w - -", 99);
    assert_eq!(found.score(), DRAW);
    let found = search_at(&mut engine(), "k7/8/1K6/8/8/8/8/6Q1 w - -", 99);
    assert_eq!(found.score(), Score::Mate(1));
}

fn parse(game: &Game, words: &str) -> Vec<Move> {
    let mut game = game.clone();
    let next = |word| {
        let mv = game.position().parse_san(word).unwrap_or_else(|error| panic!("{word}: {error}"));
        game.play(mv);
        mv
    };
    words.split_whitespace().map(next).collect()
}

/// The winner has had each of these positions twice: it must find another way, and knows that repeating
/// draws. With endgame tables it hurries too.
#[test]
fn a_third_repetition_is_avoided_by_who_wins() {
    let mut engine = engine();
    let mut game = Game::new(position("7k/8/8/8/8/5K2/8/6R1 w - - 0 1"));
    let around = parse(&game, "Kf4 Kh7 Kf3 Kh8 Kf4 Kh7 Kf3 Kh8");
    play(&mut game, &around);
    let repeats = around[0];
    let alone = search_game(&mut engine, &game, vec![repeats]);
    assert_eq!(alone.score(), DRAW);
    let found = search_game(&mut engine, &game, Vec::new());
    assert_ne!(found.best(), repeats);
    assert!(is_won(found.score()), "{:?}", found.score());

    let Some(folder) = data("syzygy") else { return };
    let syzygy = syzygy(&folder);
    let task = |moves| Task {
        syzygy: syzygy.clone(),
        ..Task::in_game(&game, Limits { moves, ..to_depth(3) })
    };
    assert_eq!(search(&mut engine, task(vec![repeats])).score(), DRAW);
    let found = search(&mut engine, task(Vec::new()));
    let tablebase = syzygy.tablebase.as_ref().expect("it was opened");
    let before = tablebase.probe_dtz(game.position()).expect("a distance");
    let after = tablebase.probe_dtz(&game.position().after(found.best()));
    assert_eq!(after, Some(1 - before), "{}", found.best());
}

/// The losing side gives perpetual check.
#[test]
fn a_perpetual_check_is_a_draw() {
    let found = search_at(&mut engine(), "6k1/6p1/8/7Q/8/8/qr4PP/7K w - -", 0);
    assert_eq!(found.score(), DRAW);
}
