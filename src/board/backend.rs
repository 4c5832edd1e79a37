//! What a backend of the board must do, and the rules that follow from it.
//!
//! Backends differ in the processor they need: [`super::Scalar`] runs on every one, others hold all
//! lanes of a square in vector registers (AVX2, AVX-512). All give the same answers in the same
//! order.

use super::castling::can_castle;
use super::lanes::reaches;
use super::square::{EAST, WEST};
use super::{
    Attacks, CastlingSide, Color, Move, MoveKind, MoveList, Piece, PieceType, Position, Square,
    SquareSet, Stage,
};

pub trait Backend: Sized {
    const NAME: &'static str;

    /// Adds the legal moves of a stage but for captures en passant ([`Backend::generate`]).
    fn generate_usual(position: &Position, stage: Stage, list: &mut MoveList);

    /// The number of legal moves but for captures en passant.
    fn count_usual(position: &Position) -> u32;

    /// The number of legal moves.
    #[inline(always)]
    fn count(position: &Position) -> u32 {
        let usual = Self::count_usual(position);
        match position.en_passant() {
            None => usual,
            Some(target) => {
                let mut list = MoveList::new();
                push_en_passant::<Self>(position, target, &mut list);
                usual + list.len() as u32
            }
        }
    }

    /// The position after a legal move, in which `en_passant` is the square of the right to capture en
    /// passant ([`Backend::after`]).
    fn moved(position: &Position, mv: Move, en_passant: Option<Square>) -> Position;

    /// The squares on which a side's pieces stand.
    fn occupied_by(position: &Position, color: Color) -> SquareSet;

    /// The squares on which two positions differ.
    fn differences(one: &Position, other: &Position) -> SquareSet;

    /// Whether a piece that stands, or could stand, on `from` attacks `to`.
    fn sees(position: &Position, piece: Piece, from: Square, to: Square) -> bool;

    /// Whether a move, neither castling nor en passant, does not leave the own king attacked.
    fn keeps_king_safe(position: &Position, mv: Move) -> bool;

    /// The pieces that give check to the side to move.
    fn checkers(position: &Position) -> SquareSet;

    /// The pieces of a side that are pinned to their own king.
    fn pinned(position: &Position, color: Color) -> SquareSet;

    /// Whether a side attacks a square.
    fn is_attacked(position: &Position, square: Square, by: Color) -> bool;

    /// All squares that a side attacks, by type of piece.
    fn attacks(position: &Position, by: Color) -> Attacks;

    /// The squares that a queen or a knight on a square would attack.
    fn sight(position: &Position, from: Square) -> SquareSet;

    /// Whether a legal move gives check.
    fn gives_check(position: &Position, mv: Move) -> bool;

    /// Static exchange evaluation: whether a legal move and the captures that follow on its square
    /// bring at least `threshold`, each side taking with its least valuable piece and stopping when
    /// it likes.
    fn see_ge(position: &Position, mv: Move, threshold: i32) -> bool;

    /// Adds the legal moves of a stage to the list, in the order that `generate.rs` describes.
    #[inline(always)]
    fn generate(position: &Position, stage: Stage, list: &mut MoveList) {
        Self::generate_usual(position, stage, list);
        if stage.noisy()
            && let Some(target) = position.en_passant()
        {
            push_en_passant::<Self>(position, target, list);
        }
    }

    /// The position after a legal move.
    #[inline(always)]
    fn after(position: &Position, mv: Move) -> Position {
        Self::moved(position, mv, Self::en_passant_after(position, mv))
    }

    /// The square to which a pawn can legally be captured en passant once it has made this move.
    #[inline(always)]
    fn en_passant_after(position: &Position, mv: Move) -> Option<Square> {
        let (pawn, taker) =
            (PieceType::Pawn.of(position.side()), PieceType::Pawn.of(!position.side()));
        let goes_two_ranks = mv.from().coordinate().abs_diff(mv.to().coordinate()) == 0x20;
        let is_pawn = position.byte_at(mv.from()) == pawn.byte();
        // One question, not two: few moves do both, and a processor guesses best what is rare.
        if !(goes_two_ranks & is_pawn) {
            return None;
        }
        let is_taker = |square: Square| position.byte_at(square) == taker.byte();
        beside(mv.to()).any(is_taker).then(|| en_passant_if_legal::<Self>(position, mv)).flatten()
    }

