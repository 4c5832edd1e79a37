//! The threads that search. They are started once and wait between searches.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use super::history::History;
use super::report::{Bound, Event, Line, SearchResult};
use super::score::{MATE, MAX_PLY, Score, TB_WIN_IN_MAX_PLY};
use super::table::{Table, TableError};
use super::task::{Search, Task};
use super::wdl::Wdl;
use super::worker::{ThreadResult, Worker};
use crate::board::Move;
use crate::eval::{Accumulators, Network};

/// The stack of a thread that searches: room for the deepest line, with much to spare.
pub const STACK_BYTES: usize = 16 << 20;

/// How long the end of a search waits for what the helpers found: on a busy machine one of them may
/// not be running just then.
const HELPERS_MAY_TAKE: Duration = Duration::from_millis(2);

/// Where events go. The last one of a search is [`Event::Done`].
pub type Listener = Box<dyn FnMut(Event) + Send>;

enum Order {
    /// Searches as the first thread, with what the helpers will have found.
    Lead {
        search: Arc<Search>,
        helpers: Receiver<Option<ThreadResult>>,
        listener: Listener,
    },
    Help {
        search: Arc<Search>,
        found: Sender<Option<ThreadResult>>,
    },
    Forget,
}

struct Thread {
    orders: Option<Sender<Order>>,
    handle: Option<JoinHandle<()>>,
}

impl Thread {
    fn start(number: usize) -> std::io::Result<Thread> {
        let (orders, inbox) = channel();
        let name = format!("search {number}");
        let work = move || serve(number, &inbox);
        let handle = Builder::new().name(name).stack_size(STACK_BYTES).spawn(work)?;
        Ok(Thread { orders: Some(orders), handle: Some(handle) })
    }

    /// A thread is there as long as its `Thread`, so that an order always arrives.
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

/// The table and the threads, and the search that they may be at. One that is still running when
/// a change is asked for is stopped first.
pub struct Engine {
    table: Arc<Table>,
    threads: Vec<Thread>,
    search: Option<Arc<Search>>,
}

impl Engine {
    /// At least one thread is started; an error says why a table of that size cannot be had.
    pub fn new(threads: usize, megabytes: usize) -> Result<Engine, TableError> {
        let table = Arc::new(Table::new(megabytes)?);
        let mut engine = Engine { table, threads: Vec::new(), search: None };
        engine.set_threads(threads);
        Ok(engine)
    }

    /// Gives the number of threads that there are now, less than asked for if the system has no
    /// more.
    pub fn set_threads(&mut self, wanted: usize) -> usize {
        self.stop();
        self.threads.truncate(wanted.max(1));
        while self.threads.len() < wanted.max(1) {
            match Thread::start(self.threads.len()) {
                Ok(thread) => self.threads.push(thread),
                Err(_) => break,
            }
        }
        self.threads.len()
    }

    /// Replaces the table by an empty one. If that size cannot be had, the old one stays.
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), TableError> {
        self.stop();
        self.table = Arc::new(Table::new(megabytes)?);
        Ok(())
    }

    /// Forgets all that was learned.
    pub fn clear(&mut self) {
        self.stop();
        self.table.clear(self.threads.len());
        for thread in &self.threads {
            thread.order(Order::Forget);
        }
    }

    /// Starts a search and comes back at once. Every search ends with [`Event::Done`].
    pub fn start(&mut self, task: Task, mut listener: Listener) {
        self.stop();
        if task.root_moves().is_empty() {
            tell_nothing_to_do(&task, &mut listener);
            return;
        }
        self.table.grow_older();
        let threads = if task.single_threaded { 1 } else { self.threads.len() };
        let search = Arc::new(Search::new(task, Arc::clone(&self.table), threads));
        let (found, helpers) = channel();
        for thread in self.threads.iter().take(threads).skip(1) {
            let (search, found) = (Arc::clone(&search), found.clone());
            thread.order(Order::Help { search, found });
        }
        drop(found);
        if let Some(leader) = self.threads.first() {
            leader.order(Order::Lead { search: Arc::clone(&search), helpers, listener });
        }
        self.search = Some(search);
    }

