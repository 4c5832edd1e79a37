//! The engine in a web page, which searches in the calling thread or in a worker of the page.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde::{Deserialize, Serialize};

use super::report::{Event, Line, Listener, SearchResult};
use super::single_thread::SingleThread;
use super::task::Task;
use super::threads::EngineError;
use super::tt::TableError;
use crate::board::{Move, Position};
use crate::eval::{Evaluator, Network, Taste};
use crate::system::wasm::{self, Worker};

/// A task for a worker.
#[derive(Serialize, Deserialize)]
enum WorkerTask {
    Search { megabytes: usize, fen: String, taste: Option<Taste>, task: Box<Task> },
    Clear,
}

/// Blocking searches use the table and histories in this thread, others those of a worker.
pub struct Engine {
    megabytes: usize,
    own: Option<SingleThread>,
    worker: Option<Worker>,
}

/// A handle to a worker's search. The search also ends when the engine is dropped.
pub struct Running(u32);

impl Engine {
    pub fn new(_: usize, megabytes: usize) -> Result<Engine, EngineError> {
        Ok(Engine { megabytes, own: None, worker: None })
    }

    /// There is always one.
    pub fn set_threads(&mut self, _: usize) -> Result<(), EngineError> {
        Ok(())
    }

    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), TableError> {
        self.megabytes = megabytes;
        self.own = None;
        Ok(())
    }

    /// Clears the table and the histories.
    pub fn clear(&mut self) {
        if let Some(own) = &mut self.own {
            own.clear();
        }
        if let Some(worker) = &self.worker {
            worker.stop();
            worker.order(&json(&WorkerTask::Clear), |_| {});
        }
    }

    /// Starts a search in a worker.
    pub fn start(&mut self, task: Task, mut listener: Listener) -> Option<Running> {
        let worker = self.worker.get_or_insert_with(Worker::new);
        worker.stop();
        let request = WorkerTask::Search {
            megabytes: self.megabytes,
            fen: task.position.fen(),
            taste: match &task.evaluator {
                Evaluator::Tasted(_, taste) => Some(*taste),
                _ => None,
            },
            task: Box::new(task),
        };
        worker.order(&json(&request), move |event| {
            if let Ok(event) = serde_json::from_slice(event) {
                listener(event);
            }
        });
        Some(Running(worker.number()))
    }

    /// Searches to the end and reports lines on the way. Returns `None` if the page stops the search.
    pub fn search(
        &mut self,
        task: Task,
        stop: &AtomicBool,
        mut report: impl FnMut(Line),
    ) -> Option<SearchResult> {
        let own = match &mut self.own {
            Some(own) => own,
            none => none.insert(SingleThread::new(self.megabytes).ok()?),
        };
        let mut result = None;
        let is_stopped = own.lead(task, &mut |event| match event {
            Event::Lines(lines) => lines.into_iter().for_each(&mut report),
            Event::Done(done) => result = Some(done),
            Event::Current { .. } => {}
        });
        stop.fetch_or(is_stopped, Relaxed);
        result.filter(|_| !stop.load(Relaxed))
    }

    /// The worker has the table.
    pub fn tt_move(&self, _: &Position) -> Option<Move> {
        None
    }
}

impl Running {
    pub fn stop(&self) {
        wasm::stop(self.0);
    }

    /// There is no pondering in a page.
    pub fn ponder_hit(&self) {}
}

fn json(task: &WorkerTask) -> Vec<u8> {
    serde_json::to_vec(task).unwrap_or_default()
}

thread_local! {
    /// This worker's table size and search.
    static SEARCHER: RefCell<Option<(usize, SingleThread)>> = const { RefCell::new(None) };
}

/// Runs a task of the page's engine in its worker. Returns whether it was one.
pub fn obey(order: &[u8]) -> bool {
    match serde_json::from_slice(order) {
        Ok(WorkerTask::Search { megabytes, fen, taste, mut task }) => {
            let Ok(position) = fen.parse() else { return false };
            task.position = position;
            if let Some(taste) = taste {
                task.evaluator = Evaluator::Tasted(Network::embedded(), taste);
            }
            SEARCHER.with_borrow_mut(|searcher| {
                if searcher.as_ref().is_none_or(|(size, _)| *size != megabytes) {
                    // Frees the old table before the new one is allocated.
                    *searcher = None;
                    // A phone may have less memory.
                    let own = SingleThread::new(megabytes).or_else(|_| SingleThread::new(1));
                    *searcher = own.ok().map(|own| (megabytes, own));
                }
                if let Some((_, own)) = searcher {
                    own.lead(*task, &mut |event| {
                        wasm::tell_page(&serde_json::to_vec(&event).unwrap_or_default());
                    });
                }
            });
        }
        Ok(WorkerTask::Clear) => SEARCHER.with_borrow_mut(|searcher| {
            if let Some((_, own)) = searcher {
                own.clear();
            }
        }),
        Err(_) => return false,
    }
    true
}
