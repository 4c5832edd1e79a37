//! Lazy SMP: search threads that are started once and wait between searches. All of them search the same root
//! and share the transposition table.

use std::hint::black_box;
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use super::iterative_deepening::{ThreadResult, search_with};
use super::report::{Event, Line, Listener, SearchResult, report_no_moves};
use super::task::{Shared, Task};
use super::threads::{EngineError, STACK_BYTES, most_threads};
use super::tt::{TableError, TranspositionTable};
use super::vote::choose;
use super::worker::ThreadData;
use crate::board::{Move, Position};

/// How long the main thread waits for the helpers' results at the end. On a busy machine a helper may not be
/// running.
const HELPERS_TIMEOUT: Duration = Duration::from_millis(2);

/// Memory that must remain once a thread has its own: without it, the next small allocation would end the
/// program.
const SPARE_BYTES: usize = 8 << 20;

/// How often [`Engine::search`] checks its stop flag.
const STOP_CHECK: Duration = Duration::from_millis(10);

enum ThreadCommand {
    /// Search as the main thread, then collect the helpers' results.
    Lead {
        shared: Arc<Shared>,
        helpers: Receiver<Option<ThreadResult>>,
        listener: Listener,
    },
    Help {
        shared: Arc<Shared>,
        result: Sender<Option<ThreadResult>>,
    },
    ClearHistory,
}

struct Thread {
    commands: Option<Sender<ThreadCommand>>,
    handle: Option<JoinHandle<()>>,
}

impl Thread {
    fn start(number: usize) -> std::io::Result<Thread> {
        let data = ThreadData::new().ok_or(ErrorKind::OutOfMemory)?;
        let (commands, inbox) = channel();
        let name = format!("search {number}");
        let serve = move || serve(number, data, &inbox);
        let handle = Builder::new().name(name).stack_size(STACK_BYTES).spawn(serve)?;
        let thread = Thread { commands: Some(commands), handle: Some(handle) };
        let mut spare = Vec::<u8>::new();
        spare.try_reserve_exact(SPARE_BYTES).map_err(|_| ErrorKind::OutOfMemory)?;
        black_box(spare);
        Ok(thread)
    }

    /// The thread outlives its `Thread`, so a command always arrives.
    fn send(&self, command: ThreadCommand) {
        if let Some(commands) = &self.commands {
            commands.send(command).ok();
        }
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.commands = None;
        if let Some(handle) = self.handle.take() {
            handle.join().ok();
        }
    }
}

/// The table, the threads, and the current search. Every change stops the search first.
pub struct Engine {
    tt: Arc<TranspositionTable>,
    /// Never empty.
    threads: Vec<Thread>,
    search: Option<Arc<Shared>>,
}

impl Engine {
    /// Uses at least one thread.
    pub fn new(threads: usize, megabytes: usize) -> Result<Engine, EngineError> {
        let tt = Arc::new(TranspositionTable::new(megabytes)?);
        let mut engine = Engine { tt, threads: Vec::new(), search: None };
        engine.set_threads(threads)?;
        Ok(engine)
    }

    /// Limited by [`most_threads`]. If the system denies a thread, nothing changes.
    pub fn set_threads(&mut self, wanted: usize) -> Result<(), EngineError> {
        self.stop();
        let wanted = wanted.clamp(1, most_threads());
        let before = self.threads.len();
        self.threads.truncate(wanted);
        while self.threads.len() < wanted {
            let Ok(thread) = Thread::start(self.threads.len()) else {
                let most = self.threads.len();
                self.threads.truncate(before);
                return Err(EngineError::Threads(most));
            };
            self.threads.push(thread);
        }
        Ok(())
    }

    /// Replaces the table with an empty one. If the memory is not available, the old one stays.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), TableError> {
        self.stop();
        self.tt = Arc::new(TranspositionTable::new(megabytes)?);
        Ok(())
    }

    /// Clears the table and the histories.
    pub fn clear(&mut self) {
        self.stop();
        self.tt.clear(self.threads.len());
        for thread in &self.threads {
            thread.send(ThreadCommand::ClearHistory);
        }
    }

    /// Starts a search and returns at once. Every search ends with [`Event::Done`], which comes immediately
    /// if there is no root move.
    pub fn start(&mut self, task: Task, mut listener: Listener) -> Option<Running> {
        self.stop();
        if task.root_moves().is_empty() {
            report_no_moves(&task.position, &mut *listener);
            return None;
        }
        self.tt.increment_age();
        let threads = if task.single_threaded { 1 } else { self.threads.len() };
        let shared = Arc::new(Shared::new(task, Arc::clone(&self.tt), threads));
        let (result, helpers) = channel();
        for thread in self.threads.iter().take(threads).skip(1) {
            let (shared, result) = (Arc::clone(&shared), result.clone());
            thread.send(ThreadCommand::Help { shared, result });
        }
        drop(result);
        if let Some(main) = self.threads.first() {
            main.send(ThreadCommand::Lead { shared: Arc::clone(&shared), helpers, listener });
        }
        self.search = Some(Arc::clone(&shared));
        Some(Running(shared))
    }

    /// Searches to the end and reports lines on the way. Returns `None` if `stop` is set before the end.
    pub fn search(
        &mut self,
        task: Task,
        stop: &AtomicBool,
        mut report: impl FnMut(Line),
    ) -> Option<SearchResult> {
        let (sender, events) = channel();
        self.start(task, Box::new(move |event| drop(sender.send(event))));
        while !stop.load(Relaxed) {
            match events.recv_timeout(STOP_CHECK) {
                Ok(Event::Lines(lines)) => lines.into_iter().for_each(&mut report),
                Ok(Event::Done(result)) => return Some(result),
                Ok(Event::Current { .. }) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        self.stop();
        None
    }

    /// Stops the current search, if any. Its last event follows soon.
    pub fn stop(&self) {
        if let Some(search) = &self.search {
            search.stop();
        }
    }

    /// The TT move of a position.
    pub fn tt_move(&self, position: &Position) -> Option<Move> {
        let entry = self.tt.probe(position.key())?;
        position.is_legal(entry.mv).then_some(entry.mv)
    }
}

/// A handle to a running search.
pub struct Running(Arc<Shared>);

impl Running {
    /// Stops the search. Its last event follows soon.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// The opponent played the expected move: the clock counts from now on.
    pub fn ponder_hit(&self) {
        self.0.ponder_hit();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The main loop of a thread.
fn serve(number: usize, mut data: ThreadData, inbox: &Receiver<ThreadCommand>) {
    while let Ok(command) = inbox.recv() {
        match command {
            ThreadCommand::Lead { shared, helpers, mut listener } => {
                let own = search_with(&shared, &mut data, number, Some(&mut listener));
                shared.stop();
                let deadline = Instant::now() + HELPERS_TIMEOUT;
                let others = std::iter::from_fn(|| {
                    let left = deadline.saturating_duration_since(Instant::now());
                    helpers.recv_timeout(left).ok()
                });
                let results = own.into_iter().chain(others.flatten()).collect();
                let result = choose(&shared, results, &mut *listener);
                listener(Event::Done(result));
            }
            ThreadCommand::Help { shared, result } => {
                let found = search_with(&shared, &mut data, number, None);
                result.send(found).ok();
            }
            ThreadCommand::ClearHistory => data.clear(),
        }
    }
}
