//! Legality of arbitrary 16 bits, such as a move from the transposition table.

use super::bitboards::{attacks, pawn_attacks};
use super::castling::can_castle;
use super::{
    Bitboards, CastlingSide, Color, Move, MoveKind, PieceType, Position, Square, SquareSet,
};

impl Position {
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_legal_among(mv, &Bitboards::of(self))
    }

    /// Like [`Position::is_legal`], for a caller that has the bitboards.
    pub fn is_legal_among(&self, mv: Move, pieces: &Bitboards) -> bool {
        let us = self.side();
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = self.piece_at(from).filter(|piece| piece.color() == us) else {
            return false;
        };
        match mv.kind() {
            None => false,
            Some(MoveKind::Castling) => {
                let has_right = |side| self.castling_rook(us, side) == Some(to);
                mover.is(PieceType::King)
                    && CastlingSide::BOTH.into_iter().any(has_right)
                    && !self.in_check()
                    && can_castle(
                        from,
                        to,
                        pieces.occupied(),
                        |rook| self.pinned(us).contains(rook),
                        |square| !self.is_attacked(square, !us),
                    )
            }
            Some(MoveKind::EnPassant) => {
                mover.is(PieceType::Pawn)
                    && self.en_passant() == Some(to)
                    && pawn_attacks(us, from).contains(to)
                    && self.en_passant_is_safe(from, to)
            }
            Some(kind) => {
                let promotes = matches!(kind, MoveKind::Promotion(_));
                let goes = if mover.is(PieceType::Pawn) {
                    promotes == (to.rank_for(us) == 7) && self.pawn_can_go(us, from, to)
                } else {
                    !promotes
                        && self.piece_at(to).is_none_or(|piece| piece.color() != us)
                        && attacks(mover, from, pieces.occupied()).contains(to)
                };
                goes && self.keeps_king_safe(mv, pieces)
            }
        }
    }

    /// Whether a pawn can make this advance or capture, king safety aside.
    fn pawn_can_go(&self, us: Color, from: Square, to: Square) -> bool {
        match self.piece_at(to) {
            Some(target) => target.color() != us && pawn_attacks(us, from).contains(to),
            None => {
                let once = from.step(us.forward());
                let twice = once.and_then(|square| square.step(us.forward()));
                once == Some(to)
                    || twice == Some(to)
                        && from.rank_for(us) == 1
                        && once.is_some_and(|square| self.is_empty(square))
            }
        }
    }

    /// Whether a move, neither castling nor en passant, leaves its own king unattacked.
    #[inline(always)]
    fn keeps_king_safe(&self, mv: Move, pieces: &Bitboards) -> bool {
        let (us, from, to) = (self.side(), mv.from(), mv.to());
        let king = if from == self.king(us) { to } else { self.king(us) };
        let (from, to) = (SquareSet::one(from), SquareSet::one(to));
        let attackers = pieces.attackers(king, pieces.occupied() & !from | to);
        (attackers & pieces.by(!us) & !to).is_empty()
    }
}
