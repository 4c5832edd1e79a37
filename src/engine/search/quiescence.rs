//! Quiescence search: resolves captures, so that no position is evaluated in the middle of an exchange.

use super::alpha_beta::NodeType;
use super::move_picker::MovePicker;
use super::report::{Bound, DRAW, INFINITE, MATE, MATE_IN_MAX_PLY, MAX_PLY, TB_WIN_IN_MAX_PLY};
use super::sight::Vision;
use super::tt::{TtEntry, value_to_tt};
use super::worker::Worker;
use crate::board::{Move, see_value};

impl<V: Vision> Worker<'_, V> {
    /// The score of the current node after captures. Outside the window it is only a bound.
    pub fn quiescence<T: NodeType>(&mut self, mut alpha: i32, beta: i32) -> i32 {
        let (tunables, ply) = (self.tunables, self.stack.ply());
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(T::PV || alpha + 1 == beta);
        debug_assert!(0 < ply && ply <= MAX_PLY && !T::ROOT);
        if T::PV {
            self.begin_pv();
        }
        if self.stops() || self.is_draw() {
            return self.draw_score();
        }
        // Upcoming repetition
        if alpha < DRAW && self.has_upcoming_repetition() {
            alpha = self.draw_score();
            if alpha >= beta {
                return alpha;
            }
        }
        let position = self.stack[0].position;
        let in_check = self.stack[0].in_check;
        if ply >= MAX_PLY {
            return if in_check { self.draw_score() } else { self.raw_eval() };
        }

        // Transposition table cutoff
        let correction = self.history.correction(self.stack);
        let entry = self.shared.tt.probe(position.key());
        let tt_value = entry.and_then(|entry| entry.value_at(ply, position.halfmoves()));
        let tt_pv = T::PV || entry.is_some_and(|entry| entry.was_pv);
        if !T::PV
            && let Some((value, bound)) = tt_value
            && bound.cuts_off(value, alpha, beta)
        {
            return value;
        }
        // Searches a known mate to its end, so that the PV contains it.
        if T::PV && tt_value.is_some_and(|(value, _)| value.abs() >= MATE_IN_MAX_PLY) {
            return self.search::<T>(alpha, beta, 1, false);
        }

        // Static evaluation
        let (mut raw_eval, mut refined) = (0, 0);
        let mut best = ply as i32 - MATE;
        self.stack[0].static_eval = None;
        if !in_check {
            raw_eval = entry.map_or_else(|| self.raw_eval(), |entry| entry.raw_eval);
            let eval = self.static_eval(raw_eval, correction);
            self.stack[0].static_eval = Some(eval);
            refined = match tt_value {
                Some((value, bound)) if bound.refines(value, eval) => value,
                _ => eval,
            };
            best = refined;
        }

        // Stand pat
        if best >= beta {
            best = blend(best, beta);
            if entry.is_none() {
                let bound = Some(Bound::Lower);
                let value = value_to_tt(best, ply);
                let entry = TtEntry { value, depth: 0, bound, ..TtEntry::of_eval(raw_eval, tt_pv) };
                self.shared.tt.store(position.key(), entry);
            }
            return best;
        }
        alpha = alpha.max(best);
        let futility_base = if in_check { -INFINITE } else { refined + tunables.qs_futility() };

        let node = &self.stack[0];
        let is_usable = |mv: &Move| node.is_legal(*mv) && (in_check || position.is_noisy(*mv));
        let tt_move = entry.map(|entry| entry.mv).filter(is_usable);
        self.prefetch(&position, tt_move);
        let mut picker = if in_check {
            MovePicker::all(tt_move, tunables)
        } else {
            MovePicker::noisy(tt_move, tunables.qs_good_see(), tunables)
        };
        let mut best_move = None;
        let mut move_count = 0;
        while let Some(mv) = picker.next(self.history, self.stack, &self.vision, || false) {
            move_count += 1;
            if best > -TB_WIN_IN_MAX_PLY {
                if in_check {
                    // A single quiet evasion is enough.
                    picker.skip_quiets();
                    if !position.is_noisy(mv) {
                        continue;
                    }
                } else {
                    let is_spared = || {
                        self.stack[-1].moved.piece_to.goes_to(mv.to())
                            || self.stack[0].gives_check(mv)
                    };
                    // Late move pruning, except for checks and recaptures
                    if move_count > tunables.qs_moves() && !is_spared() {
                        continue;
                    }
                    // Futility pruning, also called delta pruning, of other captures that win nothing
                    let victim = position.captured(mv).map_or(0, |p| see_value(p.kind()));
                    let futility = futility_base + victim;
                    if futility <= alpha
                        && mv.promoted().is_none()
                        && !self.stack[0].see_ge(mv, 1)
                        && !is_spared()
                    {
                        best = best.max(futility);
                        continue;
                    }
                    // SEE pruning: the exchange must make up for part of the deficit
                    let history = self.history.capture(self.stack[0].noisy_place(mv));
                    let least = (alpha - refined) / tunables.qs_see_gap_divisor()
                        + tunables.qs_see()
                        - correction.abs() * tunables.qs_see_correction() / 1024
                        - history / tunables.qs_see_history_divisor();
                    if !self.stack[0].see_ge(mv, least) {
                        continue;
                    }
                }
            }
            self.make_move(mv, self.stack[0].moved(mv).untaught());
            let score = -self.quiescence::<T>(-beta, -alpha);
            self.unmake_move();
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
                let place = self.stack[0].noisy_place(mv);
                self.history.give_capture(place, tunables.qs_capture_bonus());
            }
            best = blend(best, beta);
        }
        let entry = TtEntry {
            mv: best_move.unwrap_or(Move::NONE),
            value: value_to_tt(best, ply),
            raw_eval,
            depth: 0,
            bound: Some(if best >= beta { Bound::Lower } else { Bound::Upper }),
            was_pv: tt_pv,
        };
        self.shared.tt.store(position.key(), entry);
        best
    }
}

/// Fail-high blending: a score far above beta is not trusted.
fn blend(score: i32, beta: i32) -> i32 {
    let is_proven = score.abs() >= TB_WIN_IN_MAX_PLY || beta.abs() >= TB_WIN_IN_MAX_PLY;
    if is_proven { score } else { (score + beta) / 2 }
}
