//! The task of a search, and the data that its threads share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::root::{RootRanks, SyzygyOptions};
use super::strength::Sight;
use super::time::{Clock, Limits, Overhead, TimePlan};
use super::tt::TranspositionTable;
use super::tunables::Tunables;
use crate::board::{Game, Move, Position};
use crate::eval::Evaluator;

#[derive(Clone, Serialize, Deserialize)]
pub struct Task {
    #[serde(skip, default = "Position::start")]
    pub position: Position,
    /// The keys of the earlier positions that can recur, oldest first.
    pub key_history: Vec<u64>,
    pub limits: Limits,
    pub overhead: Overhead,
    /// Whether the engine ponders in this game, which affects time management.
    pub ponders: bool,
    /// The number of lines to find.
    pub multi_pv: usize,
    /// Whether the opponent's clock is running and ours is not.
    pub pondering: bool,
    /// Whether a forced move gets as much time as any other.
    pub analyse: bool,
    #[serde(skip)]
    pub evaluator: Evaluator,
    /// The sight of a player of limited strength.
    pub sight: Option<Sight>,
    /// Whether the search scales evaluations. Off for scores that a network is to learn.
    pub scale_eval: bool,
    #[serde(skip)]
    pub syzygy: SyzygyOptions,
    /// Whether only the main thread searches.
    pub single_threaded: bool,
    #[serde(skip, default = "tunables")]
    pub tunables: Tunables,
}

fn tunables() -> Tunables {
    Tunables::DEFAULT
}

impl Task {
    /// A task without earlier moves, for a single line.
    pub fn new(position: Position, limits: Limits) -> Task {
        Task {
            position,
            key_history: Vec::new(),
            limits,
            overhead: Overhead::default(),
            ponders: false,
            multi_pv: 1,
            pondering: false,
            analyse: false,
            evaluator: Evaluator::default(),
            sight: None,
            scale_eval: true,
            syzygy: SyzygyOptions::default(),
            single_threaded: false,
            tunables: Tunables::DEFAULT,
        }
    }

    /// A task for the current position of a game.
    pub fn in_game(game: &Game, limits: Limits) -> Task {
        let key_history = game.repeatable_keys().collect();
        Task { key_history, ..Task::new(*game.position(), limits) }
    }

    /// The time plan for the limits.
    pub fn plan(&self) -> TimePlan {
        TimePlan::new(&self.limits, self.overhead, self.ponders, self.tunables)
    }

    /// The legal root moves that the limits allow.
    pub fn root_moves(&self) -> Vec<Move> {
        let allowed = |mv: &Move| self.limits.moves.is_empty() || self.limits.moves.contains(mv);
        self.position.legal_moves().into_iter().filter(allowed).collect()
    }
}

/// The counters of a thread, on a cache line of their own. Only that thread writes them.
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

    /// The verdict of the endgame tables on the root. The first thread that needs it probes them.
    pub fn root_ranks(&self) -> Option<&RootRanks> {
        let rank = || {
            let Task { syzygy, position, key_history, .. } = &self.task;
            syzygy.rank(position, key_history, &self.task.root_moves())
        };
        self.root_ranks.get_or_init(rank).as_ref()
    }

    pub fn tb_hits(&self) -> u64 {
        let in_tree: u64 = self.counters.iter().map(Counter::tb_hits).sum();
        in_tree + self.root_ranks().map_or(0, RootRanks::hits)
    }
}
