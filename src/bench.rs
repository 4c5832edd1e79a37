//! A fixed benchmark: the speed of a build, and with its node count a fingerprint of the search.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::board::{FenError, Position};
use crate::eval::Evaluator;
use crate::search::{Engine, Event, Limits, TableError, Task, per_second};

/// How often `stop` is looked at.
const STOP_CHECK: Duration = Duration::from_millis(10);

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
    Table(#[from] TableError),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("it was stopped")]
    Stopped,
}

/// From games of Zebu after random openings, then endgames and special cases: Chess960, bare kings,
/// mate and stalemate.
const POSITIONS: &str = include_str!("bench.fens");

/// Searches all positions, prints a line for each, and returns the last line with nodes and speed.
pub fn run(
    settings: Settings,
    evaluator: Evaluator,
    mut print: impl FnMut(String),
    stop: &AtomicBool,
) -> Result<String, BenchError> {
    let mut engine = Engine::new(settings.threads, settings.hash)?;
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    let count = POSITIONS.lines().count();
    for (i, fen) in POSITIONS.lines().enumerate() {
        engine.clear();
        let limits = Limits { depth: Some(settings.depth), ..Limits::default() };
        let evaluator = evaluator.clone();
        let task = Task { evaluator, ..Task::new(fen.parse::<Position>()?, limits) };
        let (sender, receiver) = channel();
        let start = Instant::now();
        engine.start(task, Box::new(move |event| drop(sender.send(event))));
        let found = loop {
            if stop.load(Relaxed) {
                return Err(BenchError::Stopped);
            }
            match receiver.recv_timeout(STOP_CHECK) {
                Ok(Event::Done(result)) => break result.nodes,
                Ok(Event::Line(_) | Event::Current { .. }) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break 0,
            }
        };
        time += start.elapsed();
        nodes += found;
        print(format!("{:>2}/{count}  {found:>10} nodes  {fen}", i + 1));
    }
    print(format!("{} ms", time.as_millis()));
    Ok(format!("{nodes} nodes {} nps", per_second(nodes, time)))
}
