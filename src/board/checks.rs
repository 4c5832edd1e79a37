//! Which moves of a position give check, for those who ask about many.

use super::attacks::{Backend, reaches};
use super::{Move, Position, Square, SquareSet};

pub struct Checks<'a> {
    position: &'a Position,
    king: Square,
    /// What the enemy's king sees.
    sight: SquareSet,
}

impl<'a> Checks<'a> {
    pub fn of<B: Backend>(position: &'a Position) -> Checks<'a> {
        let king = position.king(!position.side());
        Checks { position, king, sight: B::sight(position, king) }
    }

    /// Whether a legal move gives check. A piece that the king does not see uncovers nothing when it
    /// leaves.
    pub fn has<B: Backend>(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if !mv.is_normal() || self.sight.contains(from) {
            return B::gives_check(self.position, mv);
        }
        let piece = self.position.piece_at(from);
        self.sight.contains(to) && piece.is_some_and(|piece| reaches(piece, to, self.king))
    }
}
