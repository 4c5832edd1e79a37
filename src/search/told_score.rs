//! What a player of limited strength tells of its line: the score without the errors it plays by.

use super::root_move::RootMove;
use super::score::{DRAW, INFINITE, TB_WIN_IN_MAX_PLY};
use super::worker::Worker;
use crate::board::{MoveList, Position, Stage};
use crate::eval::{Evaluator, LARGEST_SCORE, Network};

/// Captures that are followed beyond the end of a line.
const MOST_CAPTURES: u32 = 8;

impl Worker<'_> {
    /// The score of a root move as it is told.
    pub fn told_score(&self, root_move: &RootMove) -> i32 {
        let Evaluator::Noisy(network, _) = &self.shared.task.evaluator else {
            return root_move.score;
        };
        // What is proven has no error in it.
        if root_move.score.abs() >= TB_WIN_IN_MAX_PLY {
            return root_move.score;
        }
        let mut position = self.shared.task.position;
        let mut keys = self.shared.task.key_history.clone();
        for &mv in &root_move.pv {
            keys.push(position.key());
            position = position.after(mv);
        }
        let is_draw = keys.contains(&position.key())
            || position.halfmoves() >= 100
            || position.is_insufficient()
            || !position.in_check() && position.legal_moves().is_empty();
        let score = match is_draw {
            true => DRAW,
            false => self.settled(network, &position, (-INFINITE, INFINITE), MOST_CAPTURES),
        };
        if root_move.pv.len().is_multiple_of(2) { score } else { -score }
    }

    /// The evaluation once all captures that win something are made.
    fn settled(
        &self,
        network: &Network,
        position: &Position,
        (mut alpha, beta): (i32, i32),
        captures: u32,
    ) -> i32 {
        let in_check = position.in_check();
        let mut moves = MoveList::new();
        let stage = if in_check { Stage::All } else { Stage::Noisy };
        position.generate(stage, &mut moves);
        let mut best = match in_check {
            true if moves.is_empty() => return -LARGEST_SCORE,
            true if captures > 0 => -INFINITE,
            _ => self.scaled(network.evaluate(position), 0, position),
        };
        if captures == 0 {
            return best;
        }
        moves.retain(|mv| in_check || position.see_ge(*mv, 1));
        for mv in moves {
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
            let next = position.after(mv);
            best = best.max(-self.settled(network, &next, (-beta, -alpha), captures - 1));
        }
        best
    }
}
