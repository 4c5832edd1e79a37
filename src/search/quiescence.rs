//! Captures to the end, so that no position is judged in the middle of an exchange.

use super::node::NodeType;
use super::picker::Picker;
use super::report::Bound;
use super::score::{DRAW, INFINITE, MATE, MATE_IN_MAX_PLY, MAX_PLY, TB_WIN_IN_MAX_PLY};
use super::table::{Stored, from_table, to_table};
use super::tree::Tree;
use super::tuning::QUIET_FUTILITY;
use crate::board::attacks::see_value;
use crate::board::{Move, Position};

impl Tree<'_> {
    pub fn quiescence<T: NodeType>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        if T::PV {
            self.lines[ply].clear();
            self.deepest = self.deepest.max(ply);
        }
        if self.is_stopped() || self.is_draw(position, ply) {
            return self.draw();
        }
        if alpha < DRAW && self.can_repeat(position, ply) {
            alpha = self.draw();
            if alpha >= beta {
                return alpha;
            }
        }
        let in_check = self.ply(ply).in_check;
        if ply >= MAX_PLY {
            return if in_check { self.draw() } else { self.evaluate(position, ply) };
        }
        let correction = self.correction(position, ply);
        let stored = self.search.table.probe(position.key());
        let table_value =
            stored.and_then(|stored| from_table(stored.value, ply, position.halfmoves()));
        if !T::PV
            && let (Some(stored), Some(value)) = (stored, table_value)
            && stored.bound.allows(value, alpha, beta)
        {
            return value;
        }
        // A mate that is known is followed to its end, which the line is to show.
        if T::PV && table_value.is_some_and(|value| value.abs() >= MATE_IN_MAX_PLY) {
            return self.node::<T>(position, alpha, beta, 1, ply, false);
        }

        let estimate = self.estimate(position, stored, table_value, ply, correction, in_check);
        let mut best = estimate.map_or(ply as i32 - MATE, |estimate| estimate.value);
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let futile = estimate.map_or(-INFINITE, |estimate| estimate.value + QUIET_FUTILITY);

        let wanted = |mv: &Move| position.is_legal(*mv) && (in_check || position.is_noisy(*mv));
        let table_move = stored.map(|stored| stored.mv).filter(wanted);
        let mut picker =
            if in_check { Picker::all(table_move) } else { Picker::winning(table_move) };
        let mut best_move = None;
        loop {
            let context = || Some(self.context(position, ply));
            let Some((mv, _)) = picker.pick(position, self.history, context) else { break };
            self.search.table.prefetch(position.likely_key_after(mv));
            if best > -TB_WIN_IN_MAX_PLY {
                if in_check {
                    // One quiet way out of the check is enough.
                    picker.skip_quiet();
                } else if mv.promoted().is_none() {
                    let victim = position.captured(mv).map_or(0, |p| see_value(p.kind()));
                    if futile + victim <= alpha && !position.see_ge(mv, 1) {
                        best = best.max(futile + victim);
                        continue;
                    }
                }
            }
            let next = position.after(mv);
            self.enter(position, mv, &next, ply);
            let value = -self.quiescence::<T>(&next, -beta, -alpha, ply + 1);
            self.leave();
            if self.is_stopped() {
                return self.draw();
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(mv);
                    if T::PV {
                        self.set_line(ply, mv);
                    }
                }
                if value >= beta {
                    break;
                }
            }
        }

        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let mv = best_move.unwrap_or(Move::NONE);
        let value = to_table(best, ply);
        let evaluation = estimate.map_or(0, |estimate| estimate.plain);
        self.search.table.store(position.key(), Stored { mv, value, evaluation, depth: 0, bound });
        best
    }
}
