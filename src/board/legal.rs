//! Whether any 16 bits, from a hash table say, are a legal move.

use super::castling::can_castle;
use super::lanes::{Board, pseudo_attacks};
use super::{CastlingSide, Color, Move, MoveKind, PieceType, Position, Square};

impl Position {
    pub fn is_legal(&self, mv: Move) -> bool {
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
                        self.occupied(),
                        |rook| self.pinned(us).contains(rook),
                        |square| !self.is_attacked(square, !us),
                    )
            }
            Some(MoveKind::EnPassant) => {
                mover.is(PieceType::Pawn)
                    && self.en_passant() == Some(to)
                    && pseudo_attacks(mover, from, to)
                    && self.en_passant_is_safe(from, to)
            }
            Some(kind) => {
                let promotes = matches!(kind, MoveKind::Promotion(_));
                let goes = if mover.is(PieceType::Pawn) {
                    promotes == (to.rank_for(us) == 7) && self.pawn_can_go(us, from, to)
                } else {
                    !promotes
                        && self.piece_at(to).is_none_or(|piece| piece.color() != us)
                        && pseudo_attacks(mover, from, to)
                        && self.has_clear_lane(from, to)
                };
                goes && self.keeps_king_safe(mv)
            }
        }
    }

    /// Whether a pawn can go or capture this way, if its king allows it.
    fn pawn_can_go(&self, us: Color, from: Square, to: Square) -> bool {
        match self.piece_at(to) {
            Some(target) => {
                target.color() != us && pseudo_attacks(PieceType::Pawn.of(us), from, to)
            }
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

    /// Whether a move, neither castling nor en passant, does not leave the own king attacked.
    #[inline(always)]
    fn keeps_king_safe(&self, mv: Move) -> bool {
        let (us, from, to) = (self.side(), mv.from(), mv.to());
        let king = if from == self.king(us) { to } else { self.king(us) };
        let moved = Board::of(self).with(from, 0).with(to, self.byte_at(from));
        moved.lanes(king).attackers(!us) == 0
    }
}
