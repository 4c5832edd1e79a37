//! A search that is to be done, and what the threads that do it share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use super::limits::Limits;
use super::syzygy::{KnownRoot, SyzygyOptions};
use super::table::Table;
use super::time::Clock;
use super::time::TimePlan;
use crate::board::{Move, Position};
use crate::eval::Evaluator;

/// What is to be searched, and how long.
#[derive(Clone)]
pub struct Task {
    pub position: Position,
    /// The keys of the positions before it that can repeat, the oldest first.
    pub key_history: Vec<u64>,
    pub limits: Limits,
    pub plan: TimePlan,
    /// How many lines to find.
    pub multi_pv: usize,
    /// The opponent's clock is running: the plan does not count yet.
    pub pondering: bool,
    /// A forced move gets as much time as any.
    pub analyse: bool,
    /// Who judges positions.
    pub evaluator: Evaluator,
    pub probing: SyzygyOptions,
    /// Only the first thread searches.
    pub single_threaded: bool,
}

impl Task {
    /// A task with no moves before it and a single line.
    pub fn new(position: Position, limits: Limits) -> Task {
        let plan = TimePlan::new(&limits, Default::default(), false);
        Task {
            position,
            key_history: Vec::new(),
            limits,
            plan,
            multi_pv: 1,
            pondering: false,
            analyse: false,
            evaluator: Evaluator::default(),
            probing: SyzygyOptions::default(),
            single_threaded: false,
        }
    }

    /// The legal root moves that the limits allow.
    pub fn root_moves(&self) -> Vec<Move> {
        let allowed = |mv: &Move| self.limits.moves.is_empty() || self.limits.moves.contains(mv);
        self.position.legal_moves().into_iter().filter(allowed).collect()
    }
}

/// A thread's counts, on a cache line of their own. Only the thread whose counter it is counts.
#[derive(Default)]
#[repr(align(64))]
pub struct Counter {
    nodes: AtomicU64,
    tb_hits: AtomicU64,
}

impl Counter {
    /// Counts a node.
    pub fn count(&self) {
        self.nodes.store(self.get() + 1, Relaxed);
    }

    /// The nodes.
    pub fn get(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    pub fn count_tb_hit(&self) {
        self.tb_hits.store(self.tb_hits() + 1, Relaxed);
    }

    fn tb_hits(&self) -> u64 {
        self.tb_hits.load(Relaxed)
    }
}

/// A running search.
pub struct Search {
    pub task: Task,
    pub clock: Clock,
    pub table: Arc<Table>,
    pub counters: Vec<Counter>,
    known_root: OnceLock<Option<KnownRoot>>,
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl Search {
    pub fn new(task: Task, table: Arc<Table>, threads: usize) -> Search {
        Search {
            clock: Clock::start(task.plan),
            table,
            counters: std::iter::repeat_with(Counter::default).take(threads).collect(),
            known_root: OnceLock::new(),
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

    /// What the endgame tables know of the root. The first thread that wants to know asks them.
    pub fn known_root(&self) -> Option<&KnownRoot> {
        self.known_root.get_or_init(|| KnownRoot::of(&self.task)).as_ref()
    }

    pub fn tb_hits(&self) -> u64 {
        let in_tree: u64 = self.counters.iter().map(Counter::tb_hits).sum();
        in_tree + self.known_root().map_or(0, KnownRoot::answers)
    }
}
