//! A node of the tree: what is known of it before its moves are searched.

use super::report::Bound;
use super::tt::{NO_DEPTH, TtEntry};
use crate::board::{Move, Position};

/// The kinds of node. On the principal variation a score can lie between the bounds; elsewhere the
/// window is null, and the question is only on which side of it the score lies.
pub trait NodeType {
    const ROOT: bool;
    const PV: bool;
}

pub struct Root;
pub struct Pv;
pub struct NonPv;

impl NodeType for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl NodeType for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl NodeType for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
}

pub struct Node<'a> {
    pub position: &'a Position,
    pub ply: usize,
    pub depth: i32,
    /// Alpha before any move was searched.
    pub original_alpha: i32,
    pub beta: i32,
    /// A fail high is expected.
    pub cut_node: bool,
    /// The width of the root's window.
    pub root_delta: i32,
    pub in_check: bool,
    /// How far the static evaluation rose since the side's last move.
    pub improvement: i32,
    /// Whether it rose, or at a node whose moves are searched, reaches beta.
    pub improving: bool,
    pub tt: Tt,
    /// Whether the node is on the principal variation, or was when the table saw it.
    pub tt_pv: bool,
    /// The entry's move, if it is legal; at the root the best move so far.
    pub tt_move: Option<Move>,
    /// Whether that move captures or promotes.
    pub tt_move_is_noisy: bool,
    pub eval: Eval,
}

/// What the transposition table says of a node.
#[derive(Clone, Copy, Default)]
pub struct Tt {
    pub entry: Option<TtEntry>,
    /// The entry's value at this ply and its bound, unless the fifty-move rule may spoil it.
    pub value: Option<(i32, Bound)>,
}

impl Tt {
    pub fn depth(&self) -> i32 {
        self.entry.map_or(NO_DEPTH, |entry| entry.depth)
    }

    pub fn was_pv(&self) -> bool {
        self.entry.is_some_and(|entry| entry.was_pv)
    }

    /// The value, if its bound settles a node with this window.
    #[inline(always)]
    pub fn cutoff(&self, alpha: i32, beta: i32) -> Option<i32> {
        let (value, bound) = self.value?;
        bound.cuts_off(value, alpha, beta).then_some(value)
    }

    /// The value, if its bound is none or that the node is worth at least so much.
    pub fn value_at_least(&self) -> Option<i32> {
        self.value.filter(|(_, bound)| *bound != Bound::Upper).map(|(value, _)| value)
    }
}

/// What a node is worth before it is searched; in check nothing but the correction is known.
#[derive(Clone, Copy, Default)]
pub struct Eval {
    /// As the network says, and as the transposition table keeps it.
    pub raw: i32,
    /// What the correction histories add.
    pub correction: i32,
    /// The static evaluation: with the correction.
    pub corrected: i32,
    /// The static evaluation, or the TT value where its bound says more.
    pub refined: i32,
}
