//! The search above the quiescence search: principal variation search.

use super::late::{Candidate, Outset, Prospect};
use super::picker::Picker;
use super::pruning::Question;
use super::report::{Bound, Event};
use super::score::{DRAW, INFINITE, MATE, MAX_PLY, TB_WIN_IN_MAX_PLY};
use super::singular::Standing;
use super::table::{Stored, from_table, to_table};
use super::tree::{Ply, Tree};
use super::tuning::*;
use crate::board::{Move, MoveList, Position};

/// What a node is for. Only at the root and on the principal variation can a score lie between the
/// bounds; at all others it is asked which side of one number it is on.
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

/// From here on a score of the table may be a win that the fifty-move rule spoils.
const STALE_HALFMOVES: u16 = 90;

impl Tree<'_> {
    /// The score of a position for the side to move, as far as it lies between alpha and beta.
    /// `cut` says that the node is expected to be refuted.
    pub fn node<T: NodeType>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> i32 {
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiescence::<T>(position, alpha, beta, ply);
        }
        if T::PV {
            self.lines[ply].clear();
            self.deepest = self.deepest.max(ply);
        }
        if self.is_stopped() {
            return DRAW;
        }
        if !T::ROOT {
            if self.is_draw(position, ply) {
                return self.draw();
            }
            if alpha < DRAW && self.can_repeat(position, ply) {
                alpha = self.draw();
                if alpha >= beta {
                    return alpha;
                }
            }
            // No line from here is better than a mate at once, nor worse than being mated now.
            alpha = alpha.max(ply as i32 - MATE);
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        let in_check = self.ply(ply).in_check;
        let correction = self.correction(position, ply);
        let without = self.ply(ply).without;
        let stored = self.search.table.probe(position.key()).filter(|_| without.is_none());
        let table_move = if T::ROOT {
            Some(self.roots[self.pv_index].mv)
        } else {
            stored.map(|stored| stored.mv).filter(|&mv| position.is_legal(mv))
        };
        let table_value =
            stored.and_then(|stored| from_table(stored.value, ply, position.halfmoves()));
        if !T::PV
            && let (Some(stored), Some(value)) = (stored, table_value)
            && stored.depth >= depth
            && stored.bound.allows(value, alpha, beta)
            && position.halfmoves() < STALE_HALFMOVES
        {
            return value;
        }

        let (mut floor, mut ceiling) = (-INFINITE, INFINITE);
        if self.probed_pieces > 0
            && !T::ROOT
            && let Some((value, bound)) = self.look_up(position, depth, ply)
        {
            if bound.allows(value, alpha, beta) {
                return value;
            }
            match bound {
                Bound::Upper => ceiling = value,
                Bound::Lower | Bound::Exact => floor = value,
            }
        }

        let estimate = self.estimate(position, stored, table_value, ply, correction, in_check);
        if !T::PV
            && without.is_none()
            && let Some(estimate) = estimate
            && let Some(score) = self.prune(position, Question { beta, depth, ply, cut }, estimate)
        {
            return score;
        }
        if (T::PV || cut) && depth >= INTERNAL_DEPTH && table_move.is_none() {
            depth -= 1;
        }

        let improving = self.is_improving(ply);
        let table_noisy = table_move.is_some_and(|mv| position.is_noisy(mv));
        let outset = Outset { depth, ply, cut, in_check, improving, estimate, table_noisy };
        let first_alpha = alpha;
        alpha = alpha.max(floor);
        let mut best = floor;
        let mut best_move = None;
        let (mut quiets, mut noisies) = (MoveList::new(), MoveList::new());
        let mut tried = 0;
        let context = std::cell::OnceCell::new();
        let mut picker = Picker::all(table_move);
        self.ply(ply + 1).cuts = 0;
        loop {
            let picked = picker.pick(position, self.history, || {
                let unseen = !T::ROOT
                    && best > -TB_WIN_IN_MAX_PLY
                    && outset.leaves_out_quiet(tried + 1, alpha);
                (!unseen).then(|| *context.get_or_init(|| self.context(position, ply)))
            });
            let Some((mv, history)) = picked else { break };
            if Some(mv) == without || T::ROOT && !self.is_root_move(mv) {
                continue;
            }
            self.search.table.prefetch(position.likely_key_after(mv));
            let quiet = !position.is_noisy(mv);
            tried += 1;
            let candidate = Candidate::new(mv, history, quiet, tried, depth);
            if !T::ROOT && best > -TB_WIN_IN_MAX_PLY {
                match outset.prospect(position, &candidate, alpha) {
                    Prospect::Fair => {}
                    Prospect::Poor => continue,
                    Prospect::PoorUnlessCheck => {
                        picker.skip_quiet_but_checks(position);
                        continue;
                    }
                }
            }

            let mut full = depth - 1;
            if Some(mv) == table_move
                && let (Some(stored), Some(value)) = (stored, table_value)
            {
                let question = Question { beta, depth, ply, cut };
                let standing = self.standing::<T>(position, question, stored, value);
                if self.is_stopped() {
                    return DRAW;
                }
                match standing {
                    Standing::Extension(plies) => full += plies,
                    Standing::OneOfMany(value) => return value,
                }
            }

            let nodes_before = self.nodes();
            if T::ROOT && self.is_talkative() {
                let event = Event::Current {
                    depth: depth as u32,
                    mv,
                    number: self.pv_index + tried as usize,
                };
                (self.tell)(event);
            }
            let next = position.after(mv);
            self.enter(position, mv, &next, ply);
            let Ply { in_check: checks, cuts, .. } = *self.ply(ply + 1);
            if full == depth - 1 && checks && outset.is_forcing(position, mv, &next) {
                full += 1;
            }
            let mut value = -INFINITE;
            if depth >= 2 && tried > 1 + i32::from(T::ROOT) {
                let less = outset.reduction(&candidate, checks, T::PV, cuts);
                let reduced = (full - less).clamp(1.min(full), full);
                value = -self.node::<NonPv>(&next, -alpha - 1, -alpha, reduced, ply + 1, true);
                if value > alpha && reduced < full {
                    let deeper = i32::from(value > best + DEEPER && best > -TB_WIN_IN_MAX_PLY);
                    let shallower = i32::from(value < best + full);
                    let again = full + deeper - shallower;
                    if again > reduced {
                        value =
                            -self.node::<NonPv>(&next, -alpha - 1, -alpha, again, ply + 1, !cut);
                    }
                }
            } else if !T::PV || tried > 1 {
                value = -self.node::<NonPv>(&next, -alpha - 1, -alpha, full, ply + 1, !cut);
            }
            if T::PV && (tried == 1 || value > alpha) {
                value = -self.node::<Pv>(&next, -beta, -alpha, full, ply + 1, false);
            }
            self.leave();
            if self.is_stopped() {
                return DRAW;
            }
            if T::ROOT {
                let nodes = self.nodes() - nodes_before;
                self.update_root(mv, value, nodes, tried == 1 || value > alpha);
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
                    self.ply(ply).cuts += 1;
                    break;
                }
            }
            if Some(mv) != best_move {
                let tried = if quiet { &mut quiets } else { &mut noisies };
                tried.push(mv);
            }
        }
        if tried == 0 {
            return match without {
                Some(_) => alpha,
                None if in_check => ply as i32 - MATE,
                None => DRAW,
            };
        }

        best = best.min(ceiling);
        if let Some(mv) = best_move
            && best >= beta
        {
            if !position.is_noisy(mv) {
                let context = context.get_or_init(|| self.context(position, ply));
                self.history.reward_quiet(context, depth, mv, &quiets);
            }
            self.history.reward_noisy(position, depth, mv, &noisies);
            // A result that is far above beta says less the shallower it is.
            if best < TB_WIN_IN_MAX_PLY
                && best > -TB_WIN_IN_MAX_PLY
                && beta.abs() < TB_WIN_IN_MAX_PLY
            {
                best = (best * depth + beta) / (depth + 1);
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if without.is_none() && !(T::ROOT && self.pv_index > 0) {
            if let Some(estimate) = estimate
                && best_move.is_none_or(|mv| !position.is_noisy(mv))
                && best.abs() < TB_WIN_IN_MAX_PLY
                && bound.tells_more_than(best, estimate.evaluation)
            {
                let last = self.last_moves(ply);
                self.history.correct(position, last, depth, best - estimate.evaluation);
            }
            let mv = best_move.or(table_move.filter(|_| !T::ROOT)).unwrap_or(Move::NONE);
            let value = to_table(best, ply);
            let evaluation = estimate.map_or(0, |estimate| estimate.plain);
            self.search.table.store(position.key(), Stored { mv, value, evaluation, depth, bound });
        }
        best
    }

    /// Whether the side to move stands better than at its last move or the one before.
    fn is_improving(&self, ply: usize) -> bool {
        match (self.evaluation(ply, 0), self.evaluation(ply, 2), self.evaluation(ply, 4)) {
            (Some(now), Some(before), _) | (Some(now), None, Some(before)) => now > before,
            (Some(_), None, None) => true,
            (None, ..) => false,
        }
    }
}
