//! Who looks at positions: the engine with its limits, until it is told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::worth::Worth;
use crate::board::{Game, Move};
use crate::eval::{Evaluator, Network};
use crate::search::{Engine, Event, Limits, Line, Score, TableError, Task};

/// How soon a stop is noticed.
const NOTICE: Duration = Duration::from_millis(20);

pub struct Analyst<'a> {
    engine: Engine,
    network: Arc<Network>,
    limits: Limits,
    stop: &'a AtomicBool,
}

/// What was seen in a position.
#[derive(Clone)]
pub struct Sight {
    /// For the side to move.
    pub score: Score,
    /// The same for White.
    pub worth: Worth,
    pub depth: u32,
    /// The best line; empty only if there is no legal move.
    pub line: Vec<Move>,
}

impl<'a> Analyst<'a> {
    pub fn new(
        threads: usize,
        megabytes: usize,
        network: Arc<Network>,
        limits: Limits,
        stop: &'a AtomicBool,
    ) -> Result<Analyst<'a>, TableError> {
        Ok(Analyst { engine: Engine::new(threads, megabytes)?, network, limits, stop })
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Forgets the positions seen so far: what is said of a game depends on that game alone.
    pub fn forget(&mut self) {
        self.engine.clear();
    }

    /// Looks at the position on the board, or gives nothing if a stop came first.
    pub fn look(&mut self, game: &Game) -> Option<Sight> {
        let position = *game.position();
        let key_history = game.repeatable_keys().collect();
        let evaluator = Evaluator::Network(Arc::clone(&self.network));
        let task = Task { key_history, evaluator, ..Task::new(position, self.limits.clone()) };
        let (sender, events) = channel();
        self.engine.start(task, Box::new(move |event| drop(sender.send(event))));
        let mut last: Option<Line> = None;
        loop {
            match events.recv_timeout(NOTICE) {
                Ok(Event::Line(line)) => last = Some(line),
                Ok(Event::Current { .. }) => {}
                Ok(Event::Done(_)) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) if self.is_stopped() => self.engine.stop(),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        if self.is_stopped() {
            return None;
        }
        last.map(|line| Sight {
            score: line.score,
            worth: Worth::of(line.score, position.side()),
            depth: line.depth,
            line: line.moves,
        })
    }
}
