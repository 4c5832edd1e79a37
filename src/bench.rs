//! A fixed benchmark: the speed of a build, and with its node count a fingerprint of the search.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::board::{FenError, Position};
use crate::eval::Evaluator;
use crate::search::{Engine, EngineError, Limits, Task, per_second};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    pub depth: u32,
    pub threads: usize,
    /// In megabytes.
    pub hash: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { depth: 11, threads: 1, hash: 16 }
    }
}

#[derive(Clone, Debug, thiserror::Error)]
pub enum BenchError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("it was stopped")]
    Stopped,
}

/// From games of Zebu after random openings, then endgames and special cases: Chess960, bare kings,
/// mate and stalemate.
const POSITIONS: &str = include_str!("bench.fens");

/// Searches all positions and prints a line for each, at last nodes and speed. Returns the nodes.
pub fn run(
    settings: Settings,
    evaluator: Evaluator,
    mut print: impl FnMut(String),
    stop: &AtomicBool,
) -> Result<u64, BenchError> {
    let mut engine = Engine::new(settings.threads, settings.hash)?;
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    let count = POSITIONS.lines().count();
    for (i, fen) in POSITIONS.lines().enumerate() {
        engine.clear();
        let limits = Limits { depth: Some(settings.depth), ..Limits::default() };
        let evaluator = evaluator.clone();
        let task = Task { evaluator, ..Task::new(fen.parse::<Position>()?, limits) };
        let start = Instant::now();
        let result = engine.search(task, stop, |_| {}).ok_or(BenchError::Stopped)?;
        time += start.elapsed();
        nodes += result.nodes;
        print(format!("{:>2}/{count}  {:>10} nodes  {fen}", i + 1, result.nodes));
    }
    print(format!("{} ms", time.as_millis()));
    print(format!("{nodes} nodes {} nps", per_second(nodes, time)));
    Ok(nodes)
}
