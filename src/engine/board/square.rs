//! 0x88: the squares of the board.
//!
//! The board is 16 columns by 8 rows, of which the left half is played on. A coordinate is `16 * rank +
//! file`, and every step off the board, in any direction, sets one of the two bits of 0x88.

use std::fmt;
use std::str::FromStr;

/// The bits that no square on the board has.
pub const OFF_BOARD: u8 = 0x88;

/// The differences of coordinates for one step north, south, east or west.
pub const NORTH: i8 = 16;
pub const SOUTH: i8 = -NORTH;
pub const EAST: i8 = 1;
pub const WEST: i8 = -EAST;

/// The eight directions of a queen, in ascending order: `RAYS[7 - d]` is the opposite of `RAYS[d]`.
pub const RAYS: [i8; 8] =
    [SOUTH + WEST, SOUTH, SOUTH + EAST, WEST, EAST, NORTH + WEST, NORTH, NORTH + EAST];

/// The eight jumps of a knight, in ascending order.
pub const JUMPS: [i8; 8] = [-33, -31, -18, -14, 14, 18, 31, 33];

/// A square on the board: its 0x88 coordinate, 0x00 (a1) to 0x77 (h8).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with this 0x88 coordinate, if it is on the board.
    #[inline(always)]
    pub const fn at(coordinate: u8) -> Option<Square> {
        if coordinate & OFF_BOARD == 0 { Some(Square(coordinate)) } else { None }
    }

    /// The square on this file and rank, both counted from 0.
    #[inline(always)]
    pub const fn new(file: u8, rank: u8) -> Option<Square> {
        if file < 8 && rank < 8 { Some(Square(rank << 4 | file)) } else { None }
    }

    /// The square with this index among the 64 (see [`Square::index`]); higher bits are ignored.
    #[inline(always)]
    pub const fn from_index(index: u8) -> Square {
        Square(index & 7 | (index & 0x38) << 1)
    }

    /// The square with a 0x88 coordinate that is known to be on the board.
    #[inline(always)]
    pub(super) const fn known(coordinate: u8) -> Square {
        debug_assert!(coordinate & OFF_BOARD == 0);
        Square(coordinate & !OFF_BOARD)
    }

    /// All squares: a1, b1, … h8.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square::from_index)
    }

    /// The 0x88 coordinate.
    #[inline(always)]
    pub const fn coordinate(self) -> u8 {
        // The mask tells the compiler what the type tells the reader.
        self.0 & !OFF_BOARD
    }

    /// The index among the 64 squares, `8 * rank + file`, for everything outside the board.
    #[inline(always)]
    pub const fn index(self) -> u8 {
        self.0 & 7 | self.0 >> 1 & 0x38
    }

    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    #[inline(always)]
    pub const fn rank(self) -> u8 {
        self.coordinate() >> 4
    }

    pub const fn is_light(self) -> bool {
        (self.file() + self.rank()) & 1 == 1
    }

    /// One step of this size, or `None` where it leaves the board.
    #[inline(always)]
    pub const fn step(self, step: i8) -> Option<Square> {
        Square::at(self.0.wrapping_add_signed(step))
    }

    /// The squares reached by repeating a step up to the edge of the board.
    #[inline(always)]
    pub fn ray(self, step: i8) -> impl Iterator<Item = Square> {
        std::iter::successors(self.step(step), move |square| square.step(step))
    }

    pub const fn file_letter(self) -> char {
        (b'a' + self.file()) as char
    }

    pub const fn rank_digit(self) -> char {
        (b'1' + self.rank()) as char
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.file_letter(), self.rank_digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not the name of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a square")]
pub struct NotASquare;

impl FromStr for Square {
    type Err = NotASquare;

    fn from_str(name: &str) -> Result<Square, NotASquare> {
        match name.as_bytes() {
            &[file, rank] => Square::new(file.wrapping_sub(b'a'), rank.wrapping_sub(b'1')),
            _ => None,
        }
        .ok_or(NotASquare)
    }
}
