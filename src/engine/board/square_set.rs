//! Sets of squares: the answers to questions about a board, never the board itself.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not};

use super::Square;

/// A set of squares, one bit each by [`Square::index`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct SquareSet(u64);

impl SquareSet {
    pub const NONE: SquareSet = SquareSet(0);
    pub const ALL: SquareSet = SquareSet(!0);

    #[inline(always)]
    pub const fn from_bits(bits: u64) -> SquareSet {
        SquareSet(bits)
    }

    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }

    #[inline(always)]
    pub const fn one(square: Square) -> SquareSet {
        SquareSet(1 << square.index())
    }

    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    #[inline(always)]
    pub fn insert(&mut self, square: Square) {
        *self |= SquareSet::one(square);
    }
}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = Iter;

    #[inline(always)]
    fn into_iter(self) -> Iter {
        Iter(self.0)
    }
}

/// The squares of a set, from a1 to h8.
pub struct Iter(u64);

impl Iterator for Iter {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::from_index(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(square)
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        squares.into_iter().fold(SquareSet::NONE, |set, square| set | SquareSet::one(square))
    }
}

impl BitXor for SquareSet {
    type Output = SquareSet;

    #[inline(always)]
    fn bitxor(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 ^ other.0)
    }
}

impl BitAnd for SquareSet {
    type Output = SquareSet;

    #[inline(always)]
    fn bitand(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & other.0)
    }
}

impl BitOr for SquareSet {
    type Output = SquareSet;

    #[inline(always)]
    fn bitor(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 | other.0)
    }
}

impl BitOrAssign for SquareSet {
    #[inline(always)]
    fn bitor_assign(&mut self, other: SquareSet) {
        self.0 |= other.0;
    }
}

impl Not for SquareSet {
    type Output = SquareSet;

    #[inline(always)]
    fn not(self) -> SquareSet {
        SquareSet(!self.0)
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
