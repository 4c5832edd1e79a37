//! Which moves of a position give check, where many are asked about.

use super::lanes::reaches;
use super::{Move, Position, Square, SquareSet};

pub struct Checks<'a> {
    position: &'a Position,
    king: Square,
    /// What the enemy's king sees.
    sight: SquareSet,
}

impl<'a> Checks<'a> {
    pub fn of(position: &'a Position) -> Checks<'a> {
        let king = position.king(!position.side());
        Checks { position, king, sight: position.sight(king) }
    }

    /// Whether a legal move gives check. A piece that the king does not see discovers nothing when
    /// it leaves.
    #[inline(always)]
    pub fn has(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if !mv.is_normal() || self.sight.contains(from) {
            return self.tries(mv);
        }
        let piece = self.position.piece_at(from);
        self.sight.contains(to) && piece.is_some_and(|piece| reaches(piece, to, self.king))
    }

    /// The long way, which few moves need.
    #[inline(never)]
    fn tries(&self, mv: Move) -> bool {
        self.position.gives_check(mv)
    }
}
