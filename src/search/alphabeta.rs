//! The inner nodes: principal variation search.

use super::picker::Picker;
use super::report::Bound;
use super::score::{DRAW, INFINITE, LEAST_MATE, MATE, MAX_PLY};
use super::table::{Stored, from_table, to_table};
use super::tree::Tree;
use crate::board::{Kind, Move, MoveList, Position, Stage};
use crate::eval::evaluate;

/// From here on a score of the table may be a win that the fifty-move rule spoils.
const STALE_HALFMOVES: u16 = 80;

/// The score by which a shallow node must be above beta, for each ply of its depth, to be given up.
const FUTILITY: i32 = 90;

impl Tree<'_> {
    /// The score of a node after the root, for the side to move, as far as it lies between alpha
    /// and beta.
    pub fn node(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        ply: usize,
    ) -> i32 {
        let in_check = position.in_check();
        let depth = if in_check { depth + 1 } else { depth };
        if depth <= 0 || ply >= MAX_PLY - 1 {
            return self.quiescence(position, alpha, beta, ply);
        }
        self.lines[ply].clear();
        self.deepest = self.deepest.max(ply);
        if self.is_stopped() || self.is_draw(position, ply) {
            return DRAW;
        }
        // No line from here is better than a mate at once, nor worse than being mated now.
        alpha = alpha.max(ply as i32 - MATE);
        beta = beta.min(MATE - ply as i32 - 1);
        if alpha >= beta {
            return alpha;
        }

        let principal = beta - alpha > 1;
        let stored = self.search.table.probe(position.key());
        if let Some(stored) = stored
            && !principal
            && stored.depth >= depth
            && position.halfmoves() < STALE_HALFMOVES
        {
            let value = from_table(stored.value, ply);
            match stored.bound {
                Bound::Exact => return value,
                Bound::Lower if value >= beta => return value,
                Bound::Upper if value <= alpha => return value,
                Bound::Lower | Bound::Upper => {}
            }
        }
        let table_move = stored.map(|stored| stored.mv).filter(|&mv| position.is_legal(mv));
        let evaluation = stored.map_or_else(|| evaluate(position), |stored| stored.evaluation);

        if !principal && !in_check && beta.abs() < LEAST_MATE {
            if depth <= 6 && evaluation - FUTILITY * depth >= beta {
                return evaluation;
            }
            if depth >= 3 && evaluation >= beta && has_pieces(position) {
                let next = position.after_null();
                self.enter(&next);
                let value = -self.node(&next, -beta, 1 - beta, depth - 3 - depth / 4, ply + 1);
                self.leave();
                if value >= beta {
                    return if value >= LEAST_MATE { beta } else { value };
                }
            }
        }

        let first_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut quiets = MoveList::new();
        let mut tried = 0;
        let mut picker = Picker::new(position, Stage::All, table_move, self.history, ply);
        while let Some(mv) = picker.pick() {
            let quiet = !position.is_noisy(mv);
            let hopeless = best > -LEAST_MATE && !principal && !in_check && depth <= 4;
            if hopeless && quiet && tried > 4 + 2 * depth * depth {
                continue;
            }
            let next = position.after(mv);
            self.enter(&next);
            tried += 1;
            let full = depth - 1;
            let value = if tried == 1 {
                -self.node(&next, -beta, -alpha, full, ply + 1)
            } else {
                let late = depth >= 3 && quiet && !in_check && tried > 3;
                let less = if late { reduction(depth, tried, principal) } else { 0 };
                let mut value = -self.node(&next, -alpha - 1, -alpha, full - less, ply + 1);
                if value > alpha && less > 0 {
                    value = -self.node(&next, -alpha - 1, -alpha, full, ply + 1);
                }
                if value > alpha && value < beta {
                    value = -self.node(&next, -beta, -alpha, full, ply + 1);
                }
                value
            };
            self.leave();
            if self.is_stopped() {
                return best;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(mv);
                    self.set_line(ply, mv);
                }
                if value >= beta {
                    if quiet {
                        self.history.reward(position.side(), ply, depth, mv, &quiets);
                    }
                    break;
                }
            }
            if quiet {
                quiets.push(mv);
            }
        }
        if tried == 0 {
            return if in_check { ply as i32 - MATE } else { DRAW };
        }

        let bound = if best >= beta {
            Bound::Lower
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let mv = best_move.or(table_move).unwrap_or(Move::from_bits(0));
        let value = to_table(best, ply);
        self.search.table.store(position.key(), Stored { mv, value, evaluation, depth, bound });
        best
    }
}

/// How much less deep a late quiet move is looked at first.
pub fn reduction(depth: i32, tried: i32, principal: bool) -> i32 {
    let less = (depth.ilog2() * tried.ilog2() + 2) / 4;
    (less as i32 + i32::from(!principal)).clamp(0, depth - 2)
}

/// Whether the side to move has more than king and pawns, so that passing is hardly ever best.
fn has_pieces(position: &Position) -> bool {
    let own = position.pieces().filter(|(_, piece)| piece.color() == position.side());
    own.into_iter().any(|(_, piece)| !matches!(piece.kind(), Kind::King | Kind::Pawn))
}
