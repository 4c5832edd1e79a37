//! The search of a node: principal variation search, fail-soft alpha-beta, with everything that cuts
//! off, prunes, extends and reduces in its place.
//!
//! Each step stands under its name. A rule that prunes whole nodes belongs beside razoring, one that
//! prunes moves beside late move pruning; its numbers go to `tunables.rs`.

use super::move_picker::MovePicker;
use super::ply::Ply;
use super::report::{
    Bound, DRAW, DRAW_SPREAD, Event, INFINITE, MATE, MAX_PLY, TB_WIN, TB_WIN_IN_MAX_PLY,
};
use super::root::SyzygyOptions;
use super::tt::{NO_DEPTH, TtEntry, value_to_tt};
use super::tunables::Tunables;
use super::worker::Worker;
use crate::board::{Move, MoveList, PieceType};

/// From this fifty-move counter on there are no TT cutoffs: the rule may spoil the entry's score.
const TT_CUTOFF_HALFMOVES: u16 = 90;

/// The result of a Syzygy probe enters the transposition table as from a search deeper by this.
const SYZYGY_DEPTH_BONUS: i32 = 6;

/// A ply, in the unit of reductions.
const PLY: i32 = 1024;

/// The kinds of node. On the principal variation a score can lie between the bounds; elsewhere the
/// window is null, and the question is only on which side of it the score lies.
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

