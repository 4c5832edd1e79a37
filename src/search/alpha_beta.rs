//! The search above the quiescence search: principal variation search, fail-soft alpha-beta.

use std::cell::OnceCell;

use super::extensions::Singularity;
use super::history;
use super::lmr::LoopMove;
use super::move_picker::MovePicker;
use super::node::{Node, NodeType, NonPv, Pv, Tt};
use super::pruning::MovePruning;
use super::report::{Bound, Event};
use super::score::{DRAW, INFINITE, MATE, MAX_PLY, TB_WIN_IN_MAX_PLY};
use super::tt::{TtEntry, value_to_tt};
use super::worker::Worker;
use crate::board::{Move, MoveList, Position};

/// From this fifty-move counter on there are no TT cutoffs: the rule may spoil the entry's score.
const TT_CUTOFF_HALFMOVES: u16 = 90;

impl Worker<'_> {
    /// The score of the present position for the side to move, a bound if it is outside the window.
    pub fn search<T: NodeType>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        cut_node: bool,
    ) -> i32 {
        let ply = self.ply;
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiescence::<T>(position, alpha, beta);
        }
        if T::PV {
            self.begin_pv();
        }
        if self.is_stopped() {
            return DRAW;
        }
        if !T::ROOT {
            // Draws
            if self.is_draw(position) {
                return self.draw_score();
            }
            // Upcoming repetition
            if alpha < DRAW && self.has_upcoming_repetition(position) {
                alpha = self.draw_score();
                if alpha >= beta {
                    return alpha;
                }
            }
            // Mate distance pruning: no line is better than a mate at once, or worse than being mated.
            alpha = alpha.max(ply as i32 - MATE);
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        // Transposition table cutoff
        let in_check = self.stack(0).in_check;
        let excluded = self.stack(0).excluded;
        let correction = self.correction(position);
        let tt = if excluded.is_some() { Tt::default() } else { self.probe_tt(position) };
        let tt_move = if T::ROOT {
            Some(self.root_moves[self.pv_index].mv)
        } else {
            tt.entry.map(|entry| entry.mv).filter(|&mv| position.is_legal(mv))
        };
        if !T::PV
            && let (Some(entry), Some(value)) = (tt.entry, tt.value)
            && entry.depth >= depth
            && entry.bound.cuts_off(value, alpha, beta)
            && position.halfmoves() < TT_CUTOFF_HALFMOVES
        {
            return value;
        }
        self.prefetch(position, tt_move);

        // Syzygy WDL probe: cuts off, or bounds the score.
        let (mut floor, mut ceiling) = (-INFINITE, INFINITE);
        if self.probed_pieces > 0
            && !T::ROOT
            && let Some((value, bound)) = self.probe_wdl(position, depth)
        {
            if bound.cuts_off(value, alpha, beta) {
                return value;
            }
            match bound {
                Bound::Upper => ceiling = value,
                Bound::Lower | Bound::Exact => floor = value,
            }
        }

        // Static evaluation
        let eval = self.eval(position, &tt, correction);
        let improving = self.is_improving();
        let mut node = Node {
            position,
            ply,
            depth,
            alpha,
            beta,
            cut_node,
            in_check,
            improving,
            tt,
            tt_move,
            tt_move_is_noisy: tt_move.is_some_and(|mv| position.is_noisy(mv)),
            eval,
        };

        // Razoring, reverse futility pruning, null move pruning
        if !T::PV
            && excluded.is_none()
            && !in_check
            && let Some(score) = self.prune_node(&node)
        {
            return score;
        }

        // Internal iterative reductions
        if (T::PV || cut_node) && depth >= self.tunables.iir_depth() && tt_move.is_none() {
            node.depth -= 1;
        }
        let depth = node.depth;

        let original_alpha = alpha;
        alpha = alpha.max(floor);
        let mut best = floor;
        let mut best_move = None;
        let (mut quiets, mut noisies) = (MoveList::new(), MoveList::new());
        let mut move_count = 0;
        let quiet_context = OnceCell::new();
        let mut picker = MovePicker::all(tt_move, self.tunables);
        self.stack(1).cutoff_count = 0;
        loop {
            let picked = picker.next(position, self.history, || {
                let only_checks = !T::ROOT
                    && best > -TB_WIN_IN_MAX_PLY
                    && node.prunes_quiets(self.tunables, move_count + 1, alpha);
                (!only_checks).then(|| *quiet_context.get_or_init(|| self.quiet_context(position)))
            });
            let Some((mv, history)) = picked else { break };
            if Some(mv) == excluded || T::ROOT && !self.is_root_move(mv) {
                continue;
            }
            self.prefetch(position, Some(mv));
            self.prefetch(position, picker.upcoming());
            move_count += 1;
            let is_quiet = !position.is_noisy(mv);
            let loop_move = LoopMove::new(self.tunables, depth, mv, is_quiet, history, move_count);

            // Late move pruning, futility pruning, history pruning, SEE pruning
            if !T::ROOT && best > -TB_WIN_IN_MAX_PLY {
                match node.prune_move(self.tunables, &loop_move, alpha) {
                    MovePruning::Search => {}
                    MovePruning::Prune => continue,
                    MovePruning::PruneQuiets => {
                        picker.skip_quiets_but_checks(position);
                        continue;
                    }
                }
            }

            // Singular extensions, multi-cut
            let mut new_depth = depth - 1;
            if Some(mv) == tt_move {
                let singularity = self.singularity::<T>(&node);
                if self.is_stopped() {
                    return DRAW;
                }
                match singularity {
                    Singularity::Extension(plies) => new_depth += plies,
                    Singularity::MultiCut(score) => return score,
                }
            }

            if T::ROOT && self.reports_all() {
                let number = self.pv_index + move_count as usize;
                (self.report)(Event::Current { depth: depth as u32, mv, number });
            }
            let nodes_before = self.nodes();
            let next = position.after(mv);
            self.make_move(position, mv, &next);
            let gives_check = self.stack(0).in_check;

            // Check extensions
            if new_depth == depth - 1 && gives_check && node.extends_check(self.tunables, mv, &next)
            {
                new_depth += 1;
            }

            let mut score = -INFINITE;
            if depth >= self.tunables.lmr_depth() && move_count > 1 + i32::from(T::ROOT) {
                // Late move reductions: a reduced null-window search, and if it fails high, one
                // that is not reduced, or deeper or shallower by how well the move did.
                let cutoffs = self.stack(0).cutoff_count;
                let reduction =
                    node.reduction::<T>(self.tunables, &loop_move, gives_check, cutoffs);
                let reduced = (new_depth - reduction).clamp(1.min(new_depth), new_depth);
                score = -self.search::<NonPv>(&next, -alpha - 1, -alpha, reduced, true);
                if score > alpha && reduced < new_depth {
                    let deeper = best > -TB_WIN_IN_MAX_PLY
                        && score > best + self.tunables.lmr_deeper_margin();
                    let shallower = score < best + new_depth;
                    let full = new_depth + i32::from(deeper) - i32::from(shallower);
                    if full > reduced {
                        score = -self.search::<NonPv>(&next, -alpha - 1, -alpha, full, !cut_node);
                    }
                }
            } else if !T::PV || move_count > 1 {
                // Null-window search
                score = -self.search::<NonPv>(&next, -alpha - 1, -alpha, new_depth, !cut_node);
            }
            // Full-window search: the first move of a PV node, and those that beat it.
            if T::PV && (move_count == 1 || score > alpha) {
                score = -self.search::<Pv>(&next, -beta, -alpha, new_depth, false);
            }
            self.unmake_move();
            if self.is_stopped() {
                return DRAW;
            }
            if T::ROOT {
                let nodes = self.nodes() - nodes_before;
                self.update_root_move(mv, score, nodes, move_count == 1 || score > alpha);
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
                    self.stack(0).cutoff_count += 1;
                    break;
                }
            }
            if Some(mv) != best_move {
                let tried = if is_quiet { &mut quiets } else { &mut noisies };
                tried.push(mv);
            }
        }

        // Checkmate and stalemate
        if move_count == 0 {
            return match excluded {
                Some(_) => alpha,
                None if in_check => ply as i32 - MATE,
                None => DRAW,
            };
        }

        best = best.min(ceiling);
        if let Some(mv) = best_move
            && best >= beta
        {
            // History updates
            let bonus = history::bonus(self.tunables, depth);
            if position.is_noisy(mv) {
                self.history.update_capture(position, mv, bonus);
            } else {
                let context = quiet_context.get_or_init(|| self.quiet_context(position));
                self.history.update_quiet(context, mv, bonus);
                for &quiet in &quiets {
                    self.history.update_quiet(context, quiet, -bonus);
                }
            }
            for &noisy in &noisies {
                self.history.update_capture(position, noisy, -bonus);
            }
            // Fail-high blending: a score far above beta says less the shallower it is.
            if best.abs() < TB_WIN_IN_MAX_PLY && beta.abs() < TB_WIN_IN_MAX_PLY {
                best = (best * depth + beta) / (depth + 1);
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if excluded.is_none() && !(T::ROOT && self.pv_index > 0) {
            // Correction history
            if !in_check
                && best_move.is_none_or(|mv| !position.is_noisy(mv))
                && best.abs() < TB_WIN_IN_MAX_PLY
                && bound.refines(best, eval.corrected)
            {
                let error = best - eval.corrected;
                let last_moves = self.last_moves();
                self.history.update_correction(position, last_moves, depth, error, self.tunables);
            }
            let entry = TtEntry {
                mv: best_move.or(tt_move.filter(|_| !T::ROOT)).unwrap_or(Move::NONE),
                value: value_to_tt(best, ply),
                raw_eval: eval.raw,
                depth,
                bound,
            };
            self.shared.tt.store(position.key(), entry);
        }
        best
    }

    /// Whether a root move is searched: not for a better line already, and of the best rank by the
    /// endgame tables that is left.
    fn is_root_move(&self, mv: Move) -> bool {
        let left = &self.root_moves[self.pv_index..];
        left.iter().any(|root_move| root_move.mv == mv && root_move.tb_rank() == left[0].tb_rank())
    }

    fn update_root_move(&mut self, mv: Move, score: i32, nodes: u64, is_exact: bool) {
        let (sel_depth, pv_after) = (self.sel_depth, &self.pv[1]);
        let Some(root_move) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root_move.nodes += nodes;
        if is_exact {
            root_move.set_score(score, sel_depth, pv_after);
        } else {
            root_move.set_behind();
        }
    }
}
