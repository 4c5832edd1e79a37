//! Whether the table's move is the only good one, and how deep it deserves to be looked at.

use super::node::{NodeType, NonPv};
use super::pruning::Question;
use super::report::Bound;
use super::score::TB_WIN_IN_MAX_PLY;
use super::table::Stored;
use super::tree::Tree;
use super::tuning::{SINGULAR_DEPTH, SINGULAR_TWICE};
use crate::board::Position;

pub enum Standing {
    /// The move deserves so many plies more, or less.
    Extension(i32),
    /// Other moves reach beta as well: the node is worth this.
    OneOfMany(i32),
}

impl Tree<'_> {
    /// Looks what the other moves of a node are worth, if the table's move seems good enough to
    /// ask. `value` is the table's for the node.
    pub fn standing<T: NodeType>(
        &mut self,
        position: &Position,
        question: Question,
        stored: Stored,
        value: i32,
    ) -> Standing {
        let Question { beta, depth, ply, cut } = question;
        if T::ROOT
            || depth < SINGULAR_DEPTH
            || stored.depth < depth - 3
            || stored.bound == Bound::Upper
            || value.abs() >= TB_WIN_IN_MAX_PLY
            || ply >= 2 * self.depth as usize
        {
            return Standing::Extension(0);
        }
        let others = value - depth;
        self.ply(ply).without = Some(stored.mv);
        let score = self.node::<NonPv>(position, others - 1, others, (depth - 1) / 2, ply, cut);
        self.ply(ply).without = None;
        self.ply(ply + 1).cuts = 0;
        if score < others {
            let twice = !T::PV && score < others - SINGULAR_TWICE;
            Standing::Extension(1 + i32::from(twice))
        } else if others >= beta {
            Standing::OneOfMany(others)
        } else if value >= beta {
            Standing::Extension(-2)
        } else {
            Standing::Extension(-i32::from(cut))
        }
    }
}
