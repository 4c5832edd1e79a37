//! A search in the calling thread, and definitions that it shares with the engine's threads.

use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use super::iterative_deepening::{ThreadResult, search_with};
use super::report::{Bound, Event, Line, MATE, Score, SearchResult, Wdl};
use super::task::{Shared, Task};
use super::tt::{TableError, TranspositionTable};
use super::worker::ThreadData;

/// The stack size of a search thread: ample for the deepest line.
pub const STACK_BYTES: usize = 16 << 20;

/// The most threads that search at once. With more, the main thread would hardly run.
pub fn most_threads() -> usize {
    const FOR_EACH_PROCESSOR: usize = 4;
    available_parallelism().map_or(1, NonZero::get) * FOR_EACH_PROCESSOR
}

/// A resource that the system denied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("the system has {}", threads(*.0))]
    Threads(usize),
}

fn threads(count: usize) -> String {
    match count {
        0 => "neither a thread nor memory for a search".to_string(),
        _ => format!("no more than {count}"),
    }
}

/// Receives a search's events. The last one is [`Event::Done`].
pub type Listener = Box<dyn FnMut(Event) + Send>;

/// Reports the result of a search without root moves: mate, stalemate, or none allowed.
pub fn report_no_moves(task: &Task, listener: &mut dyn FnMut(Event)) {
    let score = if task.position.in_check() { -MATE } else { 0 };
    listener(Event::Lines(vec![Line {
        depth: 0,
        sel_depth: 0,
        pv_index: 1,
        score: Score::of(score, &task.position),
        bound: Bound::Exact,
        wdl: Wdl::of(score, &task.position),
        nodes: 0,
        tb_hits: 0,
        time: Duration::ZERO,
        hashfull: 0,
        moves: Vec::new(),
    }]));
    let result = SearchResult { best: None, ponder: None, nodes: 0, time: Duration::ZERO };
    listener(Event::Done(result));
}

/// Searches in the calling thread, for the forge's many short searches and for web pages. The thread needs a
/// stack of [`STACK_BYTES`].
pub struct SingleThread {
    tt: Arc<TranspositionTable>,
    data: ThreadData,
}

impl SingleThread {
    pub fn new(megabytes: usize) -> Result<SingleThread, EngineError> {
        let tt = Arc::new(TranspositionTable::new(megabytes)?);
        let data = ThreadData::new().ok_or(EngineError::Threads(0))?;
        Ok(SingleThread { tt, data })
    }

    /// Clears the table and the histories.
    pub fn clear(&mut self) {
        self.tt.clear(1);
        self.data.clear();
    }

    /// Searches a position. Returns `None` if it has no legal move.
    pub fn search(&mut self, task: Task) -> Option<ThreadResult> {
        if task.root_moves().is_empty() {
            return None;
        }
        self.tt.increment_age();
        let shared = Shared::new(task, Arc::clone(&self.tt), 1);
        search_with(&shared, &mut self.data, 0, None)
    }

    /// Searches and reports like a thread of the engine. Returns whether the search was stopped.
    #[cfg(target_family = "wasm")]
    pub fn lead(&mut self, task: Task, listener: &mut dyn FnMut(Event)) -> bool {
        if task.root_moves().is_empty() {
            report_no_moves(&task, listener);
            return false;
        }
        self.tt.increment_age();
        let shared = Shared::new(task, Arc::clone(&self.tt), 1);
        let found = search_with(&shared, &mut self.data, 0, Some(&mut *listener));
        let result = super::vote::choose(&shared, found.into_iter().collect(), listener);
        listener(Event::Done(result));
        shared.is_stopped()
    }
}
