//! What lets a node be left before its moves are looked at.

use super::history::PieceTo;
use super::node::NonPv;
use super::score::TB_WIN_IN_MAX_PLY;
use super::table::Stored;
use super::tree::Tree;
use super::tuning::*;
use crate::board::{PieceType, Position};

/// What a node is asked: beside the principal variation, whether its score is at least `beta`.
#[derive(Clone, Copy)]
pub struct Question {
    pub beta: i32,
    pub depth: i32,
    pub ply: usize,
    /// The answer is expected to be yes.
    pub cut: bool,
}

/// What a node out of check is worth before it is searched.
#[derive(Clone, Copy)]
pub struct Estimate {
    /// The evaluation as it is kept in the table.
    pub plain: i32,
    /// The evaluation corrected by experience.
    pub evaluation: i32,
    /// The evaluation, or the table's value where that says more.
    pub value: i32,
}

impl Tree<'_> {
    /// What experience adds to the evaluation of a node. Asked for before the table, so that the
    /// processor waits for the memory of both at once.
    pub fn correction(&self, position: &Position, ply: usize) -> i32 {
        self.history.correction(position, self.last_moves(ply))
    }

    /// The estimate of a node, noted for the plies after it; none in check.
    pub fn estimate(
        &mut self,
        position: &Position,
        stored: Option<Stored>,
        table_value: Option<i32>,
        ply: usize,
        correction: i32,
        in_check: bool,
    ) -> Option<Estimate> {
        let estimate = (!in_check).then(|| {
            let plain = match stored {
                Some(stored) => stored.evaluation,
                None => self.evaluate(position, ply),
            };
            let evaluation =
                (plain + correction).clamp(1 - TB_WIN_IN_MAX_PLY, TB_WIN_IN_MAX_PLY - 1);
            let value = match (stored, table_value) {
                (Some(stored), Some(value)) if stored.bound.tells_more_than(value, evaluation) => {
                    value
                }
                _ => evaluation,
            };
            Estimate { plain, evaluation, value }
        });
        self.ply(ply).evaluation = estimate.map(|estimate| estimate.evaluation);
        estimate
    }

    /// The score of a node beside the principal variation, if it can be told without a full search.
    pub fn prune(
        &mut self,
        position: &Position,
        question: Question,
        estimate: Estimate,
    ) -> Option<i32> {
        let Question { beta, depth, ply, cut } = question;
        let alpha = beta - 1;
        let improving = self.evaluation(ply, 0) > self.evaluation(ply, 2);
        let value = estimate.value;

        if depth <= RAZOR_DEPTH && value + RAZOR * depth < alpha && alpha < DECIDED {
            let score = self.quiescence::<NonPv>(position, alpha, beta, ply);
            if score <= alpha {
                return Some(score);
            }
        }

        let margin = REVERSE_FUTILITY * (depth - i32::from(improving));
        if depth <= REVERSE_FUTILITY_DEPTH
            && value - margin >= beta
            && value < TB_WIN_IN_MAX_PLY
            && beta > -DECIDED
        {
            return Some((value + beta) / 2);
        }

        if cut
            && depth >= 2
            && value >= beta
            && ply >= self.null_from
            && self.moved(ply, 1) != PieceTo::NONE
            && beta > -TB_WIN_IN_MAX_PLY
            && has_pieces(position)
        {
            let excess = ((value - beta) / NULL_EXCESS).min(3);
            let reduced = depth - NULL_LESS - depth / 4 - excess;
            let next = position.after_null();
            self.search.table.prefetch(next.key());
            self.enter_null(&next, ply);
            let score = -self.node::<NonPv>(&next, -beta, 1 - beta, reduced, ply + 1, !cut);
            self.leave();
            if self.is_stopped() {
                return Some(score);
            }
            if score >= beta {
                let score = if score >= TB_WIN_IN_MAX_PLY { beta } else { score };
                if depth < NULL_VERIFY_DEPTH || self.null_from > 0 {
                    return Some(score);
                }
                // So deep a cut is worth a look at whether it stands without passing.
                self.null_from = ply + 3 * reduced.max(1) as usize / 4;
                let verified = self.node::<NonPv>(position, beta - 1, beta, reduced, ply, false);
                self.null_from = 0;
                if verified >= beta {
                    return Some(score);
                }
            }
        }

        None
    }
}

/// Whether the side to move has more than king and pawns, so that passing is hardly ever best.
fn has_pieces(position: &Position) -> bool {
    let own = position.occupied_by(position.side());
    own.into_iter()
        .filter_map(|square| position.piece_at(square))
        .any(|piece| !matches!(piece.kind(), PieceType::King | PieceType::Pawn))
}
