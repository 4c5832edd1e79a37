//! Lazy SMP: the search threads. They are started once and wait between searches; they all search
//! the same root and share the transposition table.

use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use super::iterative_deepening::ThreadResult;
use super::report::{Bound, Event, Line, MATE, Score, SearchResult, TB_WIN_IN_MAX_PLY, Wdl};
use super::task::{Shared, Task};
use super::tt::{TableError, TranspositionTable};
use super::tunables::Tunables;
use super::worker::{ThreadData, Worker};
use crate::board::{Move, Position};

/// The stack of a search thread: room for the deepest line, with much to spare.
pub const STACK_BYTES: usize = 16 << 20;

/// How long the end of a search waits for the helpers' results: on a busy machine one of them may
/// not be running just then.
const HELPERS_TIMEOUT: Duration = Duration::from_millis(2);

/// How often [`Engine::search`] looks at its stop flag.
const STOP_CHECK: Duration = Duration::from_millis(10);

/// What the system refuses.
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

/// Where events go. The last one of a search is [`Event::Done`].
pub type Listener = Box<dyn FnMut(Event) + Send>;

enum Order {
    /// Search as the main thread, and wait for the helpers' results.
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
    orders: Option<Sender<Order>>,
    handle: Option<JoinHandle<()>>,
}

impl Thread {
    fn start(number: usize) -> std::io::Result<Thread> {
        let data = ThreadData::new().ok_or(ErrorKind::OutOfMemory)?;
        let (orders, inbox) = channel();
        let name = format!("search {number}");
        let serve = move || serve(number, data, &inbox);
        let handle = Builder::new().name(name).stack_size(STACK_BYTES).spawn(serve)?;
        Ok(Thread { orders: Some(orders), handle: Some(handle) })
    }

    /// The thread lives as long as its `Thread`, so that an order always arrives.
    fn order(&self, order: Order) {
        if let Some(orders) = &self.orders {
            orders.send(order).ok();
        }
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(handle) = self.handle.take() {
            handle.join().ok();
        }
    }
}

/// The table, the threads, and the search they may be at. Any change stops that search first.
pub struct Engine {
    tt: Arc<TranspositionTable>,
    /// At least one.
    threads: Vec<Thread>,
    search: Option<Arc<Shared>>,
}

impl Engine {
    /// With at least one thread.
    pub fn new(threads: usize, megabytes: usize) -> Result<Engine, EngineError> {
        let tt = Arc::new(TranspositionTable::new(megabytes)?);
        let mut engine = Engine { tt, threads: Vec::new(), search: None };
        engine.set_threads(threads)?;
        Ok(engine)
    }

    /// If there are not so many, all stays as it was.
    pub fn set_threads(&mut self, wanted: usize) -> Result<(), EngineError> {
        self.stop();
        let before = self.threads.len();
        self.threads.truncate(wanted.max(1));
        while self.threads.len() < wanted.max(1) {
            let Ok(thread) = Thread::start(self.threads.len()) else {
                let most = self.threads.len();
                self.threads.truncate(before);
                return Err(EngineError::Threads(most));
            };
            self.threads.push(thread);
        }
        Ok(())
    }

    /// Replaces the table by an empty one. If that size cannot be had, the old one stays.
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
            thread.order(Order::ClearHistory);
        }
    }

    /// Starts a search and comes back at once. Every search ends with [`Event::Done`], without a root
    /// move at once.
    pub fn start(&mut self, task: Task, mut listener: Listener) -> Option<Running> {
        self.stop();
        if task.root_moves().is_empty() {
            report_no_moves(&task, &mut listener);
            return None;
        }
        self.tt.increment_age();
        let threads = if task.single_threaded { 1 } else { self.threads.len() };
        let shared = Arc::new(Shared::new(task, Arc::clone(&self.tt), threads));
        let (result, helpers) = channel();
        for thread in self.threads.iter().take(threads).skip(1) {
            let (shared, result) = (Arc::clone(&shared), result.clone());
            thread.order(Order::Help { shared, result });
        }
        drop(result);
        if let Some(main) = self.threads.first() {
            main.order(Order::Lead { shared: Arc::clone(&shared), helpers, listener });
        }
        self.search = Some(Arc::clone(&shared));
        Some(Running(shared))
    }

    /// Searches to the end, with the lines reported on the way; `None` if `stop` is set before.
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
                Ok(Event::Line(line)) => report(line),
                Ok(Event::Done(result)) => return Some(result),
                Ok(Event::Current { .. }) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        self.stop();
        None
    }

    /// Stops the search, if there is one; its end is reported soon.
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

