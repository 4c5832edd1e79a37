//! Long jobs that are no search of a game: a fixed benchmark, which tells the speed of a build and whose node
//! count is a fingerprint of the search, and `perft`.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, unbounded};

use crate::board::{FenError, Move, Position, perft};
use crate::eval::{Evaluator, Network};
use crate::search::{Engine, EngineError, Limits, Task};
use crate::system::time::Instant;

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

/// What a job reports.
pub enum Report {
    /// A position of the benchmark, by its number of so many.
    Position {
        number: usize,
        count: usize,
        nodes: u64,
        fen: &'static str,
    },
    Bench {
        nodes: u64,
        time: Duration,
    },
    /// The leaves below a root move.
    Move {
        mv: Move,
        leaves: u64,
    },
    Perft {
        leaves: u64,
        time: Duration,
    },
}

#[derive(Clone, Debug, thiserror::Error)]
pub enum JobError {
    #[error("bench: {0}")]
    Bench(#[from] BenchError),
    #[error("perft: it was stopped")]
    PerftStopped,
}

/// Searches all positions and reports each, then all of them.
pub fn run(
    settings: Settings,
    evaluator: Evaluator,
    mut report: impl FnMut(Report),
    stop: &AtomicBool,
) -> Result<(), BenchError> {
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
        report(Report::Position { number: i + 1, count, nodes: result.nodes, fen });
    }
    report(Report::Bench { nodes, time });
    Ok(())
}

/// A benchmark or a count on a thread of its own, which ends when this is dropped.
pub struct Job {
    /// What it reports, then perhaps an error. It is done when the channel is closed.
    pub output: Receiver<Result<Report, JobError>>,
    stop: Arc<AtomicBool>,
}

impl Job {
    pub fn bench(settings: Settings, network: Arc<Network>) -> io::Result<Job> {
        Job::start(move |stop, report| {
            Ok(run(settings, Evaluator::Network(network), report, stop)?)
        })
    }

    pub fn perft(position: Position, depth: u32) -> io::Result<Job> {
        Job::start(move |stop, report| {
            divide(&position, depth, stop, report).ok_or(JobError::PerftStopped)
        })
    }

    fn start(
        work: impl FnOnce(&AtomicBool, &dyn Fn(Report)) -> Result<(), JobError> + Send + 'static,
    ) -> io::Result<Job> {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let (sender, output) = unbounded();
        let run = move || {
            if let Err(error) = work(&flag, &|report| drop(sender.send(Ok(report)))) {
                drop(sender.send(Err(error)));
            }
        };
        thread::Builder::new().name("job".to_string()).spawn(run)?;
        Ok(Job { output, stop })
    }

    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Reports the leaves below each root move, and their sum; `None` if it was stopped.
fn divide(
    position: &Position,
    depth: u32,
    stop: &AtomicBool,
    report: impl Fn(Report),
) -> Option<()> {
    let start = Instant::now();
    let mut sum = 0;
    for mv in position.legal_moves() {
        let leaves = count(&position.after(mv), depth - 1, stop)?;
        sum += leaves;
        report(Report::Move { mv, leaves });
    }
    report(Report::Perft { leaves: sum, time: start.elapsed() });
    Some(())
}

/// The leaves below a position, or `None` if it was stopped.
fn count(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    /// A count of this depth is short even in positions with many moves, and is not stopped.
    const SHORT: u32 = 3;
    if stop.load(Relaxed) {
        return None;
    }
    if depth <= SHORT {
        return Some(perft(position, depth));
    }
    position.legal_moves().into_iter().map(|mv| count(&position.after(mv), depth - 1, stop)).sum()
}
