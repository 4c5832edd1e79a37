//! Quiescence search: captures to the end, so that no position is evaluated amid an exchange.

use super::history::MadeMove;
use super::move_picker::MovePicker;
use super::node::NodeType;
use super::report::{Bound, DRAW, INFINITE, MATE, MATE_IN_MAX_PLY, MAX_PLY, TB_WIN_IN_MAX_PLY};
use super::tt::{TtEntry, value_to_tt};
use super::worker::Worker;
use crate::board::{Move, Position, see_value};

impl Worker<'_> {
    pub fn quiescence<T: NodeType>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        let ply = self.ply;
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(T::PV || alpha + 1 == beta);
        debug_assert!(0 < ply && ply <= MAX_PLY && !T::ROOT);
        if T::PV {
            self.begin_pv();
        }
        if self.is_stopped() || self.is_draw(position) {
            return self.draw_score();
        }
        // Upcoming repetition
        if alpha < DRAW && self.has_upcoming_repetition(position) {
            alpha = self.draw_score();
            if alpha >= beta {
                return alpha;
            }
        }
        let in_check = self.stack(0).in_check;
        if ply >= MAX_PLY {
            return if in_check { self.draw_score() } else { self.raw_eval(position) };
        }

        // Transposition table cutoff
        let correction = self.correction(position);
        let tt = self.probe_tt(position);
        if !T::PV
            && let Some(value) = tt.cutoff(alpha, beta)
        {
            return value;
        }
        // A known mate is followed to its end: the PV is to show it.
        if T::PV && tt.value.is_some_and(|(value, _)| value.abs() >= MATE_IN_MAX_PLY) {
            return self.search::<T>(position, alpha, beta, 1, false);
        }

        // Stand pat
        let eval = self.evaluate(position, &tt, correction);
        let tt_pv = T::PV || tt.was_pv();
        let mut best = if in_check { ply as i32 - MATE } else { eval.refined };
        if best >= beta {
            best = blend(best, beta);
            if tt.entry.is_none() {
                let bound = Some(Bound::Lower);
                let value = value_to_tt(best, ply);
                let entry = TtEntry { value, depth: 0, bound, ..TtEntry::of_eval(eval.raw, tt_pv) };
                self.shared.tt.store(position.key(), entry);
            }
            return best;
        }
        alpha = alpha.max(best);
        let futility_base =
            if in_check { -INFINITE } else { eval.refined + self.tunables.qs_futility() };

        let usable = |mv: &Move| position.is_legal(*mv) && (in_check || position.is_noisy(*mv));
        let tt_move = tt.entry.map(|entry| entry.mv).filter(usable);
        self.prefetch(position, tt_move);
        let mut picker = if in_check {
            MovePicker::all(tt_move, self.tunables)
        } else {
            MovePicker::noisy(tt_move, self.tunables.qs_good_see(), self.tunables)
        };
        let context = self.move_context(position);
        let mut best_move = None;
        let mut move_count = 0;
        while let Some(mv) = picker.next(self.history, &context, || false) {
            move_count += 1;
            if best > -TB_WIN_IN_MAX_PLY {
                if in_check {
                    // One quiet evasion is enough.
                    picker.skip_quiets();
                } else {
                    let is_spared = || {
                        self.stack(-1).moved.piece_to().goes_to(mv.to()) || position.gives_check(mv)
                    };
                    // Late move pruning: checks and recaptures are kept
                    if move_count > self.tunables.qs_moves() && !is_spared() {
                        continue;
                    }
                    // Futility pruning, also called delta pruning: for other captures that win nothing
                    let victim = position.captured(mv).map_or(0, |p| see_value(p.kind()));
                    let futility = futility_base + victim;
                    if futility <= alpha
                        && mv.promoted().is_none()
                        && !position.see_ge(mv, 1)
                        && !is_spared()
                    {
                        best = best.max(futility);
                        continue;
                    }
                    // SEE pruning: the exchange must make up for some of what is lacking
                    let least = (alpha - eval.refined) / self.tunables.qs_see_gap_divisor()
                        + self.tunables.qs_see()
                        - correction.abs() * self.tunables.qs_see_correction() / 1024
                        - self.history.capture(context.capture_index(mv))
                            / self.tunables.qs_see_history_divisor();
                    if !position.see_ge(mv, least) {
                        continue;
                    }
                }
            }
            self.prefetch(position, picker.upcoming());
            let next = position.after(mv);
            self.push_move(MadeMove::new(position, mv, None), &next);
            let score = -self.quiescence::<T>(&next, -beta, -alpha);
            self.pop_move();
            if self.is_stopped() {
                return self.draw_score();
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if T::PV {
                        self.update_pv(mv);
                    }
                }
                if score >= beta {
                    break;
                }
            }
        }

        if best >= beta {
            if let Some(mv) = best_move.filter(|&mv| position.is_noisy(mv)) {
                let bonus = self.tunables.qs_capture_bonus();
                self.history.update_capture(context.capture_index(mv), bonus);
            }
            best = blend(best, beta);
        }
        let entry = TtEntry {
            mv: best_move.unwrap_or(Move::NONE),
            value: value_to_tt(best, ply),
            raw_eval: eval.raw,
            depth: 0,
            bound: Some(if best >= beta { Bound::Lower } else { Bound::Upper }),
            was_pv: tt_pv,
        };
        self.shared.tt.store(position.key(), entry);
        best
    }
}

/// Fail-high blending: a score far above beta is not to be trusted.
fn blend(score: i32, beta: i32) -> i32 {
    let is_proven = score.abs() >= TB_WIN_IN_MAX_PLY || beta.abs() >= TB_WIN_IN_MAX_PLY;
    if is_proven { score } else { (score + beta) / 2 }
}
