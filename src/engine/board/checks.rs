//! Checks and pins.

use super::bitboards::{diagonal_attacks, knight_attacks, pawn_attacks, straight_attacks};
use super::{Bitboards, Color, Move, Piece, Position, Square, SquareSet};

impl Position {
    /// Whether a side attacks a square.
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        let pieces = Bitboards::of(self);
        !(pieces.attackers(square, pieces.occupied()) & pieces.by(by)).is_empty()
    }

    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.is_attacked(self.king(self.side()), !self.side())
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> SquareSet {
        let pieces = Bitboards::of(self);
        pieces.attackers(self.king(self.side()), pieces.occupied()) & pieces.by(!self.side())
    }

    /// The pieces of a side that are pinned to their own king.
    pub fn pinned(&self, color: Color) -> SquareSet {
        let pieces = Bitboards::of(self);
        pieces.sliders_to(self.king(color), !color).1 & pieces.by(color)
    }

    /// Whether a legal move gives check.
    // Rarely called: out of line, it does not bloat the search.
    #[inline(never)]
    pub fn gives_check(&self, mv: Move) -> bool {
        self.after(mv).in_check()
    }
}

/// Answers whether moves of one position give check, for callers that ask about many.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// For each piece type, the squares from which it would give check; then their union.
    from: [SquareSet; 6],
    any: SquareSet,
    /// The pieces that would uncover a check: they stand between the enemy king and a slider of their own
    /// side.
    discoverers: SquareSet,
}

impl Position {
    /// Expensive: call it once per node and keep the result.
    pub fn checks(&self, pieces: &Bitboards) -> Checks {
        let (us, king, occupied) = (self.side(), self.king(!self.side()), pieces.occupied());
        let straight = straight_attacks(king, occupied);
        let diagonal = diagonal_attacks(king, occupied);
        let from = [
            pawn_attacks(!us, king),
            knight_attacks(king),
            diagonal,
            straight,
            straight | diagonal,
            SquareSet::NONE,
        ];
        let any = from[0] | from[1] | straight | diagonal;
        Checks { from, any, discoverers: pieces.sliders_to(king, us).1 & pieces.by(us) }
    }
}

impl Checks {
    /// Whether a legal move of the position gives check.
    #[inline(always)]
    pub fn has(&self, position: &Position, mv: Move) -> bool {
        // Rules out most moves before looking at the piece.
        let may = self.any.contains(mv.to()) || self.discoverers.contains(mv.from());
        (may || !mv.is_normal())
            && position.piece_at(mv.from()).is_some_and(|piece| self.has_by(position, mv, piece))
    }

    /// Like [`Checks::has`], for a caller that knows the piece.
    #[inline(always)]
    pub fn has_by(&self, position: &Position, mv: Move, piece: Piece) -> bool {
        if !mv.is_normal() || self.discoverers.contains(mv.from()) {
            return position.gives_check(mv);
        }
        self.from[piece.kind_index()].contains(mv.to())
    }
}
