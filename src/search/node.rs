//! A node of the tree: what is known of it before its moves are searched.

use super::tt::TtEntry;
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
    pub alpha: i32,
    pub beta: i32,
    /// A fail high is expected.
    pub cut_node: bool,
    pub in_check: bool,
    /// Whether the static evaluation rose since the side's last move.
    pub improving: bool,
    pub tt: Tt,
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
    /// The entry's value at this ply, unless the fifty-move rule may spoil it.
    pub value: Option<i32>,
}

/// What a node is worth before it is searched; in check nothing is known, and none of these is read.
#[derive(Clone, Copy, Default)]
pub struct Eval {
    /// As the network says, and as the transposition table keeps it.
    pub raw: i32,
    /// With the correction histories.
    pub corrected: i32,
    /// The static evaluation, or the TT value where its bound says more.
    pub refined: i32,
}
