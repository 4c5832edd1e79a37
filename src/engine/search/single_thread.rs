//! A search in the calling thread.

use std::sync::Arc;

use super::iterative_deepening::{ThreadResult, search_with};
use super::task::{Shared, Task};
use super::threads::EngineError;
use super::tt::TranspositionTable;
use super::worker::ThreadData;
#[cfg(target_family = "wasm")]
use super::{
    report::{Event, report_no_moves},
    vote::choose,
};

/// Searches in the calling thread, for the forge's many short searches and for web pages. The thread needs a
/// stack of [`super::STACK_BYTES`].
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
            report_no_moves(&task.position, listener);
            return false;
        }
        self.tt.increment_age();
        let shared = Shared::new(task, Arc::clone(&self.tt), 1);
        let found = search_with(&shared, &mut self.data, 0, Some(&mut *listener));
        let result = choose(&shared, found.into_iter().collect(), listener);
        listener(Event::Done(result));
        shared.is_stopped()
    }
}
