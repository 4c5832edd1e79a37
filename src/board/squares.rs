//! The bytes of the 64 squares in a vector: which squares hold what.

use bytemuck::must_cast;
use wide::u8x64;

use super::{Color, Piece, PieceType, Position, Square, SquareSet};

/// The bytes of the 64 squares, a1 to h8.
#[derive(Clone, Copy)]
pub(super) struct Squares(u8x64);

impl Squares {
    /// The halves of the ranks that are on the board, side by side.
    #[inline(always)]
    pub(super) fn of(position: &Position) -> Squares {
        let words = position.words();
        Squares(must_cast::<[u64; 8], u8x64>(std::array::from_fn(|rank| words[2 * rank])))
    }

    /// The squares that hold this byte.
    #[inline(always)]
    pub(super) fn equal(self, byte: u8) -> SquareSet {
        SquareSet::from_bits(self.0.simd_eq(u8x64::splat(byte)).to_bitmask())
    }

    /// The squares of which the byte has one of these bits.
    #[inline(always)]
    pub(super) fn with_bits(self, bits: u8) -> SquareSet {
        SquareSet::from_bits(meets(self.0, u8x64::splat(bits)))
    }
}

/// Pawns and kings have this bit, and no other piece.
pub(super) const PAWN_OR_KING: u8 = PieceType::Pawn.bits() & PieceType::King.bits();

impl Position {
    /// The squares on which a side's pieces stand.
    #[inline(always)]
    pub fn occupied_by(&self, color: Color) -> SquareSet {
        Squares::of(self).with_bits(color.bit())
    }

    /// Whether a side has pieces other than king and pawns: without them zugzwang is common.
    #[inline(always)]
    pub fn has_non_pawns(&self, color: Color) -> bool {
        let squares = Squares::of(self);
        !(squares.with_bits(color.bit()) & !squares.with_bits(PAWN_OR_KING)).is_empty()
    }

    /// The squares on which pieces of a type and color stand.
    #[inline(always)]
    pub fn squares_of(&self, piece: Piece) -> SquareSet {
        Squares::of(self).equal(piece.byte())
    }

    /// The squares on which pieces stand.
    #[inline(always)]
    pub fn occupied(&self) -> SquareSet {
        !Squares::of(self).equal(0)
    }

    /// All pieces with their squares, from a1 to h8.
    #[inline(always)]
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// The squares on which two positions differ.
    #[inline(always)]
    pub fn differences(&self, other: &Position) -> SquareSet {
        let (one, other) = (Squares::of(self).0, Squares::of(other).0);
        SquareSet::from_bits(!one.simd_eq(other).to_bitmask())
    }
}

/// The lanes of two vectors that share a bit.
#[inline(always)]
pub(super) fn meets(one: u8x64, other: u8x64) -> u64 {
    !(one & other).simd_eq(u8x64::splat(0)).to_bitmask()
}
