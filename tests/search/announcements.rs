//! Announced mates are correct, and their lines end in mate.
//!
//! The positions are from Zebu's games against itself, one to five moves before the mate, with either side to
//! move.

use std::thread;

use engine::board::{Ending, Game};
use engine::search::{Limits, Line, Score, Task};

use crate::common::{engine, play, position, search};
use crate::solver::Solver;

const POSITIONS: &str = include_str!("announcements.epd");

const NODES: u64 = 10_000;

/// Proving longer mates takes too long.
const PROVEN: i32 = 3;

/// Counts of announcements.
#[derive(Default, Debug)]
struct Count {
    announced: usize,
    proven: usize,
    false_ones: Vec<String>,
    short_lines: Vec<String>,
}

impl Count {
    fn add(&mut self, fen: &str, line: &Line, solver: &mut Solver) {
        let Score::Mate(moves) = line.score else { return };
        self.announced += 1;
        let mut game = Game::new(position(fen));
        if moves.abs() <= PROVEN {
            self.proven += 1;
            let most = moves.unsigned_abs();
            let is_true = match moves > 0 {
                true => solver.distance(game.position(), most).is_some(),
                false => solver.is_lost(game.position(), most),
            };
            if !is_true {
                self.false_ones.push(format!("{moves}: {fen}"));
            }
        }
        let plies = 2 * moves.unsigned_abs() as usize - usize::from(moves > 0);
        play(&mut game, &line.moves);
        let is_mate = matches!(game.ending(), Some(Ending::Checkmate { .. }));
        if line.moves.len() != plies || !is_mate {
            self.short_lines.push(format!("{moves}: {fen}: {:?}", line.moves));
        }
    }
}

/// Also if the search ends before all moves of a new mate are known.
#[test]
fn the_last_line_begins_with_the_move() {
    let mut engine = engine();
    for (number, board) in POSITIONS.lines().enumerate() {
        let fen = format!("{board} 0 1");
        let limits = Limits { nodes: Some(500 + 10 * number as u64), ..Limits::default() };
        let found = search(&mut engine, Task::new(position(&fen), limits));
        assert_eq!(found.line().moves.first(), Some(&found.best()), "{fen}");
        let mut count = Count::default();
        count.add(&fen, found.line(), &mut Solver::default());
        assert!(count.short_lines.is_empty(), "{count:?}");
    }
}

/// Counts the announcements of all iterations, for every second position from this one on.
fn count(first: usize) -> Count {
    let mut count = Count::default();
    let mut engine = engine();
    for board in POSITIONS.lines().skip(first).step_by(2) {
        let fen = format!("{board} 0 1");
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let found = search(&mut engine, Task::new(position(&fen), limits));
        let mut solver = Solver::default();
        found.lines.iter().for_each(|line| count.add(&fen, line, &mut solver));
    }
    count
}

#[test]
fn announced_mates_are_true() {
    assert!(POSITIONS.lines().count() >= 500);
    let counts = thread::scope(|scope| {
        let halves = [0, 1].map(|first| scope.spawn(move || count(first)));
        halves.map(|half| half.join().expect("the searches end"))
    });
    for count in counts {
        println!(
            "{} announced, {} proven, {} short lines",
            count.announced,
            count.proven,
            count.short_lines.len()
        );
        assert!(count.announced > 500, "{count:?}");
        assert!(count.false_ones.is_empty() && count.short_lines.is_empty(), "{count:#?}");
    }
}
