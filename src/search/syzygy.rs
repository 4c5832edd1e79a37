//! Syzygy WDL probes inside the tree.

use super::report::{Bound, DRAW, DRAW_SPREAD, TB_WIN};
use super::root::SyzygyOptions;
use super::tt::{TtEntry, value_to_tt};
use super::worker::Worker;
use crate::board::{Move, Position};

/// A probe's result enters the transposition table as from a search deeper by this.
const DEPTH_BONUS: i32 = 6;

impl Worker<'_> {
    /// What the tables say a node is worth. Wins may be worth more: there may be a mate. Only
    /// positions after a zeroing move are probed: WDL tables know nothing of the fifty-move counter.
    #[cold]
    pub fn probe_wdl(&mut self, position: &Position, depth: i32) -> Option<(i32, Bound)> {
        let SyzygyOptions { tablebase, min_depth, fifty_moves, .. } = &self.shared.task.syzygy;
        if position.halfmoves() > 0
            || position.occupied().len() > self.probed_pieces
            || depth < *min_depth
            || self.stack(-1).moved.is_null()
            || self.stack(0).excluded.is_some()
        {
            return None;
        }
        let wdl = i32::from(tablebase.as_deref()?.probe_wdl(position)?);
        self.count_tb_hit();
        let ply = self.ply;
        let decisive = if *fifty_moves { 2 } else { 1 };
        let (value, bound) = if wdl >= decisive {
            (TB_WIN - ply as i32, Bound::Lower)
        } else if wdl <= -decisive {
            (ply as i32 - TB_WIN, Bound::Upper)
        } else {
            (DRAW + 2 * DRAW_SPREAD * wdl, Bound::Exact)
        };
        let entry = TtEntry {
            mv: Move::NONE,
            value: value_to_tt(value, ply),
            raw_eval: if position.in_check() { 0 } else { self.raw_eval(position) },
            depth: depth + DEPTH_BONUS,
            bound: Some(bound),
            was_pv: false,
        };
        self.shared.tt.store(position.key(), entry);
        Some((value, bound))
    }
}
