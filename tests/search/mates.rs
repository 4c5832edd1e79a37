//! Mates are found with their exact distances, which an exhaustive solver proves.
//!
//! The positions are from Zebu's games against itself and from randomly placed pieces. The solver chose among
//! both.

use std::thread;

use engine::board::{Ending, Game, Position};
use engine::search::{Engine, Limits, Line, Score, Task};

use crate::common::{Found, engine, play, position, search, search_until};
use crate::solver::Solver;

/// Beyond this distance, proving the worse moves takes too long.
const LONGEST_OF_SEVERAL: u32 = 4;

const MATES: &str = include_str!("mates.epd");

#[derive(Clone, Copy)]
struct Mate {
    position: Position,
    moves: u32,
}

impl Mate {
    fn task(&self, limits: Limits) -> Task {
        Task::new(self.position, limits)
    }

    /// About 20 seconds; nodes do not depend on the machine's load.
    fn patience(&self) -> Limits {
        Limits { nodes: Some(40_000_000), ..Limits::default() }
    }

    /// The depth that should suffice to find the mate.
    fn depth(&self) -> u32 {
        2 * self.moves + 10
    }

    fn score(&self) -> Score {
        Score::Mate(self.moves as i32)
    }
}

fn mates() -> Vec<Mate> {
    let parse = |line: &str| {
        let (board, moves) = line.split_once(" dm ")?;
        let moves = moves.strip_suffix(';')?.parse().ok()?;
        Some(Mate { position: position(&format!("{board} 0 1")), moves })
    };
    MATES.lines().map(|line| parse(line).unwrap_or_else(|| panic!("{line}"))).collect()
}

/// Visits each mate, two at a time, with an engine that has seen earlier ones.
fn for_each_mate(look: impl Fn(&mut Engine, Mate) + Sync) {
    let mates = mates();
    let (look, share) = (&look, mates.len().div_ceil(2));
    thread::scope(|scope| {
        for mates in mates.chunks(share) {
            scope.spawn(move || {
                let mut engine = engine();
                mates.iter().for_each(|&mate| look(&mut engine, mate));
            });
        }
    });
}

/// Searches until the distance is announced, and checks that no shorter one is.
fn announce(engine: &mut Engine, mate: Mate) -> Found {
    let limits = Limits { mate: Some(mate.moves), ..mate.patience() };
    let found = search(engine, mate.task(limits));
    let fen = mate.position.fen();
    assert_eq!(found.score(), mate.score(), "{fen}");
    assert!(Some(found.outcome.nodes) < mate.patience().nodes, "{fen}");
    assert!(!found.claims_less_than(mate.moves as i32), "{fen}");
    check_line(found.line(), mate);
    found
}

/// A line is a game that ends in mate after this many moves.
fn check_line(line: &Line, mate: Mate) {
    let mut game = Game::new(mate.position);
    play(&mut game, &line.moves);
    let fen = mate.position.fen();
    let winner = mate.position.side();
    assert_eq!(game.ending(), Some(Ending::Checkmate { winner }), "{fen} {:?}", line.moves);
    assert_eq!(line.moves.len(), 2 * mate.moves as usize - 1, "{fen} {:?}", line.moves);
}

/// The distance is announced at the depth that should suffice, or deeper, but in time.
#[test]
fn a_plain_search_finds_the_distance() {
    for moves in 2..=7 {
        let of_this_length = mates().into_iter().filter(|mate| mate.moves == moves);
        assert!(of_this_length.count() >= 3, "mates in {moves}");
    }
    for_each_mate(|engine, mate| {
        let proven = Solver::default().distance(&mate.position, mate.moves);
        assert_eq!(proven, Some(mate.moves), "{}", mate.position.fen());
        engine.clear();
        let is_found = |line: &Line| line.depth >= mate.depth() && line.score == mate.score();
        let found = search_until(engine, mate.task(mate.patience()), is_found);
        let fen = mate.position.fen();
        println!(
            "mate in {}: depth {}, {:?}: {fen}",
            mate.moves,
            found.line().depth,
            found.outcome.time
        );
        assert_eq!(found.score(), mate.score(), "{fen}");
        check_line(found.line(), mate);
    });
}

/// Both sides play with one table. At each move the attacker knows what the solver knows, and neither side
/// sees a false mate. At the end the first position is judged again.
#[test]
fn an_announced_mate_is_carried_out() {
    for_each_mate(|engine, mate| {
        let fen = mate.position.fen();
        let mut solver = Solver::default();
        let mut game = Game::new(mate.position);
        let mut left = mate.moves;
        loop {
            let now = Mate { position: *game.position(), moves: left };
            game.play(announce(engine, now).best());
            left -= 1;
            if game.ending().is_some() {
                break;
            }
            let defence = Limits { depth: Some(mate.depth()), ..mate.patience() };
            let found = search(engine, Task::new(*game.position(), defence));
            assert!(!found.claims_less_than(left as i32), "{fen} after {:?}", game.moves());
            game.play(found.best());
            left = solver.distance(game.position(), left).expect("no defence helps");
        }
        let winner = mate.position.side();
        assert_eq!(game.ending(), Some(Ending::Checkmate { winner }), "{fen}");
        announce(engine, mate);
    });
}

/// Each of several lines begins with another of the requested moves, and none announces a mate that the
/// solver does not see.
#[test]
fn several_lines_of_chosen_moves() {
    for_each_mate(|engine, mate| {
        if mate.moves > LONGEST_OF_SEVERAL {
            return;
        }
        let fen = mate.position.fen();
        let mut solver = Solver::default();
        let mut moves = mate.position.legal_moves().to_vec();
        moves.sort_by_cached_key(|&mv| !solver.mates_by(&mate.position, mv, mate.moves));
        moves.truncate(4);
        let limits = Limits { mate: Some(mate.moves), moves: moves.clone(), ..mate.patience() };
        let found = search(engine, Task { multi_pv: 3, ..mate.task(limits) });
        assert_eq!(found.score(), mate.score(), "{fen}");
        check_line(found.line(), mate);
        let lines: Vec<&Line> = found.lines.iter().rev().take(moves.len().min(3)).collect();
        for line in &lines {
            let first = line.moves[0];
            assert!(moves.contains(&first), "{first} {fen}");
            assert_eq!(lines.iter().filter(|line| line.moves[0] == first).count(), 1, "{fen}");
            if let Score::Mate(told @ 1..) = line.score
                && told as u32 <= LONGEST_OF_SEVERAL
            {
                assert!(solver.mates_by(&mate.position, first, told as u32), "{first} {fen}");
            }
        }
    });
}
