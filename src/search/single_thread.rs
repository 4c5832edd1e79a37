//! Searches in the calling thread, for the workshop, which makes many short ones.

use std::sync::Arc;

use super::engine::EngineError;
use super::iterative_deepening::ThreadResult;
use super::shared::Shared;
use super::task::Task;
use super::tt::TranspositionTable;
use super::worker::{ThreadData, Worker};

/// A table and the histories of a single thread. That thread needs a stack of
/// [`STACK_BYTES`](super::STACK_BYTES).
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

    /// The result for a position, unless it has no legal move.
    pub fn search(&mut self, task: Task) -> Option<ThreadResult> {
        if task.root_moves().is_empty() {
            return None;
        }
        self.tt.increment_age();
        let shared = Shared::new(task, Arc::clone(&self.tt), 1);
        Worker::new(&shared, &mut self.data, 0, None).run()
    }
}
