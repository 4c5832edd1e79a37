//! Pruning of whole nodes before their moves are searched, and of moves before they are made.

use super::history::MadeMove;
use super::lmr::{LoopMove, PLY, base_reduction, lmr_depth};
use super::move_picker::MovePicker;
use super::node::{Node, NonPv};
use super::report::{Bound, TB_WIN_IN_MAX_PLY};
use super::tt::{TtEntry, value_to_tt};
use super::tunables::Tunables;
use super::worker::Worker;
use crate::board::{Move, PieceType, Position};

impl Worker<'_> {
    /// Whether what the table knows of the position after the TT move, if anything, is on the same
    /// side of beta: repetitions make entries that contradict each other.
    pub fn confirms_cutoff(
        &self,
        position: &Position,
        tt_move: Option<Move>,
        depth: i32,
        value: i32,
        beta: i32,
    ) -> bool {
        let is_asked = depth >= self.tunables.tt_confirm_depth() && value.abs() < TB_WIN_IN_MAX_PLY;
        let Some(mv) = tt_move.filter(|_| is_asked) else { return true };
        let after = self.probe_tt(&position.after(mv)).value;
        after.is_none_or(|(after, _)| (value >= beta) == (-after >= beta))
    }

    /// The score of a node outside the principal variation, if it can be known without its moves.
    #[inline(always)]
    pub fn prune_node(&mut self, node: &Node) -> Option<i32> {
        self.razor(node)
            .or_else(|| self.reverse_futility(node))
            .or_else(|| self.null_move(node))
            .or_else(|| self.small_probcut(node))
            .or_else(|| self.probcut(node))
    }

    /// Razoring: a node far below alpha is left to the quiescence search, if that agrees.
    #[inline(always)]
    fn razor(&mut self, node: &Node) -> Option<i32> {
        let &Node { depth, original_alpha: alpha, beta, .. } = node;
        let tunables = self.tunables;
        if depth > tunables.razor_depth()
            || node.eval.refined + tunables.razor_margin() * depth >= alpha
            || alpha >= tunables.decided_score()
        {
            return None;
        }
        let score = self.quiescence::<NonPv>(node.position, alpha, beta);
        (score <= alpha).then_some(score)
    }

    /// Reverse futility pruning, also called static null move pruning: a node far above beta.
    #[inline(always)]
    fn reverse_futility(&self, node: &Node) -> Option<i32> {
        let &Node { position, depth, beta, .. } = node;
        let tunables = self.tunables;
        let eval = node.eval.refined;
        let margin = tunables.rfp_margin() * depth
            + tunables.rfp_margin_square() * depth * depth / 16
            - i32::from(node.improving) * tunables.rfp_improving()
            + tunables.rfp_correction() * node.eval.correction.abs() / 1024;
        let prunes = !node.tt_pv
            && depth <= tunables.rfp_depth()
            && (eval - margin.max(0) >= beta
                || eval - (margin - tunables.rfp_unattacked()).max(0) >= beta
                    && !is_attacked(position))
            && eval < TB_WIN_IN_MAX_PLY
            && beta > -tunables.decided_score();
        prunes.then_some((eval + 2 * beta) / 3)
    }

    /// Null move pruning: a node that passes and still fails high. From some depth on, a search
    /// without null moves in its first plies must confirm it, for fear of zugzwang.
    #[inline(always)]
    fn null_move(&mut self, node: &Node) -> Option<i32> {
        let &Node { position, depth, beta, cut_node, ply, .. } = node;
        let tunables = self.tunables;
        let eval = node.eval.refined;
        let margin = tunables.nmp_margin() - tunables.nmp_margin_depth() * depth;
        if !cut_node
            || depth < tunables.nmp_depth()
            || eval < beta + margin.max(0)
            || eval < node.eval.corrected
            || eval >= TB_WIN_IN_MAX_PLY
            || ply < self.nmp_min_ply
            || self.stack(-1).moved.is_null()
            || beta <= -TB_WIN_IN_MAX_PLY
            || node.singular_value(tunables).is_some()
            || self.has_good_capture(node)
            || !has_non_pawns(position)
        {
            return None;
        }
        let excess = (eval - beta).min(tunables.nmp_excess_limit());
        let reduction = tunables.nmp_base()
            + tunables.nmp_depth_factor() * depth
            + tunables.nmp_excess_factor() * excess
            + i32::from(node.improving) * tunables.nmp_improving();
        let reduced = depth - reduction / PLY;
        let next = position.after_null();
        self.shared.tt.prefetch(next.key());
        self.push_move(MadeMove::NULL, &next);
        let score = -self.search::<NonPv>(&next, -beta, 1 - beta, reduced, false);
        self.pop_move();
        if self.is_stopped() {
            return Some(score);
        }
        if score < beta {
            return None;
        }
        // A mate after a null move is unproven.
        let score = if score >= TB_WIN_IN_MAX_PLY { beta } else { score };
        if depth < tunables.nmp_verify_depth() || self.nmp_min_ply > 0 {
            return Some(score);
        }
        // Verification search
        self.nmp_min_ply = ply + (tunables.nmp_verify_share() * reduced.max(1) / 4) as usize;
        let verified = self.search::<NonPv>(position, beta - 1, beta, reduced, false);
        self.nmp_min_ply = 0;
        (verified >= beta).then_some(score)
    }

    /// Whether the TT says that capturing a piece fails high, which is better than passing.
    fn has_good_capture(&self, node: &Node) -> bool {
        let captures_piece = |mv| {
            let victim = node.position.captured(mv);
            victim.is_some_and(|piece| !piece.is(PieceType::Pawn))
        };
        node.tt.value.is_some_and(|(_, bound)| bound == Bound::Lower)
            && node.tt_move.is_some_and(captures_piece)
    }

    /// Small ProbCut: a search nearly as deep says that the node is far above beta.
    #[inline(always)]
    pub fn small_probcut(&self, node: &Node) -> Option<i32> {
        let &Node { depth, beta, .. } = node;
        let tunables = self.tunables;
        let raised = beta + tunables.small_probcut_margin();
        let value = node.tt.value_at_least()?;
        let prunes = node.tt.depth() >= depth - tunables.small_probcut_depth()
            && value >= raised
            && value.abs() < TB_WIN_IN_MAX_PLY
            && beta.abs() < tunables.decided_score();
        prunes.then_some(raised)
    }

    /// ProbCut: a good capture that beats beta by a margin in a shallower search will beat beta.
    #[inline(always)]
    fn probcut(&mut self, node: &Node) -> Option<i32> {
        let &Node { position, depth, beta, cut_node, eval, .. } = node;
        let tunables = self.tunables;
        let probcut_beta = beta + tunables.probcut_margin()
            - i32::from(node.improving) * tunables.probcut_improving();
        let tt_denies = match node.tt.value {
            Some((value, _)) => value < probcut_beta || value.abs() >= TB_WIN_IN_MAX_PLY,
            None => eval.corrected < beta,
        };
        let tt_move_is_quiet = node.tt_move.is_some() && !node.tt_move_is_noisy;
        if !cut_node
            || depth < tunables.probcut_depth()
            || beta.abs() >= tunables.decided_score()
            || tt_denies
            || tt_move_is_quiet
        {
            return None;
        }
        let deepest = (depth - tunables.probcut_reduction() - i32::from(node.improving)).max(0);
        let mut picker = MovePicker::noisy(node.tt_move, probcut_beta - eval.corrected, tunables);
        let context = self.move_context(position);
        while let Some(mv) = picker.next(self.history, &context, || false) {
            self.prefetch(position, Some(mv));
            let next = position.after(mv);
            self.push_move(MadeMove::new(position, mv, None), &next);
            let mut score = -self.quiescence::<NonPv>(&next, -probcut_beta, 1 - probcut_beta);
            // The more the quiescence search promises, the shallower is the search that is to confirm
            // it, and the higher its window. What that one denies is searched at full depth.
            let promised = (score - probcut_beta) / tunables.probcut_promise();
            let mut shallow = deepest - promised.clamp(0, deepest);
            let mut raised = probcut_beta;
            if score >= probcut_beta && shallow > 0 {
                raised += tunables.probcut_raise() * (deepest - shallow);
                score = -self.search::<NonPv>(&next, -raised, 1 - raised, shallow, false);
                if score < raised && shallow < deepest {
                    (shallow, raised) = (deepest, probcut_beta);
                    score = -self.search::<NonPv>(&next, -raised, 1 - raised, shallow, false);
                }
            }
            self.pop_move();
            if self.is_stopped() {
                return Some(score);
            }
            if score >= raised {
                let entry = TtEntry {
                    mv,
                    value: value_to_tt(score, node.ply),
                    raw_eval: eval.raw,
                    depth: shallow + 1,
                    bound: Some(Bound::Lower),
                    was_pv: node.tt_pv,
                };
                self.shared.tt.store(position.key(), entry);
                let is_proven = score.abs() >= TB_WIN_IN_MAX_PLY;
                return Some(if is_proven { score } else { score - (raised - beta) });
            }
        }
        None
    }
}

