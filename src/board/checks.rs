//! Checks and pins: who gives check, who is pinned, and which moves give check.

use super::lanes::{Board, NO_LANE, lane_between, pseudo_attacks, squares_on, unblocked};
use super::{Color, Move, Position, Square, SquareSet};

impl Position {
    /// Whether a side attacks a square.
    #[inline(always)]
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        Board::of(self).lanes(square).attackers(by) != 0
    }

    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.is_attacked(self.king(self.side()), !self.side())
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> SquareSet {
        let (us, king) = (self.side(), self.king(self.side()));
        squares_on(king, Board::of(self).lanes(king).checks_and_pins(us).checkers)
    }

    /// The pieces of a side that are pinned to their own king.
    pub fn pinned(&self, color: Color) -> SquareSet {
        let king = self.king(color);
        squares_on(king, Board::of(self).lanes(king).checks_and_pins(color).pinned)
    }

    /// Whether a lane joins two squares and no piece stands between them.
    #[inline(always)]
    pub(super) fn has_clear_lane(&self, from: Square, to: Square) -> bool {
        let lane = lane_between(from, to);
        lane != NO_LANE && unblocked(Board::of(self).lanes(from).occupied) >> (lane & 63) & 1 != 0
    }

    /// Whether a legal move gives check: it is made, on the board alone.
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side();
        let king = self.king(!us);
        if !mv.is_normal() {
            return self.after(mv).is_attacked(king, us);
        }
        let moved = Board::of(self).with(mv.from(), 0).with(mv.to(), self.byte_at(mv.from()));
        moved.lanes(king).attackers(us) != 0
    }
}

/// Which moves of a position give check, where many are asked about.
pub struct Checks<'a> {
    position: &'a Position,
    king: Square,
    /// From where a queen or a knight would give check: what a superpiece attacks from the king's square.
    superpiece_attacks: SquareSet,
}

impl<'a> Checks<'a> {
    pub fn of(position: &'a Position) -> Checks<'a> {
        let king = position.king(!position.side());
        let superpiece_attacks = Board::of(position).lanes(king).superpiece_attacks();
        Checks { position, king, superpiece_attacks: squares_on(king, superpiece_attacks) }
    }

    /// Whether a legal move gives check. Only a piece on a clear lane from the king can discover one.
    #[inline(always)]
    pub fn has(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if !mv.is_normal() || self.superpiece_attacks.contains(from) {
            return self.is_check_when_made(mv);
        }
        let piece = self.position.piece_at(from);
        self.superpiece_attacks.contains(to)
            && piece.is_some_and(|piece| pseudo_attacks(piece, to, self.king))
    }

    /// The long way, which few moves need.
    #[inline(never)]
    fn is_check_when_made(&self, mv: Move) -> bool {
        self.position.gives_check(mv)
    }
}
