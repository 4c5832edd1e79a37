//! MultiPV: several lines, whenever the search ends.

use engine::opening::random_opening;
use engine::search::{Engine, Limits, Line, Score, Task};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::common::search;

const LINES: usize = 4;

fn value(score: Score) -> i32 {
    match score {
        Score::Centipawns(centipawns) => centipawns,
        Score::Mate(moves) => moves.signum() * 1_000_000 - moves,
    }
}

/// However the node limit cuts an iteration off, the last report of each line makes a sorted list without a
/// move twice, and the best move is that of the first line.
#[test]
fn a_stopped_iteration_loses_no_line() {
    let mut engine = Engine::new(1, 1).expect("a small table can be had");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    for number in 0..200 {
        let position = random_opening(&mut random, 0.2);
        engine.clear();
        let limits = Limits { nodes: Some(2000 + 97 * number), ..Limits::default() };
        let found = search(&mut engine, Task { multi_pv: LINES, ..Task::new(position, limits) });
        let fen = position.fen();
        let wanted = position.legal_moves().len().min(LINES);
        let last: Vec<&Line> = found.lines.iter().rev().take(wanted).rev().collect();
        let places: Vec<usize> = last.iter().map(|line| line.pv_index).collect();
        assert_eq!(places, (1..=wanted).collect::<Vec<_>>(), "{fen}");
        assert!(last.is_sorted_by_key(|line| -value(line.score)), "{fen}: {last:?}");
        for line in &last {
            let same = last.iter().filter(|other| other.moves[0] == line.moves[0]);
            assert_eq!(same.count(), 1, "{fen}: {last:?}");
        }
        assert_eq!(found.best(), last[0].moves[0], "{fen}");
    }
}
