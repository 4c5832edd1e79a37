//! Pruning of whole nodes before their moves are searched, and of moves before they are made.

use super::history::PieceTo;
use super::lmr::{LoopMove, base_reduction, lmr_depth};
use super::node::{Node, NonPv};
use super::score::TB_WIN_IN_MAX_PLY;
use super::tunables::Tunables;
use super::worker::Worker;
use crate::board::{PieceType, Position};

impl Worker<'_> {
    /// The score of a node outside the principal variation, if it can be known without its moves.
    #[inline(always)]
    pub fn prune_node(&mut self, node: &Node) -> Option<i32> {
        self.razor(node).or_else(|| self.reverse_futility(node)).or_else(|| self.null_move(node))
    }

    /// Razoring: a node far below alpha is left to the quiescence search, if that agrees.
    #[inline(always)]
    fn razor(&mut self, node: &Node) -> Option<i32> {
        let &Node { depth, alpha, beta, .. } = node;
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
        let &Node { depth, beta, .. } = node;
        let tunables = self.tunables;
        let eval = node.eval.refined;
        // A side that has just left a check counts as improving here.
        let improving = node.improving || self.static_eval(2).is_none();
        let margin = tunables.rfp_margin() * (depth - i32::from(improving));
        let prunes = depth <= tunables.rfp_depth()
            && eval - margin >= beta
            && eval < TB_WIN_IN_MAX_PLY
            && beta > -tunables.decided_score();
        prunes.then_some((eval + beta) / 2)
    }

    /// Null move pruning: a node that passes and still fails high. From some depth on, a search
    /// without null moves in its first plies must confirm it, for fear of zugzwang.
    #[inline(always)]
    fn null_move(&mut self, node: &Node) -> Option<i32> {
        let &Node { position, depth, beta, cut_node, ply, .. } = node;
        let tunables = self.tunables;
        let eval = node.eval.refined;
        if !cut_node
            || depth < tunables.nmp_depth()
            || eval < beta
            || ply < self.nmp_min_ply
            || self.moved(1) == PieceTo::NONE
            || beta <= -TB_WIN_IN_MAX_PLY
            || !has_non_pawns(position)
        {
            return None;
        }
        let by_eval = ((eval - beta) / tunables.nmp_eval_divisor()).min(tunables.nmp_eval_limit());
        let reduced = depth - tunables.nmp_base() - depth / tunables.nmp_depth_divisor() - by_eval;
        let next = position.after_null();
        self.shared.tt.prefetch(next.key());
        self.make_null_move(&next);
        let score = -self.search::<NonPv>(&next, -beta, 1 - beta, reduced, !cut_node);
        self.unmake_move();
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
}

/// Whether the side to move has pieces other than king and pawns: without them zugzwang is common.
fn has_non_pawns(position: &Position) -> bool {
    let own = position.occupied_by(position.side());
    own.into_iter()
        .filter_map(|square| position.piece_at(square))
        .any(|piece| !matches!(piece.kind(), PieceType::King | PieceType::Pawn))
}

/// What the move loop does with a move.
pub enum MovePruning {
    Search,
    Prune,
    /// Prune this move and all quiet ones after it that do not give check.
    PruneQuiets,
}

impl Node<'_> {
    /// Whether a move is pruned. Not asked before some move has a score above being mated.
    #[inline(always)]
    pub fn prune_move(&self, tunables: Tunables, mv: &LoopMove, alpha: i32) -> MovePruning {
        if alpha >= TB_WIN_IN_MAX_PLY {
            return MovePruning::Search;
        }
        let &LoopMove { mv, is_quiet, history, count, base_reduction } = mv;
        let depth = self.depth;
        let lmr_depth = lmr_depth(depth, base_reduction);
        let loses =
            |threshold| depth <= tunables.see_depth() && !self.position.see_ge(mv, threshold);

        let late = is_quiet && self.prunes_quiets(tunables, count, alpha);
        let prunes = if is_quiet {
            // History pruning
            let bad_history = lmr_depth <= tunables.history_pruning_depth()
                && history < tunables.history_pruning_margin() * depth;
            // SEE pruning of quiet moves
            late || bad_history || loses(tunables.see_quiet_margin() * lmr_depth * lmr_depth)
        } else {
            // SEE pruning of noisy moves
            loses(tunables.see_noisy_margin() * depth)
        };
        // Checks leave few replies, so they may lose more.
        match prunes {
            false => MovePruning::Search,
            true if self.position.gives_check(mv)
                && !loses(tunables.see_check_margin() * depth) =>
            {
                MovePruning::Search
            }
            true if late => MovePruning::PruneQuiets,
            true => MovePruning::Prune,
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
        // Futility pruning
        let lmr_depth = lmr_depth(depth, base_reduction(tunables, true, depth, count));
        lmr_depth <= tunables.futility_depth()
            && alpha < tunables.decided_score()
            && self.eval.corrected
                + tunables.futility_base()
                + tunables.futility_margin() * lmr_depth
                <= alpha
    }
}
