//! Extensions: singular moves and, near the root, checks.

use super::node::{Node, NodeType, NonPv};
use super::report::Bound;
use super::score::TB_WIN_IN_MAX_PLY;
use super::tunables::Tunables;
use super::worker::Worker;
use crate::board::{Move, Position};

pub enum Singularity {
    /// The TT move is searched deeper by these plies, or less deep.
    Extension(i32),
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
        let (Some(entry), Some(value)) = (node.tt.entry, node.tt.value) else {
            return Singularity::Extension(0);
        };
        if T::ROOT
            || depth < tunables.singular_depth()
            || entry.depth < depth - tunables.singular_tt_depth()
            || entry.bound == Bound::Upper
            || value.abs() >= TB_WIN_IN_MAX_PLY
            || ply >= 2 * self.root_depth as usize
        {
            return Singularity::Extension(0);
        }
        let singular_beta = value - tunables.singular_margin() * depth / 16;
        let half = (depth - 1) / 2;
        self.stack(0).excluded = node.tt_move;
        let score =
            self.search::<NonPv>(position, singular_beta - 1, singular_beta, half, cut_node);
        self.stack(0).excluded = None;
        self.stack(1).cutoff_count = 0;
        if score < singular_beta {
            let double = !T::PV && score < singular_beta - tunables.double_extension_margin();
            Singularity::Extension(1 + i32::from(double))
        } else if singular_beta >= beta {
            Singularity::MultiCut(singular_beta)
        } else if value >= beta {
            Singularity::Extension(-tunables.multi_cut_reduction())
        } else if cut_node {
            Singularity::Extension(-tunables.cut_node_reduction())
        } else {
            Singularity::Extension(0)
        }
    }
}

impl Node<'_> {
    /// Check extensions: near the root, for checks that lose nothing and for those with a single
    /// reply. Farther away they cost too much.
    pub fn extends_check(&self, tunables: Tunables, mv: Move, next: &Position) -> bool {
        self.depth >= tunables.check_extension_depth()
            && (self.ply < tunables.check_extension_ply() as usize && self.position.see_ge(mv, 0)
                || self.ply < tunables.one_reply_extension_ply() as usize
                    && next.legal_moves().len() == 1)
    }
}
