//! What ends a search.

use std::time::Duration;

use crate::board::{Move, Position};

/// The time of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    pub left: Duration,
    pub increment: Duration,
    /// Moves to the next time control; `None` if this time is for all that follow.
    pub moves_to_go: Option<u32>,
}

/// What ends a search: the first of these that is reached. Without any, only a stop does.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// After this many no new iteration is begun.
    pub soft_nodes: Option<u64>,
    /// The same while the root is in check or its best move is noisy.
    pub forcing_soft_nodes: Option<u64>,
    /// A mate in this many moves is found.
    pub mate: Option<u32>,
    pub move_time: Option<Duration>,
    pub time: Option<Time>,
    /// The root moves to search; none means all.
    pub moves: Vec<Move>,
}

impl Limits {
    /// The soft limit at a root with this best move.
    pub fn soft_nodes_for(&self, root: &Position, best: Move) -> Option<u64> {
        let is_forcing = root.in_check() || root.is_noisy(best);
        self.forcing_soft_nodes.filter(|_| is_forcing).or(self.soft_nodes)
    }
}