impl Worker<'_> {
    /// The score of the present node for the side to move, a bound if it is outside the window. A fail
    /// high is expected of a cut node.
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

    /// The same where depth is left.
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
            // Mate distance pruning: no line is better than a mate at once, or worse than being mated.
            alpha = alpha.max(ply as i32 - MATE);
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        // Transposition table; the processor waits for it and for the correction at once.
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
            // At low depth a surprise is searched again rather than believed.
            && (cut_node == (value >= beta) || depth > tunables.tt_cutoff_depth())
        {
            if value >= beta
                && let Some(mv) = tt_move.filter(|_| !tt_move_is_noisy)
            {
                self.history.reward_quiet(self.stack, mv, depth);
                let (moves, malus) = (tunables.refuted_moves(), tunables.refuted_tt_malus());
                self.history.refute_last_move(self.stack, moves, malus);
            }
            // The opponent's late move was good.
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

        // Syzygy WDL probe: cuts off, or bounds the score.
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

        // Static evaluation: with the correction, and refined by the TT value where its bound says more.
        // In check there is none.
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

        // Improvement: how far the static evaluation rose since the side's last move, or if it was in
        // check then, since the one before.
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

        // Hindsight: the last move's reduction is mended by what it led to.
        if !T::ROOT
            && !in_check
            && excluded.is_none()
            && let Some(eval_before) = self.stack[-1].static_eval
        {
            let (rise, reduction) = (eval + eval_before, self.stack[-1].reduction);
            if depth < tunables.eval_history_depth() || entry.is_none() {
                self.history.reward_last_move_by_eval(self.stack, rise);
            }
            if reduction >= tunables.hindsight_extension() && rise < 0 {
                depth += 1;
            } else if !tt_pv && depth >= 2 && reduction > 0 && rise > tunables.hindsight_reduction()
            {
                depth -= 1;
            }
        }

        let first_alpha = alpha;
        // The TT's value, if it is of a search deep enough to ask whether its move is singular.
        let singular_value = tt_value.filter(|&(value, bound)| {
            depth >= tunables.singular_depth() + i32::from(tt_pv)
                && tt_depth >= depth - tunables.singular_tt_depth()
                && bound != Bound::Upper
                && value.abs() < TB_WIN_IN_MAX_PLY
        });

        // Razoring: a node far below alpha is left to the quiescence search, if that agrees.
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

        // Reverse futility pruning, also called static null move pruning: a node far above beta, by less
        // where nothing is attacked.
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

        // Null move pruning: a node that passes and still fails high; not where the TT says that capturing
        // a piece does, and not without pieces, for fear of zugzwang.
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
                // A mate after a null move is unproven.
                let score = if score >= TB_WIN_IN_MAX_PLY { beta } else { score };
                if depth < tunables.nmp_verify_depth() || self.nmp_min_ply > 0 {
                    return score;
                }
                // Verification search: without null moves in its first plies.
                let plies = tunables.nmp_verify_share() * reduced.max(1) / 4;
                self.nmp_min_ply = ply + plies as usize;
                let verified = self.search::<NonPv>(beta - 1, beta, reduced, false);
                self.nmp_min_ply = 0;
                if verified >= beta {
                    return score;
                }
            }
        }

        // Small ProbCut: a search nearly as deep says that the node is far above beta.
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

        // ProbCut: a good capture that beats beta by a margin in a shallower search will beat beta.
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
            while let Some(mv) = picker.next(self.history, self.stack, || false) {
                self.prefetch(&position, Some(mv));
                self.make_move(mv, self.stack[0].moved(mv).untaught());
                let mut score = -self.quiescence::<NonPv>(-probcut_beta, 1 - probcut_beta);
                // The more the quiescence search promises, the shallower is the search that is to confirm
                // it, and the higher its window. What that one denies is searched at full depth.
                let promised = (score - probcut_beta) / tunables.probcut_promise();
                let mut shallow = deepest - promised.clamp(0, deepest);
                let mut raised = probcut_beta;
                if score >= probcut_beta && shallow > 0 {
                    raised += tunables.probcut_raise() * (deepest - shallow);
                    score = -self.search::<NonPv>(-raised, 1 - raised, shallow, false);
                    if score < raised && shallow < deepest {
                        (shallow, raised) = (deepest, probcut_beta);
                        score = -self.search::<NonPv>(-raised, 1 - raised, shallow, false);
                    }
                }
                self.unmake_move();
                if self.is_stopped() {
                    return score;
                }
                if score >= raised {
                    let entry = TtEntry {
                        mv,
                        value: value_to_tt(score, ply),
                        raw_eval,
                        depth: shallow + 1,
                        bound: Some(Bound::Lower),
                        was_pv: tt_pv,
                    };
                    self.shared.tt.store(position.key(), entry);
                    let is_proven = score.abs() >= TB_WIN_IN_MAX_PLY;
                    return if is_proven { score } else { score - (raised - beta) };
                }
            }
        }

        // Above beta, things need not improve any more.
        improving |= !in_check && eval >= beta;

        // Internal iterative reductions
        if (T::PV || cut_node) && depth >= tunables.iir_depth() && tt_move.is_none() {
            depth -= 1;
        }
        alpha = alpha.max(floor);

        // By how much the first move is extended, and the score that all others reach.
        let (mut extension, mut alternatives) = (0, None);
        if !T::ROOT
            && excluded.is_none()
            && ply < 2 * self.root_depth as usize
            && tt_move.is_some()
            && let Some((value, bound)) = singular_value
        {
            // Singular extensions: the node is searched without its TT move, if the table says that the
            // move fails high or is best, to see whether it stands out among all moves.
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
            if score < singular_beta {
                let margin = i32::from(T::PV) * tunables.double_extension_pv()
                    - i32::from(!tt_move_is_noisy) * tunables.double_extension_quiet()
                    - correction.abs() * tunables.double_extension_correction() / 1024;
                // A limit for each line, or some endgames are extended without end.
                let may_double = double_extensions < tunables.double_extension_limit();
                let stands_out = |more| may_double && score < singular_beta - margin - more;
                extension = 1
                    + i32::from(stands_out(tunables.double_extension_margin()))
                    + i32::from(stands_out(tunables.triple_extension_margin()));
            } else if score >= beta && score.abs() < TB_WIN_IN_MAX_PLY {
                // Multi-cut: other moves reach beta as well.
                return (score + beta) / 2;
            } else if score > value {
                // Another move beats the TT's value: the TT move is none.
                (tt_move, tt_move_is_noisy, alternatives) = (None, false, None);
            } else if value >= beta {
                extension = -tunables.multi_cut_reduction();
            } else if cut_node {
                extension = -tunables.cut_node_reduction();
            }
        } else if cut_node
            && !in_check
            && depth <= tunables.first_move_depth()
            && refined <= first_alpha - tunables.first_move_margin()
        {
            // First move extensions where it is too shallow for singular ones: a fail high is expected, the
            // evaluation does not tell why, and the move is what all hangs on.
            extension = 1;
        }

        // Late move pruning and futility pruning of all quiet moves from this count on but checks.
        let prunes_quiets = |depth: i32, count: i32, alpha: i32| {
            if in_check || alpha >= TB_WIN_IN_MAX_PLY {
                return false;
            }
            let most = (tunables.lmp_base() + depth * depth) / if improving { 1 } else { 2 };
            let lmr_depth = lmr_depth(depth, base_reduction(tunables, true, depth, count));
            // With some slack: the histories of the moves are not known here.
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
        // Limited strength: a player that sees few moves any more expects the others to keep the evaluation.
        if ply >= self.horizons[ply % 2] && !in_check && excluded.is_none() {
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
        // By how much the TT move turned out to be better than the others.
        let mut tt_move_lead: Option<i32> = None;
        // Zugzwang: without pieces any move may be the only one.
        let may_prune = !T::ROOT && has_non_pawns;
        let mut picker = MovePicker::all(tt_move, tunables);
        while let Some(mv) = picker.next(self.history, self.stack, || {
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
                // Checks leave few replies, so they may lose more.
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
                // Where one move is all that matters, its alternatives are looked at well.
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

            // Check extensions: near the root, for checks that lose nothing and for those with a single
            // reply. Farther away they cost too much.
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
                let value = tt_value.map(|(value, _)| value);
                let is_tt_deep = tt_depth >= depth;
                if !improving {
                    reduction += tunables.lmr_not_improving();
                }
                reduction -= (tunables.lmr_improvement() * improvement / 128)
                    .clamp(-tunables.lmr_improvement_more(), tunables.lmr_improvement_less());
                if best_move.is_some() {
                    reduction += tunables.lmr_raised_alpha();
                }
                if value.is_some_and(|value| value <= first_alpha) {
                    reduction += tunables.lmr_tt_fails_low();
                }
                if value.is_some() && !is_tt_deep {
                    reduction += tunables.lmr_tt_shallow();
                }
                if T::PV {
                    let width = (beta - first_alpha).min(self.root_delta);
                    reduction -=
                        tunables.lmr_pv() + tunables.lmr_pv_width() * width / self.root_delta;
                }
                if is_quiet && !in_check {
                    let limit = tunables.lmr_gap_limit();
                    reduction += tunables.lmr_gap() * (first_alpha - refined).clamp(-limit, limit);
                }
                if tt_pv {
                    reduction -= tunables.lmr_tt_pv();
                    if value.is_some_and(|value| value > first_alpha) {
                        reduction -= tunables.lmr_tt_pv_fails_high();
                    }
                    if value.is_some() && is_tt_deep {
                        reduction -= tunables.lmr_tt_pv_deep();
                    }
                } else if cut_node {
                    reduction += tunables.lmr_cut_node();
                    if tt_move.is_none() {
                        reduction += tunables.lmr_cut_node_no_tt_move();
                    }
                }
                if tt_move_is_noisy && is_quiet {
                    reduction += tunables.lmr_noisy_tt_move();
                }
                if gives_check {
                    reduction -= tunables.lmr_check();
                }
                if T::ROOT && (!is_quiet || gives_check) {
                    reduction -= tunables.lmr_root_forcing();
                }
                if self.stack[0].cutoff_count > tunables.lmr_cutoff_count() as u32 {
                    reduction += tunables.lmr_cutoffs();
                    if !T::PV && !cut_node {
                        reduction += tunables.lmr_cutoffs_all_node();
                    }
                }
                if let Some(lead) = tt_move_lead {
                    let more = tunables.lmr_lead() * (lead - tunables.lmr_lead_offset()) / 128;
                    reduction += more.clamp(0, tunables.lmr_lead_limit());
                }
                let divisor = if is_quiet {
                    tunables.lmr_history_divisor()
                } else {
                    tunables.lmr_capture_history_divisor()
                };
                reduction -= PLY * history / divisor;
                reduction -= correction.abs() * tunables.lmr_correction();
            }

            let mut score = -INFINITE;
            if depth >= tunables.lmr_depth() && move_count > 1 + i32::from(T::ROOT) {
                // A reduced null-window search, and if it fails high, one that is not reduced, or deeper
                // or shallower by how well the move did.
                let reduced = new_depth - reduction / PLY + i32::from(T::PV);
                let reduced = reduced.clamp(1.min(new_depth), new_depth.max(1) + 1);
                self.stack[-1].reduction = PLY * (new_depth - reduced);
                score = -self.search::<NonPv>(-alpha - 1, -alpha, reduced, true);
                self.stack[-1].reduction = 0;
                researched = false;
                if score > alpha {
                    // What was not reduced needs no second search one ply deeper.
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
                // Full-depth search: a ply or two less where a late move would be reduced by much.
                if Some(mv) == tt_move {
                    reduction -= tunables.full_depth_tt_move();
                }
                let less = i32::from(reduction >= tunables.full_depth_one_less())
                    + i32::from(reduction >= tunables.full_depth_two_less());
                let reduced = (new_depth - less).max(1.min(new_depth));
                score = -self.search::<NonPv>(-alpha - 1, -alpha, reduced, !cut_node);
            }
            // Principal variation search: the full window for the first move of a PV node, and for those
            // that beat it.
            if T::PV && (move_count == 1 || score > alpha) {
                // What the table knows from a search is not left to the quiescence search.
                if Some(mv) == tt_move && tt_depth > 1 {
                    new_depth = new_depth.max(1);
                }
                score = -self.search::<Pv>(-beta, -alpha, new_depth, false);
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
                // Raised alpha: it is hard to beat, and at middle depths the others are searched less deep.
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

        // Checkmate and stalemate; a weaker player may not see the moves that there are.
        if move_count == 0 {
            return match excluded {
                Some(_) => alpha,
                None if in_check => ply as i32 - MATE,
                None if self.stack.sight.is_some() && !position.legal_moves().is_empty() => eval,
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

        // Fail-high blending: a score far above beta says less the shallower it is.
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

        // A node where all moves failed low keeps to the PV that its parent was on.
        let keeps_pv = !T::ROOT && bound == Bound::Upper && move_count > 2 && self.stack[-1].tt_pv;
        let entry = TtEntry {
            mv: best_move.or(tt_move.filter(|_| !T::ROOT)).unwrap_or(Move::NONE),
            value: value_to_tt(best, ply),
            raw_eval,
            depth,
            bound: Some(bound),
            was_pv: tt_pv || keeps_pv,
        };
        self.shared.tt.store(position.key(), entry);
        best
    }

    /// Whether what the table knows of the position after the TT move, if anything, is on the same
    /// side of beta as a cutoff's value: repetitions make entries that contradict each other.
    fn confirms_cutoff(&self, tt_move: Move, value: i32, beta: i32) -> bool {
        let next = self.stack[0].position.after(tt_move);
        let entry = self.shared.tt.probe(next.key());
        let after = entry.and_then(|entry| entry.value_at(self.stack.ply(), next.halfmoves()));
        after.is_none_or(|(after, _)| (value >= beta) == (-after >= beta))
    }

    /// What the tables say a node is worth. Wins may be worth more: there may be a mate. Only
    /// positions after a zeroing move are probed: WDL tables know nothing of the fifty-move counter.
    #[cold]
    fn probe_wdl(&mut self, depth: i32) -> Option<(i32, Bound)> {
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
            depth: depth + SYZYGY_DEPTH_BONUS,
            bound: Some(bound),
            was_pv: false,
        };
        self.shared.tt.store(position.key(), entry);
        Some((value, bound))
    }
}

/// The reduction by depth and move count: a base and a factor for the product of their logarithms.
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

/// The depth at which a move would be searched after its base reduction: what margins of the move
/// loop are measured by.
#[inline(always)]
fn lmr_depth(depth: i32, base_reduction: i32) -> i32 {
    (depth - base_reduction / PLY).max(0)
}

/// Logarithms to base 2 in 1024ths, linear between powers of two.
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
