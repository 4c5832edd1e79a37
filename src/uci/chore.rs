//! Work beside the search, done on a thread of its own: `go perft` and `bench`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use crate::bench::{self, Settings};
use crate::board::{Position, perft};
use crate::eval::{Evaluator, Network};
use crate::search::per_second;

/// What is to be done.
pub enum Chore {
    Perft { position: Position, depth: u32, chess960: bool },
    Bench(Settings, Arc<Network>),
}

/// What is told of it.
pub enum Progress {
    Text(String),
    Done,
}

/// Below this depth nobody can tell the time between two looks at the stop flag.
const QUICK: u32 = 4;

impl Chore {
    /// Does it, or less of it once it is stopped.
    pub fn run(self, stop: &AtomicBool, tell: impl Fn(Progress)) {
        let say = |text| tell(Progress::Text(text));
        match self {
            Chore::Perft { position, depth, chess960 } => {
                count_by_move(&position, depth, chess960, stop, say);
            }
            Chore::Bench(settings, network) => {
                let judge = Evaluator::Network(network);
                match bench::run(settings, judge, say, || !stop.load(Relaxed)) {
                    Ok(line) => say(line),
                    Err(error) => say(format!("info string error: bench: {error}")),
                }
            }
        }
        tell(Progress::Done);
    }
}

/// The leaves behind each root move, a line for each, and the sum.
fn count_by_move(
    position: &Position,
    depth: u32,
    chess960: bool,
    stop: &AtomicBool,
    tell: impl Fn(String),
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
