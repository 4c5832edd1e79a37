//! Syzygy probes inside the tree.

use super::ply::Ply;
use super::report::{Bound, DRAW, DRAW_SPREAD, TB_WIN};
use super::root::SyzygyOptions;
use super::sight::Vision;
use super::tt::{TtEntry, value_to_tt};
use super::worker::Worker;
use crate::board::Move;

/// The transposition table keeps the result of a probe as if a search this much deeper had found it.
const DEPTH_BONUS: i32 = 6;

impl<V: Vision> Worker<'_, V> {
    /// The value of the current node by the WDL tables. A won position may still hold a mate, so a win is only a
    /// lower bound. WDL tables ignore the fifty-move counter, so only positions after a zeroing move are probed.
    #[cold]
    pub fn probe_wdl(&mut self, depth: i32) -> Option<(i32, Bound)> {
        let SyzygyOptions { tablebase, min_depth, fifty_moves, .. } = &self.shared.task.syzygy;
        let Ply { position, in_check, excluded, .. } = self.stack[0];
        if position.halfmoves() > 0
            || position.occupied().len() > self.probed_pieces
            || depth < *min_depth
            || self.stack[-1].moved.is_null()
            || excluded.is_some()
        {
            return None;
        }
        let wdl = i32::from(tablebase.as_deref()?.probe_wdl(&position)?);
        self.count_tb_hit();
        let ply = self.stack.ply();
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
            raw_eval: if in_check { 0 } else { self.raw_eval() },
            depth: depth + DEPTH_BONUS,
            bound: Some(bound),
            was_pv: false,
        };
        self.shared.tt.store(position.key(), entry);
        Some((value, bound))
    }
}
