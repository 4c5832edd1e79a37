//! The search of a node: a fail-soft principal variation search with all cutoffs, pruning rules, extensions
//! and reductions.
//!
//! Each step stands under its name. Put a rule that prunes whole nodes beside razoring, one that prunes moves
//! beside late move pruning, and its numbers into `tunables.rs`.

use super::move_picker::MovePicker;
use super::ply::Ply;
use super::report::{Bound, DRAW, Event, INFINITE, MATE, MAX_PLY, TB_WIN_IN_MAX_PLY};
use super::sight::Vision;
use super::tt::{NO_DEPTH, TtEntry, value_to_tt};
use super::tunables::Tunables;
use super::worker::Worker;
use crate::board::{Move, MoveList, PieceType};

/// From this fifty-move counter on there are no TT cutoffs: the entry's score may ignore an imminent draw.
const TT_CUTOFF_HALFMOVES: u16 = 90;

/// One ply, in the unit of reductions.
const PLY: i32 = 1024;

/// Kinds of node, which the search is compiled for. On the principal variation a score may lie between the
/// bounds; elsewhere the window is null and the search only proves which side of it the score is on.
pub trait NodeType {
    const ROOT: bool;
    const PV: bool;
}

pub struct Node<const ROOT: bool, const PV: bool>;

impl<const IS_ROOT: bool, const IS_PV: bool> NodeType for Node<IS_ROOT, IS_PV> {
    const ROOT: bool = IS_ROOT;
    const PV: bool = IS_PV;
}

pub type Root = Node<true, true>;
pub type Pv = Node<false, true>;
pub type NonPv = Node<false, false>;