/// A search that runs, in the hands of who waits for it.
pub struct Running(Arc<Shared>);

impl Running {
    /// Stops the search; its end is reported soon.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// The opponent made the expected move: the clock counts from now on.
    pub fn ponder_hit(&self) {
        self.0.ponder_hit();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A thread's life: one order after the other until the engine is dropped.
fn serve(number: usize, mut data: ThreadData, inbox: &Receiver<Order>) {
    while let Ok(order) = inbox.recv() {
        match order {
            Order::Lead { shared, helpers, mut listener } => {
                let own = Worker::new(&shared, &mut data, number, Some(&mut listener)).run();
                shared.stop();
                let deadline = Instant::now() + HELPERS_TIMEOUT;
                let others = std::iter::from_fn(|| {
                    let left = deadline.saturating_duration_since(Instant::now());
                    helpers.recv_timeout(left).ok()
                });
                let results = own.into_iter().chain(others.flatten()).collect();
                let result = choose(&shared, results, &mut listener);
                listener(Event::Done(result));
            }
            Order::Help { shared, result } => {
                let found = Worker::new(&shared, &mut data, number, None).run();
                result.send(found).ok();
            }
            Order::ClearHistory => data.clear(),
        }
    }
}

/// Chooses between the results of the threads, the main one's first. If another wins, its line is
/// reported.
fn choose(shared: &Shared, results: Vec<ThreadResult>, listener: &mut Listener) -> SearchResult {
    let task = &shared.task;
    // A depth or several lines are asked of the main thread.
    let main_only = task.multi_pv > 1 || task.limits.depth.is_some();
    let main = results.first();
    let chosen = if main_only { main } else { vote(&results, task.tunables) };
    if let (Some(main), Some(chosen)) = (main, chosen)
        && main.line.moves != chosen.line.moves
    {
        // All threads went on after the helper's iteration.
        let line = Line {
            nodes: shared.nodes(),
            tb_hits: shared.tb_hits(),
            time: shared.clock.elapsed(),
            ..chosen.line.clone()
        };
        listener(Event::Line(line.so_far()));
    }
    let pv = chosen.map_or(&[][..], |chosen| &chosen.line.moves);
    let best = pv.first().copied();
    SearchResult {
        best,
        ponder: best.and_then(|best| pv.get(1).copied().or_else(|| tt_reply(shared, best))),
        nodes: shared.nodes(),
        time: shared.clock.elapsed(),
    }
}

/// The TT move after the best move.
fn tt_reply(shared: &Shared, best: Move) -> Option<Move> {
    let next = shared.task.position.after(best);
    let entry = shared.tt.probe(next.key())?;
    next.is_legal(entry.mv).then_some(entry.mv)
}

/// The end of a search that has no root move: mate, stalemate, or none allowed.
fn report_no_moves(task: &Task, listener: &mut Listener) {
    let score = if task.position.in_check() { -MATE } else { 0 };
    listener(Event::Line(Line {
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
    }));
    let result = SearchResult { best: None, ponder: None, nodes: 0, time: Duration::ZERO };
    listener(Event::Done(result));
}

/// The vote of the threads: each for its best move, with more weight the deeper it searched and the
/// better its score. A proven win needs no vote. Of equals the first wins, which is the main thread.
fn vote(results: &[ThreadResult], tunables: Tunables) -> Option<&ThreadResult> {
    let worst = results.iter().map(|result| result.score).min()?;
    let weight = |result: &ThreadResult| {
        i64::from(result.score - worst + tunables.vote_margin()) * i64::from(result.depth)
    };
    let votes = |result: &ThreadResult| -> i64 {
        let best_move = result.line.moves.first();
        results.iter().filter(|other| other.line.moves.first() == best_move).map(weight).sum()
    };
    let rank = |result: &ThreadResult| {
        let win = if result.score >= TB_WIN_IN_MAX_PLY { result.score } else { 0 };
        (win, votes(result), weight(result))
    };
    results.iter().rev().max_by_key(|result| rank(result))
}

/// Searches in the calling thread, for the workshop, which makes many short ones: a table and the
/// histories of one thread, which needs a stack of [`STACK_BYTES`].
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