    /// The square to which a pawn that has just gone two squares to `stop` can legally be captured en
    /// passant.
    fn legal_en_passant(position: &Position, stop: Square) -> Option<Square> {
        let us = position.side();
        let taker = PieceType::Pawn.of(us);
        let target = stop.step(us.forward())?;
        let is_pawn = position.piece_at(stop) == Some(PieceType::Pawn.of(!us));
        let legal = |from| {
            position.piece_at(from) == Some(taker)
                && Self::en_passant_is_safe(position, from, target)
        };
        (is_pawn && beside(stop).any(legal)).then_some(target)
    }

    /// Whether the king of the side to move is safe after a capture en passant. This is the only
    /// move by which two pieces leave a line at once, so it is simply tried.
    fn en_passant_is_safe(position: &Position, from: Square, to: Square) -> bool {
        let us = position.side();
        let after = Self::moved(position, Move::en_passant(from, to), None);
        !Self::is_attacked(&after, after.king(us), !us)
    }

    /// Whether any 16 bits, from a hash table say, are a legal move.
    fn is_legal(position: &Position, mv: Move) -> bool {
        let us = position.side();
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = position.piece_at(from).filter(|piece| piece.color() == us) else {
            return false;
        };
        match mv.kind() {
            None => false,
            Some(MoveKind::Castling) => {
                let has_right = |side| position.castling_rook(us, side) == Some(to);
                mover.is(PieceType::King)
                    && CastlingSide::BOTH.into_iter().any(has_right)
                    && !Self::is_attacked(position, from, !us)
                    && can_castle(
                        from,
                        to,
                        Self::occupied_by(position, us) | Self::occupied_by(position, !us),
                        |rook| Self::pinned(position, us).contains(rook),
                        |square| !Self::is_attacked(position, square, !us),
                    )
            }
            Some(MoveKind::EnPassant) => {
                mover.is(PieceType::Pawn)
                    && position.en_passant() == Some(to)
                    && reaches(mover, from, to)
                    && Self::en_passant_is_safe(position, from, to)
            }
            Some(kind) => {
                let promotes = matches!(kind, MoveKind::Promotion(_));
                let goes = if mover.is(PieceType::Pawn) {
                    promotes == (to.rank_for(us) == 7) && pawn_goes(position, us, from, to)
                } else {
                    !promotes
                        && position.piece_at(to).is_none_or(|piece| piece.color() != us)
                        && Self::sees(position, mover, from, to)
                };
                goes && Self::keeps_king_safe(position, mv)
            }
        }
    }
}

/// Adds the captures that come to this square, which are rare enough to be tried one by one.
#[cold]
fn push_en_passant<B: Backend>(position: &Position, target: Square, list: &mut MoveList) {
    let us = position.side();
    let pawn = PieceType::Pawn.of(us);
    for step in [WEST, EAST] {
        if let Some(from) = target.step(step - us.forward())
            && position.piece_at(from) == Some(pawn)
            && B::en_passant_is_safe(position, from, target)
        {
            list.push(Move::en_passant(from, target));
        }
    }
}

#[cold]
fn en_passant_if_legal<B: Backend>(position: &Position, mv: Move) -> Option<Square> {
    B::legal_en_passant(&B::moved(position, mv, None), mv.to())
}

/// The squares to the west and to the east.
#[inline(always)]
fn beside(square: Square) -> impl Iterator<Item = Square> {
    [WEST, EAST].into_iter().filter_map(move |step| square.step(step))
}

/// Whether a pawn can go or capture this way, if its king allows it.
fn pawn_goes(position: &Position, us: Color, from: Square, to: Square) -> bool {
    match position.piece_at(to) {
        Some(target) => target.color() != us && reaches(PieceType::Pawn.of(us), from, to),
        None => {
            let once = from.step(us.forward());
            let twice = once.and_then(|square| square.step(us.forward()));
            once == Some(to)
                || twice == Some(to)
                    && from.rank_for(us) == 1
                    && once.is_some_and(|square| position.is_empty(square))
        }
    }
}
