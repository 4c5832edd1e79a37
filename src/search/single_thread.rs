//! Searches in the calling thread, for those who make many short ones.

use std::sync::Arc;

use super::history::History;
use super::score::MAX_PLY;
use super::table::{Table, TableError};
use super::task::{Search, Task};
use super::worker::{ThreadResult, Worker};
use crate::eval::{Accumulators, Network};

/// A table and what its one thread learned. That thread needs a stack of
/// [`STACK_BYTES`](super::STACK_BYTES).
pub struct SingleThread {
    table: Arc<Table>,
    history: History,
    accumulators: Accumulators,
}

impl SingleThread {
    pub fn new(megabytes: usize) -> Result<SingleThread, TableError> {
        Ok(SingleThread {
            table: Arc::new(Table::new(megabytes)?),
            history: History::new(),
            accumulators: Accumulators::new(Network::embedded(), MAX_PLY + 1),
        })
    }

    /// Forgets all that was learned.
    pub fn clear(&mut self) {
        self.table.clear(1);
        self.history.clear();
    }

    /// What there is to say about a position, unless it has no legal move.
    pub fn search(&mut self, task: Task) -> Option<ThreadResult> {
        if task.root_moves().is_empty() {
            return None;
        }
        self.table.grow_older();
        let search = Search::new(task, Arc::clone(&self.table), 1);
        let (history, accumulators) = (&mut self.history, &mut self.accumulators);
        Worker::new(&search, history, accumulators, 0, &mut |_| {}).run()
    }
}
