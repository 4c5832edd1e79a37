//! A search that is to be done, and what the threads that do it share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::clock::Clock;
use super::clock::Plan;
use super::limits::Limits;
use super::table::Table;
use crate::board::{Move, Position};
use crate::eval::Evaluator;

/// What is to be searched, and how long.
#[derive(Clone)]
pub struct Task {
    pub position: Position,
    /// The keys of the positions before it that can repeat, the oldest first.
    pub past: Vec<u64>,
    pub limits: Limits,
    pub plan: Plan,
    /// How many lines to find.
    pub lines: usize,
    /// The opponent's clock is running: the plan does not count yet.
    pub pondering: bool,
    /// A forced move gets as much time as any.
    pub thorough: bool,
    /// Who judges positions.
    pub evaluator: Evaluator,
    /// Only the first thread searches.
    pub alone: bool,
}

impl Task {
    /// A task with no past and a single line.
    pub fn new(position: Position, limits: Limits) -> Task {
        let plan = Plan::new(&limits, Default::default(), false);
        Task {
            position,
            past: Vec::new(),
            limits,
            plan,
            lines: 1,
            pondering: false,
            thorough: false,
            evaluator: Evaluator::default(),
            alone: false,
        }
    }

    /// The legal root moves that the limits allow.
    pub fn root_moves(&self) -> Vec<Move> {
        let allowed = |mv: &Move| self.limits.moves.is_empty() || self.limits.moves.contains(mv);
        self.position.legal_moves().into_iter().filter(allowed).collect()
    }
}

/// A thread's count of nodes, on a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
pub struct Counter(AtomicU64);

impl Counter {
    /// Only the thread whose counter it is counts.
    pub fn count(&self) {
        self.0.store(self.get() + 1, Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// A running search.
pub struct Search {
    pub task: Task,
    pub clock: Clock,
    pub table: Arc<Table>,
    pub counters: Vec<Counter>,
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl Search {
    pub fn new(task: Task, table: Arc<Table>, threads: usize) -> Search {
        Search {
            clock: Clock::start(task.plan),
            table,
            counters: std::iter::repeat_with(Counter::default).take(threads).collect(),
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(task.pondering),
            task,
        }
    }

    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    pub fn ponder_hit(&self) {
        self.pondering.store(false, Relaxed);
    }

    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(Counter::get).sum()
    }
}
