//! Background tasks, each on a thread of its own: `go perft` and `bench`.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Instant;

use super::input::Input;
use crate::bench::{self, Settings};
use crate::board::{Position, perft};
use crate::eval::{Evaluator, Network};
use crate::search::per_second;

pub enum BackgroundTask {
    Perft { position: Position, depth: u32, chess960: bool },
    Bench(Settings, Arc<Network>),
}

/// A count of this depth is short even in positions with many moves, and is not stopped.
const SHORT: u32 = 3;

impl BackgroundTask {
    /// Sends what it prints, and at last how it ended. The flag stops it.
    pub fn start(self, inputs: Sender<Input>) -> io::Result<Arc<AtomicBool>> {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let run = move || {
            let done = self.run(&flag, |text| drop(inputs.send(Input::Text(text))));
            drop(inputs.send(Input::TaskDone(done)));
        };
        thread::Builder::new().name("background".to_string()).spawn(run)?;
        Ok(stop)
    }

    /// Does all of it, or less once it is stopped.
    fn run(self, stop: &AtomicBool, print: impl Fn(String)) -> Result<(), String> {
        match self {
            BackgroundTask::Perft { position, depth, chess960 } => {
                divide(&position, depth, chess960, stop, print)
                    .ok_or_else(|| "perft: it was stopped".to_string())
            }
            BackgroundTask::Bench(settings, network) => {
                bench::run(settings, Evaluator::Network(network), print, stop)
                    .map(drop)
                    .map_err(|error| format!("bench: {error}"))
            }
        }
    }
}

/// The leaves behind each root move, a line for each, and the sum; or `None` if it was stopped.
fn divide(
    position: &Position,
    depth: u32,
    chess960: bool,
    stop: &AtomicBool,
    print: impl Fn(String),
) -> Option<()> {
    let start = Instant::now();
    let mut sum = 0;
    for mv in position.legal_moves() {
        let count = count(&position.after(mv), depth - 1, stop)?;
        sum += count;
        print(format!("{}: {count}", position.uci(mv, chess960)));
    }
    let time = start.elapsed();
    print(format!(
        "\nNodes searched: {sum}\ninfo string {} ms, {} nodes per second",
        time.as_millis(),
        per_second(sum, time)
    ));
    Some(())
}

/// The leaves below a position, or `None` if it was stopped.
fn count(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Relaxed) {
        return None;
    }
    if depth <= SHORT {
        return Some(perft(position, depth));
    }
    position.legal_moves().into_iter().map(|mv| count(&position.after(mv), depth - 1, stop)).sum()
}
