//! What the threads of a search share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use super::root_rank::RootRanks;
use super::task::Task;
use super::time::Clock;
use super::tt::TranspositionTable;

/// A thread's counts, on a cache line of their own. Only their thread writes them.
#[derive(Default)]
#[repr(align(64))]
pub struct Counter {
    nodes: AtomicU64,
    tb_hits: AtomicU64,
}

impl Counter {
    pub fn count_node(&self) {
        self.nodes.store(self.nodes() + 1, Relaxed);
    }

    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    pub fn count_tb_hit(&self) {
        self.tb_hits.store(self.tb_hits() + 1, Relaxed);
    }

    fn tb_hits(&self) -> u64 {
        self.tb_hits.load(Relaxed)
    }
}

pub struct Shared {
    pub task: Task,
    pub clock: Clock,
    pub tt: Arc<TranspositionTable>,
    pub counters: Vec<Counter>,
    root_ranks: OnceLock<Option<RootRanks>>,
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl Shared {
    pub fn new(task: Task, tt: Arc<TranspositionTable>, threads: usize) -> Shared {
        Shared {
            clock: Clock::start(task.plan(), task.tunables),
            tt,
            counters: std::iter::repeat_with(Counter::default).take(threads).collect(),
            root_ranks: OnceLock::new(),
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
        self.counters.iter().map(Counter::nodes).sum()
    }

    /// What the endgame tables know of the root. The first thread that asks probes them.
    pub fn root_ranks(&self) -> Option<&RootRanks> {
        self.root_ranks.get_or_init(|| RootRanks::probe(&self.task)).as_ref()
    }

    pub fn tb_hits(&self) -> u64 {
        let in_tree: u64 = self.counters.iter().map(Counter::tb_hits).sum();
        in_tree + self.root_ranks().map_or(0, RootRanks::hits)
    }
}