    /// Stops the search, if there is one; its end is told soon.
    pub fn stop(&self) {
        if let Some(search) = &self.search {
            search.stop();
        }
    }

    /// The opponent made the expected move: the clock counts from now on.
    pub fn ponder_hit(&self) {
        if let Some(search) = &self.search {
            search.ponder_hit();
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The life of a thread: one order after the other until nobody can give any more.
fn serve(number: usize, inbox: &Receiver<Order>) {
    let mut history = History::new();
    let mut accumulators = Accumulators::new(Network::embedded(), MAX_PLY + 1);
    while let Ok(order) = inbox.recv() {
        match order {
            Order::Lead { search, helpers, mut listener } => {
                let accumulators = &mut accumulators;
                let worker =
                    Worker::new(&search, &mut history, accumulators, number, &mut listener);
                let own = worker.run();
                search.stop();
                let deadline = Instant::now() + HELPERS_MAY_TAKE;
                let others = std::iter::from_fn(|| {
                    let left = deadline.saturating_duration_since(Instant::now());
                    helpers.recv_timeout(left).ok()
                });
                let found = own.into_iter().chain(others.flatten());
                let outcome = decide(&search, found, &mut listener);
                listener(Event::Done(outcome));
            }
            Order::Help { search, found } => {
                let mut deaf = |_| {};
                let accumulators = &mut accumulators;
                let worker = Worker::new(&search, &mut history, accumulators, number, &mut deaf);
                found.send(worker.run()).ok();
            }
            Order::Forget => history.clear(),
        }
    }
}

/// Chooses between what the threads found. The leader comes first; if another is chosen, its line
/// is told.
fn decide(
    search: &Search,
    found: impl Iterator<Item = ThreadResult>,
    listener: &mut Listener,
) -> SearchResult {
    let found: Vec<ThreadResult> = found.collect();
    // Who asks for a depth, or for several lines, wants those of the leader.
    let alone = search.task.multi_pv > 1 || search.task.limits.depth.is_some();
    let chosen = if alone { found.first() } else { elected(&found) }.cloned();
    if let (Some(leader), Some(chosen)) = (found.first(), &chosen)
        && leader.line.moves != chosen.line.moves
    {
        listener(Event::Line(chosen.line.clone()));
    }
    let line = chosen.map(|chosen| chosen.line.moves).unwrap_or_default();
    let best = line.first().copied();
    SearchResult {
        best,
        ponder: best.and_then(|best| line.get(1).copied().or_else(|| reply(search, best))),
        nodes: search.nodes(),
        time: search.clock.elapsed(),
    }
}

/// The threads vote for their best moves, with the more weight the deeper they looked and the better
/// the score they found. A win that is proven needs no vote.
fn elected(found: &[ThreadResult]) -> Option<&ThreadResult> {
    let worst = found.iter().map(|one| one.score).min()?;
    let weight = |one: &ThreadResult| i64::from(one.score - worst + 20) * i64::from(one.depth);
    let votes = |one: &ThreadResult| -> i64 {
        let same = |other: &&ThreadResult| other.line.moves.first() == one.line.moves.first();
        found.iter().filter(same).map(weight).sum()
    };
    let rank = |one: &ThreadResult| {
        let win = if one.score >= TB_WIN_IN_MAX_PLY { one.score } else { 0 };
        (win, votes(one), weight(one))
    };
    // Of equals the first, which is the leader.
    found.iter().rev().max_by_key(|one| rank(one))
}

/// The reply to the best move that the table knows.
fn reply(search: &Search, best: Move) -> Option<Move> {
    let next = search.task.position.after(best);
    let stored = search.table.probe(next.key())?;
    next.is_legal(stored.mv).then_some(stored.mv)
}

/// The end of a search that has no move to look at: mate, stalemate, or none allowed.
fn tell_nothing_to_do(task: &Task, listener: &mut Listener) {
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
        time: Default::default(),
        hashfull: 0,
        moves: Vec::new(),
    }));
    let time = Default::default();
    listener(Event::Done(SearchResult { best: None, ponder: None, nodes: 0, time }));
}