impl<V: Vision> Worker<'_, V> {
    /// The score of the current node for the side to move. Outside the window it is only a bound. `cut_node`:
    /// the node is expected to fail high.
    #[inline(always)]
    pub fn search<T: NodeType>(
        &mut self,
        alpha: i32,
        beta: i32,
        depth: i32,
        cut_node: bool,
    ) -> i32 {
        if depth <= 0 || self.stack.ply() >= MAX_PLY {
            self.quiescence::<T>(alpha, beta)
        } else {
            self.search_node::<T>(alpha, beta, depth, cut_node)
        }
    }

    /// [`Worker::search`] for depths above 0.
    fn search_node<T: NodeType>(
        &mut self,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        cut_node: bool,
    ) -> i32 {
        let (tunables, ply) = (self.tunables, self.stack.ply());
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(T::PV || alpha + 1 == beta);
        debug_assert!(depth > 0 && ply < MAX_PLY && (ply == 0) == T::ROOT);
        if T::PV {
            self.begin_pv();
        }
        if self.stops() {
            return DRAW;
        }
        if !T::ROOT {
            // Draws
            if self.is_draw() {
                return self.draw_score();
            }
            // Upcoming repetition
            if alpha < DRAW && self.has_upcoming_repetition() {
                alpha = self.draw_score();
                if alpha >= beta {
                    return alpha;
                }
            }
            // Mate distance pruning: no line beats mating at once or loses to being mated now.
            alpha = alpha.max(ply as i32 - MATE);
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        // Transposition table. Probed together with the correction history, so that the cache misses overlap.
        let position = self.stack[0].position;
        let Ply { in_check, excluded, .. } = self.stack[0];
        let correction = self.history.correction(self.stack);
        let entry = self.shared.tt.probe(position.key());
        let tt_value = entry.and_then(|entry| entry.value_at(ply, position.halfmoves()));
        let tt_depth = entry.map_or(NO_DEPTH, |entry| entry.depth);
        let tt_pv = match excluded {
            Some(_) => self.stack[0].tt_pv,
            None => T::PV || entry.is_some_and(|entry| entry.was_pv),
        };
        let mut tt_move = if T::ROOT {
            Some(self.root_moves[self.pv_index].mv)
        } else {
            entry.map(|entry| entry.mv).filter(|&mv| self.stack[0].is_legal(mv))
        };
        let mut tt_move_is_noisy = tt_move.is_some_and(|mv| position.is_noisy(mv));

        // Transposition table cutoff
        if !T::PV
            && excluded.is_none()
            && let Some((value, bound)) = tt_value
            && bound.cuts_off(value, alpha, beta)
            && tt_depth >= depth + i32::from(value > beta)
            // At low depth a result that contradicts the expected kind of node is searched again.
            && (cut_node == (value >= beta) || depth > tunables.tt_cutoff_depth())
        {
            if value >= beta
                && let Some(mv) = tt_move.filter(|_| !tt_move_is_noisy)
            {
                self.history.reward_quiet(self.stack, mv, depth);
                let (moves, malus) = (tunables.refuted_moves(), tunables.refuted_tt_malus());
                self.history.refute_last_move(self.stack, moves, malus);
            }
            // The opponent's late move turned out well.
            if value <= alpha && self.stack[-1].move_count > tunables.tt_last_move_count() {
                self.history.reward_last_move(self.stack, depth, value, None);
            }
            if position.halfmoves() < TT_CUTOFF_HALFMOVES
                && (depth < tunables.tt_confirm_depth()
                    || value.abs() >= TB_WIN_IN_MAX_PLY
                    || tt_move.is_none_or(|mv| self.confirms_cutoff(mv, value, beta)))
            {
                return value;
            }
        }
        self.prefetch(&position, tt_move);

        // Syzygy WDL probe: causes a cutoff or bounds the score.
        let (mut floor, mut ceiling) = (-INFINITE, INFINITE);
        if self.probed_pieces > 0
            && !T::ROOT
            && let Some((value, bound)) = self.probe_wdl(depth)
        {
            if bound.cuts_off(value, alpha, beta) {
                return value;
            }
            match bound {
                Bound::Upper => ceiling = value,
                Bound::Lower | Bound::Exact => floor = value,
            }
        }

        // Static evaluation, corrected, and replaced by the TT value if its bound is more precise. None in
        // check.
        let (mut raw_eval, mut eval) = (0, 0);
        if excluded.is_some() {
            eval = self.stack[0].static_eval.unwrap_or(0);
        } else if in_check {
            self.stack[0].static_eval = None;
        } else {
            raw_eval = entry.map_or_else(|| self.raw_eval(), |entry| entry.raw_eval);
            eval = self.static_eval(raw_eval, correction);
            self.stack[0].static_eval = Some(eval);
            if entry.is_none() {
                self.shared.tt.store(position.key(), TtEntry::of_eval(raw_eval, tt_pv));
            }
        }
        let refined = match tt_value {
            Some((value, bound))
                if excluded.is_none() && !in_check && bound.refines(value, eval) =>
            {
                value
            }
            _ => eval,
        };

        // Improvement: the rise of the static evaluation since the side's previous move, or since the one
        // before if it was in check then.
        let before = self.stack[-2].static_eval.or(self.stack[-4].static_eval);
        let improvement = self.stack[0].static_eval.zip(before).map_or(0, |(now, then)| now - then);
        let mut improving = improvement > 0;

        let double_extensions = self.stack[-1].double_extensions;
        let node = &mut self.stack[0];
        (node.tt_pv, node.move_count, node.reduction) = (tt_pv, 0, 0);
        node.double_extensions = double_extensions;
        self.stack[2].cutoff_count = 0;
        if T::ROOT {
            self.stack[1].cutoff_count = 0;
        }

        // Hindsight: the parent reduced its move before it knew this evaluation. If the reduction was too
        // large or too small, the depth makes up for it.
        if !T::ROOT
            && !in_check
            && excluded.is_none()
            && let Some(eval_before) = self.stack[-1].static_eval
        {
            let (rise, reduction) = (eval + eval_before, self.stack[-1].reduction);
            if depth < tunables.eval_history_depth() || entry.is_none() {
                self.history.reward_last_move_by_eval(self.stack, rise);
            }
            if rise < 0 && reduction >= tunables.hindsight_extension() {
                depth += 1;
            } else if rise > tunables.hindsight_reduction() && reduction > 0 && depth > 1 && !tt_pv
            {
                depth -= 1;
            }
        }

        let first_alpha = alpha;
        // The TT value, if its depth justifies a singular search of the TT move.
        let singular_value = tt_value.filter(|&(value, bound)| {
            depth >= tunables.singular_depth() + i32::from(tt_pv)
                && tt_depth >= depth - tunables.singular_tt_depth()
                && bound != Bound::Upper
                && value.abs() < TB_WIN_IN_MAX_PLY
        });

        // Razoring: far below alpha, the quiescence search decides if it agrees.
        let may_prune_node = !T::PV && excluded.is_none();
        if may_prune_node
            && !in_check
            && depth <= tunables.razor_depth()
            && refined + tunables.razor_margin() * depth < alpha
            && alpha < tunables.decided_score()
        {
            let score = self.quiescence::<NonPv>(alpha, beta);
            if score <= alpha {
                return score;
            }
        }

        // Reverse futility pruning, also called static null move pruning: far above beta, the node is cut
        // off. Less margin is needed if no piece is attacked.
        if may_prune_node
            && !in_check
            && !tt_pv
            && depth <= tunables.rfp_depth()
            && refined < TB_WIN_IN_MAX_PLY
            && beta > -tunables.decided_score()
        {
            let margin = tunables.rfp_margin() * depth
                + tunables.rfp_margin_square() * depth * depth / 16
                - i32::from(improving) * tunables.rfp_improving()
                + tunables.rfp_correction() * correction.abs() / 1024;
            let unattacked_margin = margin - tunables.rfp_unattacked();
            if refined - margin.max(0) >= beta
                || refined - unattacked_margin.max(0) >= beta && !self.stack[0].is_threatened()
            {
                return (refined + 2 * beta) / 3;
            }
        }

        // Null move pruning: cuts off if passing still fails high. Not if the TT move wins a piece, and not
        // without pieces, where zugzwang is likely.
        let has_good_capture = || {
            tt_value.is_some_and(|(_, bound)| bound == Bound::Lower)
                && tt_move
                    .and_then(|mv| position.captured(mv))
                    .is_some_and(|piece| !piece.is(PieceType::Pawn))
        };
        let own = self.stack[0].pieces.by(position.side());
        let has_non_pawns = !(self.stack[0].pieces.officers() & own).is_empty();
        if may_prune_node
            && !in_check
            && cut_node
            && depth >= tunables.nmp_depth()
            && refined
                >= beta + (tunables.nmp_margin() - tunables.nmp_margin_depth() * depth).max(0)
            && refined >= eval
            && refined < TB_WIN_IN_MAX_PLY
            && ply >= self.nmp_min_ply
            && !self.stack[-1].moved.is_null()
            && beta > -TB_WIN_IN_MAX_PLY
            && singular_value.is_none()
            && !has_good_capture()
            && has_non_pawns
        {
            let excess = (refined - beta).min(tunables.nmp_excess_limit());
            let reduction = tunables.nmp_base()
                + tunables.nmp_depth_factor() * depth
                + tunables.nmp_excess_factor() * excess
                + i32::from(improving) * tunables.nmp_improving();
            let reduced = depth - reduction / PLY;
            self.make_null_move();
            let score = -self.search::<NonPv>(-beta, 1 - beta, reduced, false);
            self.unmake_move();
            if self.is_stopped() {
                return score;
            }
            if score >= beta {
                // A mate found after a null move is not proven.
                let score = if score >= TB_WIN_IN_MAX_PLY { beta } else { score };
                if depth < tunables.nmp_verify_depth() || self.nmp_min_ply > 0 {
                    return score;
                }
                // Verification search, with null moves disabled in its first plies.
                let plies = tunables.nmp_verify_share() * reduced.max(1) / 4;
                self.nmp_min_ply = ply + plies as usize;
                let verified = self.search::<NonPv>(beta - 1, beta, reduced, false);
                self.nmp_min_ply = 0;
                if verified >= beta {
                    return score;
                }
            }
        }

        // Small ProbCut: the TT entry alone shows a score far above beta.
        if may_prune_node
            && let Some((value, bound)) = tt_value
            && bound != Bound::Upper
            && tt_depth >= depth - tunables.small_probcut_depth()
            && value >= beta + tunables.small_probcut_margin()
            && value.abs() < TB_WIN_IN_MAX_PLY
            && beta.abs() < tunables.decided_score()
        {
            return beta + tunables.small_probcut_margin();
        }

        // ProbCut: a good capture that beats beta by a margin at reduced depth will beat beta.
        let probcut_beta =
            beta + tunables.probcut_margin() - i32::from(improving) * tunables.probcut_improving();
        if may_prune_node
            && !in_check
            && cut_node
            && depth >= tunables.probcut_depth()
            && beta.abs() < tunables.decided_score()
            && tt_value.map_or(eval >= beta, |(value, _)| {
                value >= probcut_beta && value.abs() < TB_WIN_IN_MAX_PLY
            })
            && (tt_move.is_none() || tt_move_is_noisy)
        {
            let deepest = (depth - tunables.probcut_reduction() - i32::from(improving)).max(0);
            let mut picker = MovePicker::noisy(tt_move, probcut_beta - eval, tunables);
            while let Some(mv) = picker.next(self.history, self.stack, &self.vision, || false) {
                self.prefetch(&position, Some(mv));
                self.make_move(mv, self.stack[0].moved(mv).untaught());
                let mut score = -self.quiescence::<NonPv>(-probcut_beta, 1 - probcut_beta);
                // The further the quiescence search exceeds the bound, the more plies the confirming search
                // saves. Each saved ply raises the bound; a score short of it is searched again without
                // saving.
                let mut saved =
                    ((score - probcut_beta) / tunables.probcut_promise()).clamp(0, deepest);
                let mut bound = probcut_beta;
                if score >= bound && saved < deepest {
                    bound += tunables.probcut_raise() * saved;
                    score = -self.search::<NonPv>(-bound, 1 - bound, deepest - saved, false);
                    if score < bound && saved > 0 {
                        (saved, bound) = (0, probcut_beta);
                        score = -self.search::<NonPv>(-bound, 1 - bound, deepest, false);
                    }
                }
                self.unmake_move();
                if self.is_stopped() {
                    return score;
                }
                if score >= bound {
                    let entry = TtEntry {
                        mv,
                        value: value_to_tt(score, ply),
                        raw_eval,
                        depth: deepest - saved + 1,
                        bound: Some(Bound::Lower),
                        was_pv: tt_pv,
                    };
                    self.shared.tt.store(position.key(), entry);
                    let is_proven = score.abs() >= TB_WIN_IN_MAX_PLY;
                    return if is_proven { score } else { score - (bound - beta) };
                }
            }
        }

        // A node at or above beta need not improve further.
        improving |= !in_check && eval >= beta;

        // Internal iterative reductions
        if (T::PV || cut_node) && depth >= tunables.iir_depth() && tt_move.is_none() {
            depth -= 1;
        }
        alpha = alpha.max(floor);

        // The extension of the first move, and the score that all other moves reach.
        let (mut extension, mut alternatives) = (0, None);
        if !T::ROOT
            && excluded.is_none()
            && ply < 2 * self.root_depth as usize
            && tt_move.is_some()
            && let Some((value, bound)) = singular_value
        {
            // Singular extensions: searches the node without the TT move, if that failed high or was best, to
            // find out whether the move stands out.
            let mut factor = match bound {
                Bound::Exact => tunables.singular_margin_exact(),
                _ => tunables.singular_margin(),
            };
            if tt_pv && !T::PV {
                factor += tunables.singular_margin_tt_pv();
            }
            let singular_beta = value - factor * depth / 16;
            let half = (depth - 1) / 2;
            self.stack[0].excluded = tt_move;
            let score = self.search::<NonPv>(singular_beta - 1, singular_beta, half, cut_node);
            let node = &mut self.stack[0];
            (node.excluded, node.tt_pv) = (None, tt_pv);
            if self.is_stopped() {
                return DRAW;
            }
            alternatives = Some(score);
            let lead = singular_beta - score;
            if lead > 0 {
                let margin = i32::from(T::PV) * tunables.double_extension_pv()
                    - i32::from(!tt_move_is_noisy) * tunables.double_extension_quiet()
                    - correction.abs() * tunables.double_extension_correction() / 1024;
                extension = 1;
                // Without a limit per line, some endgames would be extended forever.
                if double_extensions < tunables.double_extension_limit() {
                    if lead > margin + tunables.double_extension_margin() {
                        extension += 1;
                    }
                    if lead > margin + tunables.triple_extension_margin() {
                        extension += 1;
                    }
                }
            } else if score >= beta && score.abs() < TB_WIN_IN_MAX_PLY {
                // Multi-cut: other moves reach beta too.
                return (score + beta) / 2;
            } else if score > value {
                // Another move beats the TT value, so the TT move is no longer trusted.
                (tt_move, tt_move_is_noisy, alternatives) = (None, false, None);
            } else {
                extension = match (value >= beta, cut_node) {
                    (true, _) => -tunables.multi_cut_reduction(),
                    (false, true) => -tunables.cut_node_reduction(),
                    (false, false) => 0,
                };
            }
        } else if cut_node
            && !in_check
            && depth <= tunables.first_move_depth()
            && refined <= first_alpha - tunables.first_move_margin()
        {
            // First move extensions, at depths too low for singular ones: a fail high is expected although
            // the evaluation does not explain it, so the first move is critical.
            extension = 1;
        }

        // Late move pruning and futility pruning: whether all further quiet moves except checks can be
        // skipped.
        let prunes_quiets = |depth: i32, count: i32, alpha: i32| {
            if in_check || alpha >= TB_WIN_IN_MAX_PLY {
                return false;
            }
            let most = (tunables.lmp_base() + depth * depth) / if improving { 1 } else { 2 };
            let lmr_depth = lmr_depth(depth, base_reduction(tunables, true, depth, count));
            // Some slack, because the histories of the moves are not known yet.
            let value = eval
                + tunables.futility_base()
                + tunables.futility_margin() * lmr_depth
                + tunables.futility_slack();
            count > most
                || lmr_depth <= tunables.futility_depth()
                    && alpha < tunables.decided_score()
                    && value <= alpha
        };

        let mut best = floor;
        // Limited strength: past its horizon a player assumes that the moves it overlooks keep the
        // evaluation.
        if self.vision.is_past_horizon(ply) && !in_check && excluded.is_none() {
            best = best.max(eval);
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mut best_move = None;
        let (mut quiets, mut noisies) = (MoveList::new(), MoveList::new());
        let mut move_count = 0;
        let mut researched = false;
        // How much better the TT move turned out than the alternatives.
        let mut tt_move_lead: Option<i32> = None;
        // Zugzwang: without pieces, any move may be the only good one.
        let may_prune = !T::ROOT && has_non_pawns;
        let mut picker = MovePicker::all(tt_move, tunables);
        while let Some(mv) = picker.next(self.history, self.stack, &self.vision, || {
            may_prune && best > -TB_WIN_IN_MAX_PLY && prunes_quiets(depth, move_count + 1, alpha)
        }) {
            if Some(mv) == excluded || T::ROOT && !self.is_root_move(mv) {
                continue;
            }
            move_count += 1;
            let moved = self.stack[0].moved(mv);
            let is_quiet = moved.is_quiet();
            // The first move is neither pruned nor reduced.
            let history =
                if move_count == 1 { 0 } else { self.history.reliability(self.stack, &moved) };
            let base_reduction = base_reduction(tunables, is_quiet, depth, move_count);

            if may_prune && best > -TB_WIN_IN_MAX_PLY && alpha < TB_WIN_IN_MAX_PLY {
                let lmr_depth = lmr_depth(depth, base_reduction);
                let loses =
                    |margin| depth <= tunables.see_depth() && !self.stack[0].see_ge(mv, margin);
                let (is_late, is_bad, is_futile, value, see_margin);
                if is_quiet {
                    // Late move pruning
                    is_late = prunes_quiets(depth, move_count, alpha);
                    // History pruning
                    is_bad = lmr_depth <= tunables.history_pruning_depth()
                        && history < tunables.history_pruning_margin() * depth;
                    // Futility pruning
                    value = eval
                        + tunables.futility_base()
                        + tunables.futility_margin() * lmr_depth
                        + tunables.futility_history() * history / 1024;
                    is_futile = !in_check
                        && lmr_depth <= tunables.futility_depth()
                        && alpha < tunables.decided_score()
                        && value <= alpha;
                    // SEE pruning
                    see_margin = tunables.see_quiet_margin() * lmr_depth * lmr_depth;
                } else {
                    (is_late, is_bad) = (false, false);
                    // Futility pruning of losing captures
                    value = eval
                        + tunables.noisy_futility_base()
                        + tunables.noisy_futility_margin() * depth
                        + tunables.noisy_futility_history() * history / 1024;
                    is_futile = picker.is_bad_noisy()
                        && !in_check
                        && depth <= tunables.noisy_futility_depth()
                        && value <= alpha;
                    // SEE pruning of noisy moves
                    see_margin = (tunables.see_noisy_margin() * depth
                        - history / tunables.see_noisy_history_divisor())
                    .min(0);
                }
                // Checks leave few replies, so they may lose more material.
                let is_spared = || {
                    !is_bad
                        && self.stack[0].gives_check(mv)
                        && !loses(tunables.see_check_margin() * depth)
                };
                if (is_late || is_bad || is_futile || loses(see_margin)) && !is_spared() {
                    if is_futile {
                        best = best.max(value);
                    }
                    if is_quiet && (is_late || is_futile) {
                        picker.skip_quiets_but_checks(&self.stack[0]);
                    }
                    continue;
                }
            }

            let mut new_depth = depth - 1;
            let is_double = move_count == 1 && extension > 1;
            if move_count == 1 {
                new_depth += extension;
                // If one move stands out this far, the alternatives are searched deeper too.
                if is_double && depth < tunables.singular_node_depth() {
                    depth += 1;
                }
            }

            if T::ROOT && self.reports_all() {
                let number = self.pv_index + move_count as usize;
                self.report(|| Event::Current { depth: depth as u32, mv, number });
            }
            let nodes_before = self.nodes();
            let node = &mut self.stack[0];
            (node.move_count, node.is_tt_move) = (move_count, Some(mv) == tt_move);
            node.double_extensions = double_extensions + i32::from(is_double);
            self.make_move(mv, moved);
            let gives_check = self.stack[0].in_check;

            // Check extensions: only near the root, for checks that lose nothing or leave a single reply.
            // Elsewhere they cost too much.
            if gives_check
                && (move_count > 1 || extension == 0)
                && depth >= tunables.check_extension_depth()
                && (ply < tunables.check_extension_ply() as usize && self.stack[-1].see_ge(mv, 0)
                    || ply < tunables.one_reply_extension_ply() as usize
                        && self.stack[0].position.legal_moves().len() == 1)
            {
                new_depth += 1;
            }

            // Late move reductions, in 1024ths of a ply
            let mut reduction = base_reduction;
            if !T::PV || move_count > 1 {
                // By kind of node
                reduction += match (tt_pv, cut_node, tt_move) {
                    (true, ..) => -tunables.lmr_tt_pv(),
                    (_, false, _) => 0,
                    (_, _, Some(_)) => tunables.lmr_cut_node(),
                    (_, _, None) => tunables.lmr_cut_node() + tunables.lmr_cut_node_no_tt_move(),
                };
                if T::PV {
                    let width = (beta - first_alpha).min(self.root_delta);
                    reduction -=
                        tunables.lmr_pv() + tunables.lmr_pv_width() * width / self.root_delta;
                }
                // By TT entry
                if let Some((value, _)) = tt_value {
                    reduction += match (value > first_alpha, tt_pv) {
                        (false, _) => tunables.lmr_tt_fails_low(),
                        (true, true) => -tunables.lmr_tt_pv_fails_high(),
                        (true, false) => 0,
                    };
                    reduction += match (tt_depth >= depth, tt_pv) {
                        (false, _) => tunables.lmr_tt_shallow(),
                        (true, true) => -tunables.lmr_tt_pv_deep(),
                        (true, false) => 0,
                    };
                }
                // By evaluation
                reduction += i32::from(!improving) * tunables.lmr_not_improving();
                reduction -= (tunables.lmr_improvement() * improvement / 128)
                    .clamp(-tunables.lmr_improvement_more(), tunables.lmr_improvement_less());
                reduction -= correction.abs() * tunables.lmr_correction();
                // By the results of earlier moves
                reduction += i32::from(best_move.is_some()) * tunables.lmr_raised_alpha();
                if self.stack[0].cutoff_count > tunables.lmr_cutoff_count() as u32 {
                    let is_all_node = !T::PV && !cut_node;
                    reduction += tunables.lmr_cutoffs()
                        + i32::from(is_all_node) * tunables.lmr_cutoffs_all_node();
                }
                if let Some(lead) = tt_move_lead {
                    let more = tunables.lmr_lead() * (lead - tunables.lmr_lead_offset()) / 128;
                    reduction += more.clamp(0, tunables.lmr_lead_limit());
                }
                // By the move itself
                if is_quiet {
                    reduction += i32::from(tt_move_is_noisy) * tunables.lmr_noisy_tt_move();
                    if !in_check {
                        let limit = tunables.lmr_gap_limit();
                        let gap = (first_alpha - refined).clamp(-limit, limit);
                        reduction += tunables.lmr_gap() * gap;
                    }
                }
                reduction -= i32::from(gives_check) * tunables.lmr_check();
                if T::ROOT && (!is_quiet || gives_check) {
                    reduction -= tunables.lmr_root_forcing();
                }
                let divisor = if is_quiet {
                    tunables.lmr_history_divisor()
                } else {
                    tunables.lmr_capture_history_divisor()
                };
                reduction -= PLY * history / divisor;
            }

            let mut score = -INFINITE;
            if depth >= tunables.lmr_depth() && move_count > 1 + i32::from(T::ROOT) {
                // A reduced null-window search. If it fails high, it is repeated at full depth, adjusted by
                // how well the move did.
                let reduced = new_depth - reduction / PLY + i32::from(T::PV);
                let reduced = reduced.clamp(1.min(new_depth), new_depth.max(1) + 1);
                self.stack[-1].reduction = PLY * (new_depth - reduced);
                score = -self.search::<NonPv>(-alpha - 1, -alpha, reduced, true);
                self.stack[-1].reduction = 0;
                researched = false;
                if score > alpha {
                    // A move that was not reduced needs no second search one ply deeper.
                    let deeper = reduced < new_depth
                        && best > -TB_WIN_IN_MAX_PLY
                        && score > best + tunables.lmr_deeper_margin();
                    let shallower = score < best + tunables.lmr_shallower_margin();
                    if !T::ROOT {
                        new_depth += i32::from(deeper) - i32::from(shallower);
                    }
                    if new_depth > reduced {
                        score = -self.search::<NonPv>(-alpha - 1, -alpha, new_depth, !cut_node);
                        researched = true;
                    }
                }
            } else if !T::PV || move_count > 1 {
                // Full-depth search: up to two plies less where a late move would be reduced a lot.
                if Some(mv) == tt_move {
                    reduction -= tunables.full_depth_tt_move();
                }
                let mut reduced = new_depth;
                if reduction >= tunables.full_depth_one_less() {
                    reduced -= 1;
                }
                if reduction >= tunables.full_depth_two_less() {
                    reduced -= 1;
                }
                let reduced = reduced.max(1.min(new_depth));
                score = -self.search::<NonPv>(-alpha - 1, -alpha, reduced, !cut_node);
            }
            // Principal variation search: a full window for the first move of a PV node and for moves that
            // beat it.
            if T::PV && (move_count == 1 || score > alpha) {
                // The quiescence search must not replace the result of a deeper search in the table.
                let least = i32::from(Some(mv) == tt_move && tt_depth > 1);
                score = -self.search::<Pv>(-beta, -alpha, new_depth.max(least), false);
            }
            self.unmake_move();
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
                    self.stack[0].cutoff_count += 1;
                    break;
                }
                // Raised alpha: the remaining moves are unlikely to beat it, and are searched less deep at
                // medium depths.
                if best_move == Some(mv)
                    && depth > tunables.raised_alpha_min_depth()
                    && depth < tunables.raised_alpha_max_depth()
                    && score.abs() < TB_WIN_IN_MAX_PLY
                {
                    depth = (depth - tunables.raised_alpha_reduction()).max(1);
                }
            }
            if Some(mv) != best_move {
                let tried = if is_quiet { &mut quiets } else { &mut noisies };
                tried.push(mv);
            }
        }

        // Checkmate and stalemate, unless a player of limited strength overlooks all its moves.
        if move_count == 0 {
            return match excluded {
                Some(_) => alpha,
                None if in_check => ply as i32 - MATE,
                None if !V::SEES_ALL && !position.legal_moves().is_empty() => eval,
                None => DRAW,
            };
        }
        best = best.min(ceiling);

        // History updates
        if let Some(mv) = best_move {
            self.history.reward_best_move(self.stack, mv, &quiets, &noisies, depth);
            if researched && best >= beta && !position.is_noisy(mv) {
                self.history.reward_researched_move(self.stack, mv, depth);
            }
        } else if !T::ROOT && (T::PV || cut_node) {
            self.history.reward_last_move(self.stack, depth, best, (!in_check).then_some(eval));
        }

        // Fail-high blending: the shallower the search, the less a score above beta is trusted.
        if best >= beta && best.abs() < TB_WIN_IN_MAX_PLY && beta.abs() < TB_WIN_IN_MAX_PLY {
            best = (best * depth + beta) / (depth + 1);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if excluded.is_some() || T::ROOT && self.pv_index > 0 {
            return best;
        }

        // Correction history
        if !in_check
            && best_move.is_none_or(|mv| !position.is_noisy(mv))
            && best.abs() < TB_WIN_IN_MAX_PLY
            && bound.refines(best, eval)
        {
            self.history.update_correction(self.stack, depth, best - eval);
        }

        // If several moves failed low, the parent's move was good, so the node counts as part of the parent's
        // PV.
        let failed_low = bound == Bound::Upper && move_count > 2;
        let entry = TtEntry {
            mv: best_move.or(tt_move.filter(|_| !T::ROOT)).unwrap_or(Move::NONE),
            value: value_to_tt(best, ply),
            raw_eval,
            depth,
            bound: Some(bound),
            was_pv: tt_pv || failed_low && self.stack[-1].tt_pv,
        };
        self.shared.tt.store(position.key(), entry);
        best
    }

    /// Whether the TT entry after the TT move, if there is one, agrees with a cutoff. Repetitions cause
    /// contradicting entries.
    fn confirms_cutoff(&self, tt_move: Move, value: i32, beta: i32) -> bool {
        let next = self.stack[0].position.after(tt_move);
        let entry = self.shared.tt.probe(next.key());
        let after = entry.and_then(|entry| entry.value_at(self.stack.ply(), next.halfmoves()));
        after.is_none_or(|(after, _)| (value >= beta) == (-after >= beta))
    }
}

/// The reduction by depth and move count: a constant plus a factor times the product of their logarithms.
#[inline(always)]
fn base_reduction(tunables: Tunables, is_quiet: bool, depth: i32, count: i32) -> i32 {
    let (base, factor) = if is_quiet {
        (tunables.lmr_quiet_base(), tunables.lmr_quiet_factor())
    } else {
        (tunables.lmr_noisy_base(), tunables.lmr_noisy_factor())
    };
    let [depth, count] = [depth, count].map(|n| LOG2[n.clamp(0, 63) as usize]);
    base + factor * ((depth * count) >> 10) / PLY
}

/// The depth of a move after its base reduction, by which margins in the move loop are scaled.
#[inline(always)]
fn lmr_depth(depth: i32, base_reduction: i32) -> i32 {
    (depth - base_reduction / PLY).max(0)
}

/// Logarithms to base 2 in 1024ths, interpolated linearly between powers of two.
static LOG2: [i32; 64] = {
    let mut table = [0; 64];
    let mut n: i32 = 1;
    while n < 64 {
        let whole = n.ilog2() as i32;
        table[n as usize] = 1024 * whole + (n << 10 >> whole) - 1024;
        n += 1;
    }
    table
};
