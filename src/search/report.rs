//! What a search reports while it runs and when it is over.

use std::time::Duration;

use super::score::Score;
use super::wdl::Wdl;
use crate::board::Move;

/// How a score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

impl Bound {
    /// Whether a value with this bound settles a node with this window.
    pub fn cuts_off(self, value: i32, alpha: i32, beta: i32) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        }
    }

    /// Whether a value with this bound says more about a node than its static evaluation.
    pub fn refines(self, value: i32, static_eval: i32) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value > static_eval,
            Bound::Upper => value < static_eval,
        }
    }
}

/// A principal variation and what is known of it.
#[derive(Clone, Debug)]
pub struct Line {
    pub depth: u32,
    pub sel_depth: u32,
    /// The line's number with MultiPV, from 1.
    pub pv_index: usize,
    pub score: Score,
    pub bound: Bound,
    pub wdl: Wdl,
    pub nodes: u64,
    /// Successful probes of the endgame tables.
    pub tb_hits: u64,
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// Legal moves; empty only if the root has none.
    pub moves: Vec<Move>,
}

impl Line {
    pub fn nodes_per_second(&self) -> u64 {
        per_second(self.nodes, self.time)
    }
}

/// How the search ended.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// `None` if the root has no legal move.
    pub best: Option<Move>,
    /// The reply that is expected, legal after `best`.
    pub ponder: Option<Move>,
    pub nodes: u64,
    pub time: Duration,
}

#[derive(Clone, Debug)]
pub enum Event {
    Line(Line),
    /// The root move that is being searched, and its number in the order.
    Current {
        depth: u32,
        mv: Move,
        number: usize,
    },
    Done(SearchResult),
}

/// Nodes a second; never infinite.
pub fn per_second(nodes: u64, time: Duration) -> u64 {
    let micros = time.as_micros().max(1);
    (u128::from(nodes) * 1_000_000 / micros).min(u128::from(u64::MAX)) as u64
}
