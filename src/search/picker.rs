//! The order in which moves are tried.

use super::history::History;
use crate::board::lines::exchange_value;
use crate::board::{Move, MoveList, Position, Stage};

/// Moves of a node, the most promising first. They are sorted only as far as they are asked for.
pub struct Picker {
    moves: MoveList,
    ranks: [i32; 256],
    next: usize,
}

const TABLE_MOVE: i32 = 1 << 24;
const GOOD_CAPTURE: i32 = 1 << 20;
const KILLER: i32 = 1 << 19;
const BAD_CAPTURE: i32 = -(1 << 20);

impl Picker {
    pub fn new(
        position: &Position,
        stage: Stage,
        table_move: Option<Move>,
        history: &History,
        ply: usize,
    ) -> Picker {
        let mut moves = MoveList::new();
        position.generate(stage, &mut moves);
        let killers = history.killers(ply);
        let mut ranks = [0; 256];
        for (rank, &mv) in ranks.iter_mut().zip(&moves) {
            *rank = if Some(mv) == table_move {
                TABLE_MOVE
            } else if position.is_noisy(mv) {
                capture_rank(position, mv)
            } else if let Some(place) = killers.iter().position(|&killer| killer == Some(mv)) {
                KILLER - place as i32
            } else {
                history.of_quiet(position.side(), mv)
            };
        }
        Picker { moves, ranks, next: 0 }
    }

    /// The next move.
    pub fn pick(&mut self) -> Option<Move> {
        let left = self.next..self.moves.len();
        let best =
            left.reduce(|best, i| if self.ranks[i] > self.ranks[best] { i } else { best })?;
        self.moves.swap(self.next, best);
        self.ranks.swap(self.next, best);
        self.next += 1;
        Some(self.moves[self.next - 1])
    }
}

/// The most valuable victim first, taken by the least valuable piece; what loses material last.
fn capture_rank(position: &Position, mv: Move) -> i32 {
    let value = |piece: Option<crate::board::Piece>| piece.map_or(0, |p| exchange_value(p.kind()));
    let gain = value(position.captured(mv)) + mv.promoted().map_or(0, exchange_value);
    let base = if position.exchange_reaches(mv, 0) { GOOD_CAPTURE } else { BAD_CAPTURE };
    base + 16 * gain - value(position.piece_at(mv.from())) / 16
}
