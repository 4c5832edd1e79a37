//! Extensions: singular moves and, near the root, checks.

use super::node::{Node, NodeType, NonPv};
use super::report::{Bound, TB_WIN_IN_MAX_PLY};
use super::tunables::Tunables;
use super::worker::Worker;
use crate::board::{Move, Position};

pub enum Singularity {
    /// Not asked.
    Unknown,
    /// The TT move is searched deeper by these plies, or less deep; the others reach this score.
    Extension { plies: i32, score: i32 },
    /// Another move beats the TT's value: the TT move is none.
    Refuted,
    /// Multi-cut: other moves reach beta as well, and the node fails high with this score.
    MultiCut(i32),
}

impl Worker<'_> {
    /// Singular extensions: searches the node without its TT move, if the table says that the move
    /// fails high or is best, to see whether it stands out among all moves.
    #[inline(always)]
    pub fn singularity<T: NodeType>(&mut self, node: &Node) -> Singularity {
        let &Node { position, ply, depth, beta, cut_node, .. } = node;
        let tunables = self.tunables;
        let Some((value, bound)) = node.singular_value(tunables) else {
            return Singularity::Unknown;
        };
        if T::ROOT
            || node.tt_move.is_none()
            || self.stack(0).excluded.is_some()
            || ply >= 2 * self.root_depth as usize
        {
            return Singularity::Unknown;
        }
        let mut factor = match bound {
            Bound::Exact => tunables.singular_margin_exact(),
            _ => tunables.singular_margin(),
        };
        if node.tt_pv && !T::PV {
            factor += tunables.singular_margin_tt_pv();
        }
        let singular_beta = value - factor * depth / 16;
        let half = (depth - 1) / 2;
        self.stack_mut(0).excluded = node.tt_move;
        let score =
            self.search::<NonPv>(position, singular_beta - 1, singular_beta, half, cut_node);
        let entry = self.stack_mut(0);
        (entry.excluded, entry.tt_pv) = (None, node.tt_pv);
        let plies = if score < singular_beta {
            let margin_of_node = i32::from(T::PV) * tunables.double_extension_pv()
                - i32::from(!node.tt_move_is_noisy) * tunables.double_extension_quiet()
                - node.eval.correction.abs() * tunables.double_extension_correction() / 1024;
            // A limit for each line, or some endgames are extended without end.
            let may_double = self.stack(-1).double_extensions < tunables.double_extension_limit();
            let stands_out = |margin| may_double && score < singular_beta - margin_of_node - margin;
            let double = stands_out(tunables.double_extension_margin());
            let triple = stands_out(tunables.triple_extension_margin());
            1 + i32::from(double) + i32::from(triple)
        } else if score >= beta && score.abs() < TB_WIN_IN_MAX_PLY {
            return Singularity::MultiCut((score + beta) / 2);
        } else if score > value {
            return Singularity::Refuted;
        } else if value >= beta {
            -tunables.multi_cut_reduction()
        } else if cut_node {
            -tunables.cut_node_reduction()
        } else {
            0
        };
        Singularity::Extension { plies, score }
    }
}

impl Node<'_> {
    /// The TT's value, if it is of a search deep enough to ask whether its move is singular.
    #[inline(always)]
    pub fn singular_value(&self, tunables: Tunables) -> Option<(i32, Bound)> {
        let is_deep = self.depth >= tunables.singular_depth() + i32::from(self.tt_pv)
            && self.tt.depth() >= self.depth - tunables.singular_tt_depth();
        self.tt.value.filter(|&(value, bound)| {
            is_deep && bound != Bound::Upper && value.abs() < TB_WIN_IN_MAX_PLY
        })
    }

    /// Whether the first move of a node too shallow for singular extensions is extended: where a
    /// fail high is expected and the evaluation does not tell why, the move is what all hangs on.
    #[inline(always)]
    pub fn extends_first_move(&self, tunables: Tunables) -> bool {
        self.cut_node
            && !self.in_check
            && self.depth <= tunables.first_move_depth()
            && self.eval.refined <= self.original_alpha - tunables.first_move_margin()
    }

    /// Check extensions: near the root, for checks that lose nothing and for those with a single
    /// reply. Farther away they cost too much.
    pub fn extends_check(&self, tunables: Tunables, mv: Move, next: &Position) -> bool {
        self.depth >= tunables.check_extension_depth()
            && (self.ply < tunables.check_extension_ply() as usize && self.position.see_ge(mv, 0)
                || self.ply < tunables.one_reply_extension_ply() as usize
                    && next.legal_moves().len() == 1)
    }
}
