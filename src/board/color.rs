//! The two sides, and the board as each of them sees it.

use std::fmt;
use std::ops::Not;

use super::square::{NORTH, SOUTH, Square};

/// A side. The value is the bit that its pieces carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Color {
    White = 0x10,
    Black = 0x20,
}

impl Color {
    pub const BOTH: [Color; 2] = [Color::White, Color::Black];

    #[inline(always)]
    pub const fn bit(self) -> u8 {
        self as u8
    }

    /// 0 for White, 1 for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self as u8 >> 5) as usize
    }

    #[inline(always)]
    pub(super) const fn from_bit(bit: u8) -> Color {
        if bit & Color::Black.bit() == 0 { Color::White } else { Color::Black }
    }

    /// The step of this side's pawns.
    #[inline(always)]
    pub const fn forward(self) -> i8 {
        match self {
            Color::White => NORTH,
            Color::Black => SOUTH,
        }
    }

    /// The rank, counted from 0, on which this side's pieces start.
    #[inline(always)]
    pub const fn home_rank(self) -> u8 {
        match self {
            Color::White => 0,
            Color::Black => 7,
        }
    }
}

impl Square {
    /// The rank as this side counts it, from its own edge of the board.
    #[inline(always)]
    pub const fn rank_for(self, color: Color) -> u8 {
        match color {
            Color::White => self.rank(),
            Color::Black => 7 - self.rank(),
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Color::White => "White",
            Color::Black => "Black",
        })
    }
}

impl Not for Color {
    type Output = Color;

    #[inline(always)]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}