/// Whether anything of the side to move is attacked.
fn is_attacked(position: &Position) -> bool {
    let attacked = position.attacks(!position.side()).all();
    !(attacked & position.occupied_by(position.side())).is_empty()
}

/// Whether the side to move has pieces other than king and pawns: without them zugzwang is common.
pub fn has_non_pawns(position: &Position) -> bool {
    let own = position.occupied_by(position.side());
    own.into_iter()
        .filter_map(|square| position.piece_at(square))
        .any(|piece| !matches!(piece.kind(), PieceType::King | PieceType::Pawn))
}

/// What the move loop does with a move.
pub enum MovePruning {
    Search,
    Prune {
        /// With it all quiet moves after it that do not give check.
        quiets: bool,
        /// The score that the move is thought to reach at most, where there is one.
        score: Option<i32>,
    },
}

impl Node<'_> {
    /// Whether a move is pruned. Not asked before some move has a score above being mated.
    #[inline(always)]
    pub fn prune_move(&self, tunables: Tunables, mv: &LoopMove, alpha: i32) -> MovePruning {
        if alpha >= TB_WIN_IN_MAX_PLY {
            return MovePruning::Search;
        }
        let &LoopMove { mv, is_quiet, is_bad_noisy, history, count, base_reduction } = mv;
        let depth = self.depth;
        let lmr_depth = lmr_depth(depth, base_reduction);
        let loses =
            |threshold| depth <= tunables.see_depth() && !self.position.see_ge(mv, threshold);

        let mut late = is_quiet && self.prunes_quiets(tunables, count, alpha);
        let mut bad_history = false;
        let (prunes, futility) = if is_quiet {
            // History pruning
            bad_history = lmr_depth <= tunables.history_pruning_depth()
                && history < tunables.history_pruning_margin() * depth;
            // Futility pruning
            let value =
                self.futility(tunables, lmr_depth) + tunables.futility_history() * history / 1024;
            let futile = !self.in_check
                && lmr_depth <= tunables.futility_depth()
                && alpha < tunables.decided_score()
                && value <= alpha;
            late |= futile;
            // SEE pruning of quiet moves
            let margin = tunables.see_quiet_margin() * lmr_depth * lmr_depth;
            (late || bad_history || loses(margin), futile.then_some(value))
        } else {
            // Futility pruning of losing captures
            let value = self.eval.corrected
                + tunables.noisy_futility_base()
                + tunables.noisy_futility_margin() * depth
                + tunables.noisy_futility_history() * history / 1024;
            let futile = is_bad_noisy
                && !self.in_check
                && depth <= tunables.noisy_futility_depth()
                && value <= alpha;
            // SEE pruning of noisy moves
            let margin = tunables.see_noisy_margin() * depth
                - history / tunables.see_noisy_history_divisor();
            (futile || loses(margin.min(0)), futile.then_some(value))
        };
        // Checks leave few replies, so they may lose more.
        let is_spared = || {
            !bad_history
                && self.position.gives_check(mv)
                && !loses(tunables.see_check_margin() * depth)
        };
        if prunes && !is_spared() {
            MovePruning::Prune { quiets: late, score: futility }
        } else {
            MovePruning::Search
        }
    }

    /// Whether quiet moves from this count on are pruned unless they give check.
    #[inline(always)]
    pub fn prunes_quiets(&self, tunables: Tunables, count: i32, alpha: i32) -> bool {
        if self.in_check || alpha >= TB_WIN_IN_MAX_PLY {
            return false;
        }
        let depth = self.depth;
        // Late move pruning
        let most = (tunables.lmp_base() + depth * depth) / if self.improving { 1 } else { 2 };
        if count > most {
            return true;
        }
        // Futility pruning, with some slack: the histories of the moves are not known here.
        let lmr_depth = lmr_depth(depth, base_reduction(tunables, true, depth, count));
        lmr_depth <= tunables.futility_depth()
            && alpha < tunables.decided_score()
            && self.futility(tunables, lmr_depth) + tunables.futility_slack() <= alpha
    }

    fn futility(&self, tunables: Tunables, lmr_depth: i32) -> i32 {
        self.eval.corrected + tunables.futility_base() + tunables.futility_margin() * lmr_depth
    }
}
