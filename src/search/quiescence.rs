//! Captures to the end, so that no position is judged in the middle of an exchange.

use super::picker::Picker;
use super::score::{DRAW, INFINITE, MATE, MAX_PLY};
use super::tree::Tree;
use crate::board::{Position, Stage};
use crate::eval::evaluate;

impl Tree<'_> {
    pub fn quiescence(
        &mut self,
        position: &Position,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        self.lines[ply].clear();
        self.deepest = self.deepest.max(ply);
        if self.is_stopped() || self.is_draw(position, ply) {
            return DRAW;
        }
        if ply >= MAX_PLY {
            return evaluate(position);
        }
        let in_check = position.in_check();
        let mut best = if in_check { ply as i32 - MATE } else { evaluate(position) };
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);

        let stage = if in_check { Stage::All } else { Stage::Noisy };
        let mut picker = Picker::new(position, stage, None, self.history, ply);
        while let Some(mv) = picker.pick() {
            if !in_check && !position.exchange_reaches(mv, 0) {
                continue;
            }
            let next = position.after(mv);
            self.enter(&next);
            let value = -self.quiescence(&next, -beta, -alpha, ply + 1);
            self.leave();
            if self.is_stopped() {
                return best.max(-INFINITE);
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    self.set_line(ply, mv);
                }
                if value >= beta {
                    break;
                }
            }
        }
        best
    }
}
