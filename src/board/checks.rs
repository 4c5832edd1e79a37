//! Checks and pins: who gives check, who is pinned, and which moves give check.

use super::lanes::{NO_LANE, lane, reaches, squares_of};
use super::view::Board;
use super::{Color, Move, Position, Square, SquareSet};

impl Position {
    /// Whether a side attacks a square.
    #[inline(always)]
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        Board::of(self).look(square).attackers(by) != 0
    }

    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.is_attacked(self.king(self.side()), !self.side())
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> SquareSet {
        let (us, king) = (self.side(), self.king(self.side()));
        squares_of(king, Board::of(self).look(king).check_lanes(us).checkers)
    }

    /// The pieces of a side that are pinned to their own king.
    pub fn pinned(&self, color: Color) -> SquareSet {
        let king = self.king(color);
        squares_of(king, Board::of(self).look(king).check_lanes(color).pinned)
    }

    /// Whether a lane joins two squares and no piece stands between them.
    #[inline(always)]
    pub(super) fn sees(&self, from: Square, to: Square) -> bool {
        let lane = lane(from, to);
        lane != NO_LANE && Board::of(self).look(from).seen() >> (lane & 63) & 1 != 0
    }

    /// The squares that a queen or a knight on a square would attack.
    #[inline(always)]
    pub fn sight(&self, from: Square) -> SquareSet {
        squares_of(from, Board::of(self).look(from).reach())
    }

    /// Whether a legal move gives check: it is made, on the board alone, and the enemy's king looks.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side();
        let king = self.king(!us);
        if !mv.is_normal() {
            return self.after(mv).is_attacked(king, us);
        }
        let moved = Board::of(self).with(mv.from(), 0).with(mv.to(), self.byte_at(mv.from()));
        moved.look(king).attackers(us) != 0
    }
}

/// Which moves of a position give check, where many are asked about.
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
