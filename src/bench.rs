//! A fixed benchmark: the speed of a build, and with its node count a fingerprint of the search.

use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use crate::board::{FenError, Position};
use crate::eval::Evaluator;
use crate::search::{Engine, Event, Limits, TableError, Task, per_second};

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
/// `keep_going` is asked before each position.
pub fn run(
    settings: Settings,
    evaluator: Evaluator,
    mut print: impl FnMut(String),
    keep_going: impl Fn() -> bool,
) -> Result<String, BenchError> {
    let mut engine = Engine::new(settings.threads, settings.hash)?;
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    let count = POSITIONS.lines().count();
    for (i, fen) in POSITIONS.lines().enumerate() {
        if !keep_going() {
            return Err(BenchError::Stopped);
        }
        engine.clear();
        let limits = Limits { depth: Some(settings.depth), ..Limits::default() };
        let evaluator = evaluator.clone();
        let task = Task { evaluator, ..Task::new(fen.parse::<Position>()?, limits) };
        let (sender, receiver) = channel();
        let start = Instant::now();
        engine.start(task, Box::new(move |event| drop(sender.send(event))));
        let found = receiver.iter().find_map(|event| match event {
            Event::Done(outcome) => Some(outcome.nodes),
            Event::Line(_) | Event::Current { .. } => None,
        });
        time += start.elapsed();
        let found = found.unwrap_or_default();
        nodes += found;
        print(format!("{:>2}/{count}  {found:>10} nodes  {fen}", i + 1));
    }
    print(format!("{} ms", time.as_millis()));
    Ok(format!("{nodes} nodes {} nps", per_second(nodes, time)))
}
