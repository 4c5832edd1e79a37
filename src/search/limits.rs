//! What ends a search.

use std::time::Duration;

use crate::board::Move;

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
    /// A mate in this many moves is found.
    pub mate: Option<u32>,
    pub move_time: Option<Duration>,
    pub time: Option<Time>,
    /// The root moves to search; none means all.
    pub moves: Vec<Move>,
}
