//! `go perft`: the leaves behind each root move, counted on a thread of its own.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use crate::board::{Position, perft};
use crate::search::per_second;

/// What work beside the search tells.
pub enum Progress {
    Text(String),
    Done,
}

/// Below this depth nobody can tell the time between two looks at the stop flag.
const QUICK: u32 = 4;

/// Counts, telling a line for each root move and the sum; or less, once it is stopped.
pub fn count_by_move(
    position: &Position,
    depth: u32,
    chess960: bool,
    stop: &AtomicBool,
    mut tell: impl FnMut(String),
) {
    let start = Instant::now();
    let mut sum = 0;
    for mv in position.legal_moves() {
        let Some(count) = count(&position.after(mv), depth - 1, stop) else { return };
        sum += count;
        tell(format!("{}: {count}", position.uci(mv, chess960)));
    }
    let time = start.elapsed();
    tell(format!(
        "\nNodes searched: {sum}\ninfo string {} ms, {} nodes per second",
        time.as_millis(),
        per_second(sum, time)
    ));
}

/// The leaves below a position, or `None` if it was stopped.
fn count(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Relaxed) {
        return None;
    }
    if depth <= QUICK {
        return Some(perft(position, depth));
    }
    position.legal_moves().into_iter().map(|mv| count(&position.after(mv), depth - 1, stop)).sum()
}
