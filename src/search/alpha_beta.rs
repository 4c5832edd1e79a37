//! The search above the quiescence search: principal variation search, fail-soft alpha-beta.

use super::extensions::Singularity;
use super::history::{MadeMove, OwnHistory};
use super::lmr::{LoopMove, PLY, SoFar, base_reduction};
use super::move_picker::MovePicker;
use super::node::{Eval, Node, NodeType, NonPv, Pv};
use super::pruning::{MovePruning, has_non_pawns};
use super::report::{Bound, DRAW, Event, INFINITE, MATE, MAX_PLY, TB_WIN_IN_MAX_PLY};
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
        mut depth: i32,
        cut_node: bool,
    ) -> i32 {
        let ply = self.ply;
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(T::PV || alpha + 1 == beta);
        debug_assert!(ply <= MAX_PLY && (ply == 0) == T::ROOT);
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
        let tt = self.probe_tt(position);
        let tt_pv = T::PV || tt.was_pv();
        let tt_move = if T::ROOT {
            Some(self.root_moves[self.pv_index].mv)
        } else {
            tt.entry.map(|entry| entry.mv).filter(|&mv| position.is_legal(mv))
        };
        if !T::PV
            && excluded.is_none()
            && let Some(value) = tt.cutoff(alpha, beta)
            && tt.depth() >= depth + i32::from(value > beta)
            // At low depth a surprise is searched again rather than believed.
            && (cut_node == (value >= beta) || depth > self.tunables.tt_cutoff_depth())
        {
            if value >= beta
                && let Some(mv) = tt_move.filter(|&mv| !position.is_noisy(mv))
            {
                self.reward_quiet(&self.move_context(position), mv, depth);
                self.refute_last_move(
                    self.tunables.refuted_moves(),
                    self.tunables.refuted_tt_malus(),
                );
            }
            // The opponent's late move was good.
            if value <= alpha && self.stack(-1).move_count > self.tunables.tt_last_move_count() {
                self.reward_last_move(depth, value, None);
            }
            if position.halfmoves() < TT_CUTOFF_HALFMOVES
                && self.confirms_cutoff(position, tt_move, depth, value, beta)
            {
                return value;
            }
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
        let eval = if excluded.is_some() {
            let corrected = self.stack(0).static_eval.unwrap_or(0);
            Eval { raw: 0, correction, corrected, refined: corrected }
        } else {
            self.evaluate(position, &tt, correction)
        };
        if tt.entry.is_none() && !in_check && excluded.is_none() {
            self.shared.tt.store(position.key(), TtEntry::of_eval(eval.raw, tt_pv));
        }
        let improvement = self.improvement();
        let double_extensions = self.stack(-1).double_extensions;
        let entry = self.stack_mut(0);
        (entry.tt_pv, entry.move_count, entry.reduction) = (tt_pv, 0, 0);
        entry.double_extensions = double_extensions;
        self.stack_mut(2).cutoff_count = 0;
        if T::ROOT {
            self.stack_mut(1).cutoff_count = 0;
        }

        // Hindsight: the last move's reduction is mended by what it led to.
        if !T::ROOT && !in_check && excluded.is_none() {
            let last = self.stack(-1);
            if let Some(eval_before) = last.static_eval {
                let (rise, reduction) = (eval.corrected + eval_before, last.reduction);
                if depth < self.tunables.eval_history_depth() || tt.entry.is_none() {
                    self.reward_last_move_by_eval(rise);
                }
                if reduction >= self.tunables.hindsight_extension() && rise < 0 {
                    depth += 1;
                } else if !tt_pv
                    && depth >= 2
                    && reduction > 0
                    && rise > self.tunables.hindsight_reduction()
                {
                    depth -= 1;
                }
            }
        }
        let mut node = Node {
            position,
            ply,
            depth,
            original_alpha: alpha,
            beta,
            cut_node,
            root_delta: self.root_delta,
            in_check,
            improvement,
            improving: improvement > 0,
            tt,
            tt_pv,
            tt_move,
            tt_move_is_noisy: tt_move.is_some_and(|mv| position.is_noisy(mv)),
            eval,
        };

        // Razoring, reverse futility pruning, null move pruning, ProbCut
        if !T::PV
            && excluded.is_none()
            && let Some(score) =
                if in_check { self.small_probcut(&node) } else { self.prune_node(&node) }
        {
            return score;
        }

        // Above beta, things need not improve any more.
        node.improving |= !in_check && eval.corrected >= beta;

        // Internal iterative reductions
        if (T::PV || cut_node) && depth >= self.tunables.iir_depth() && tt_move.is_none() {
            node.depth -= 1;
        }
        alpha = alpha.max(floor);

        // Singular extensions, multi-cut
        let singularity = self.singularity::<T>(&node);
        if self.is_stopped() {
            return DRAW;
        }
        // By how much the first move is extended, and the score of all others.
        let (extension, alternatives) = match singularity {
            Singularity::Unknown => (i32::from(node.extends_first_move(self.tunables)), None),
            Singularity::Extension { plies, score } => (plies, Some(score)),
            Singularity::Refuted => {
                (node.tt_move, node.tt_move_is_noisy) = (None, false);
                (0, None)
            }
            Singularity::MultiCut(score) => return score,
        };
        let tt_move = node.tt_move;

        let mut best = floor;
        let mut best_move = None;
        let (mut quiets, mut noisies) = (MoveList::new(), MoveList::new());
        let mut move_count = 0;
        let context = self.move_context(position);
        let mut picker = MovePicker::all(tt_move, self.tunables);
        let mut researched = false;
        // Zugzwang: without pieces any move may be the only one.
        let may_prune = !T::ROOT && has_non_pawns(position);
        // By how much the TT move turned out to be better than the others.
        let mut tt_move_lead = None;
        loop {
            let picked = picker.next(self.history, &context, || {
                may_prune
                    && best > -TB_WIN_IN_MAX_PLY
                    && node.prunes_quiets(self.tunables, move_count + 1, alpha)
            });
            let Some(mv) = picked else { break };
            let depth = node.depth;
            if Some(mv) == excluded || T::ROOT && !self.is_root_move(mv) {
                continue;
            }
            move_count += 1;
            let is_quiet = !position.is_noisy(mv);
            let loop_move = LoopMove {
                mv,
                is_quiet,
                is_bad_noisy: picker.is_bad_noisy(),
                // The first move is neither pruned nor reduced.
                history: if move_count == 1 {
                    0
                } else if is_quiet {
                    self.history.quiet(&context, self.tunables).reliability(mv)
                } else {
                    self.history.capture(context.capture_index(mv))
                },
                count: move_count,
                base_reduction: base_reduction(self.tunables, is_quiet, depth, move_count),
            };

            // Late move pruning, futility pruning, history pruning, SEE pruning
            if may_prune
                && best > -TB_WIN_IN_MAX_PLY
                && let MovePruning::Prune { quiets, score } =
                    node.prune_move(self.tunables, &loop_move, alpha)
            {
                best = best.max(score.unwrap_or(best));
                if quiets {
                    picker.skip_quiets_but_checks(position);
                }
                continue;
            }

            let mut new_depth = depth - 1;
            if move_count == 1 {
                new_depth += extension;
                // Where one move is all that matters, its alternatives are looked at well.
                if extension > 1 && depth < self.tunables.singular_node_depth() {
                    node.depth += 1;
                }
            }

            if T::ROOT && self.reports_all() {
                let number = self.pv_index + move_count as usize;
                self.report(|| Event::Current { depth: depth as u32, mv, number });
            }
            let nodes_before = self.nodes();
            self.prefetch(position, picker.upcoming());
            let next = position.after(mv);
            let entry = self.stack_mut(0);
            (entry.move_count, entry.is_tt_move) = (move_count, Some(mv) == tt_move);
            entry.double_extensions = double_extensions + i32::from(new_depth > depth);
            let own = if is_quiet {
                OwnHistory::Quiet(context.butterfly_index(mv))
            } else {
                OwnHistory::Noisy(context.capture_index(mv))
            };
            self.push_move(MadeMove::new(position, mv, Some(own)), &next);
            let gives_check = self.stack(0).in_check;

            // Check extensions
            if new_depth == depth - 1 && gives_check && node.extends_check(self.tunables, mv, &next)
            {
                new_depth += 1;
            }

            let mut score = -INFINITE;
            let so_far = SoFar {
                raises_alpha: best_move.is_some(),
                cutoffs: self.stack(0).cutoff_count,
                tt_move_lead,
            };
            if depth >= self.tunables.lmr_depth() && move_count > 1 + i32::from(T::ROOT) {
                // Late move reductions: a reduced null-window search, and if it fails high, one
                // that is not reduced, or deeper or shallower by how well the move did.
                let reduction =
                    node.reduction::<T>(self.tunables, &loop_move, gives_check, &so_far);
                let reduced = new_depth - reduction / PLY + i32::from(T::PV);
                let reduced = reduced.clamp(1.min(new_depth), new_depth.max(1) + 1);
                self.stack_mut(-1).reduction = reduction;
                score = -self.search::<NonPv>(&next, -alpha - 1, -alpha, reduced, true);
                self.stack_mut(-1).reduction = 0;
                researched = false;
                if score > alpha {
                    // What was not reduced needs no second search one ply deeper.
                    let deeper = reduced < new_depth
                        && best > -TB_WIN_IN_MAX_PLY
                        && score > best + self.tunables.lmr_deeper_margin();
                    let shallower = score < best + self.tunables.lmr_shallower_margin();
                    if !T::ROOT {
                        new_depth += i32::from(deeper) - i32::from(shallower);
                    }
                    if new_depth > reduced {
                        score =
                            -self.search::<NonPv>(&next, -alpha - 1, -alpha, new_depth, !cut_node);
                        researched = true;
                    }
                }
            } else if !T::PV || move_count > 1 {
                // Full-depth search: a ply or two less where a late move would be reduced by much.
                let less =
                    node.full_depth_reduction::<T>(self.tunables, &loop_move, gives_check, &so_far);
                let reduced = (new_depth - less).max(1.min(new_depth));
                score = -self.search::<NonPv>(&next, -alpha - 1, -alpha, reduced, !cut_node);
            }
            // Full-window search: the first move of a PV node, and those that beat it.
            if T::PV && (move_count == 1 || score > alpha) {
                // What the table knows from a search is not left to the quiescence search.
                if Some(mv) == tt_move && tt.depth() > 1 {
                    new_depth = new_depth.max(1);
                }
                score = -self.search::<Pv>(&next, -beta, -alpha, new_depth, false);
            }
            self.pop_move();
            if self.is_stopped() {
                return DRAW;
            }
            if T::ROOT {
                let nodes = self.nodes() - nodes_before;
                self.update_root_move(mv, score, nodes, move_count == 1 || score > alpha);
            }

            if Some(mv) == tt_move {
                tt_move_lead = alternatives.map(|alternatives| score - alternatives);
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
                    self.stack_mut(0).cutoff_count += 1;
                    break;
                }
                // A move that raises alpha is hard to beat: at middle depths the others are searched
                // less deep.
                if best_move == Some(mv)
                    && node.depth > self.tunables.raised_alpha_min_depth()
                    && node.depth < self.tunables.raised_alpha_max_depth()
                    && score.abs() < TB_WIN_IN_MAX_PLY
                {
                    node.depth = (node.depth - self.tunables.raised_alpha_reduction()).max(1);
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
        let depth = node.depth;
        // History updates
        if let Some(mv) = best_move {
            self.reward_best_move(&context, mv, &quiets, &noisies, depth);
            if researched && best >= beta && !position.is_noisy(mv) {
                self.reward_researched_move(&context, mv, depth);
            }
        } else if !T::ROOT && (T::PV || cut_node) {
            let corrected = (!in_check).then_some(eval.corrected);
            self.reward_last_move(depth, best, corrected);
        }
        // Fail-high blending: a score far above beta says less the shallower it is.
        if best >= beta && best.abs() < TB_WIN_IN_MAX_PLY && beta.abs() < TB_WIN_IN_MAX_PLY {
            best = (best * depth + beta) / (depth + 1);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > node.original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // A node where all moves failed low keeps to the PV that its parent was on.
        let tt_pv =
            tt_pv || !T::ROOT && bound == Bound::Upper && move_count > 2 && self.stack(-1).tt_pv;
        if excluded.is_none() && !(T::ROOT && self.pv_index > 0) {
            // Correction history
            if !in_check
                && best_move.is_none_or(|mv| !position.is_noisy(mv))
                && best.abs() < TB_WIN_IN_MAX_PLY
                && bound.refines(best, eval.corrected)
            {
                let error = best - eval.corrected;
                let moves = self.correction_moves();
                self.history.update_correction(position, moves, depth, error, self.tunables);
            }
            let entry = TtEntry {
                mv: best_move.or(tt_move.filter(|_| !T::ROOT)).unwrap_or(Move::NONE),
                value: value_to_tt(best, ply),
                raw_eval: eval.raw,
                depth,
                bound: Some(bound),
                was_pv: tt_pv,
            };
            self.shared.tt.store(position.key(), entry);
        }
        best
    }
}
