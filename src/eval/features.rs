//! What the network sees of a position: every piece on its square, as each side looks at them.

use crate::board::{Color, Piece, Position, Square};

/// Where the other side's pieces begin among the inputs, and each kind's squares.
const OTHER: usize = 384;
const SQUARES: usize = 64;

/// The most pieces that a board can have.
pub const PIECES: usize = 32;

/// How a side looks at the board: its own side is below, and its king on the left half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective {
    color: Color,
    /// The bits of a square's index that differ from how White sees it.
    flip: u8,
}

impl Perspective {
    pub const fn new(color: Color, king: Square) -> Perspective {
        let ranks = match color {
            Color::White => 0,
            Color::Black => 56,
        };
        let files = if king.file() > 3 { 7 } else { 0 };
        Perspective { color, flip: ranks ^ files }
    }

    #[inline(always)]
    pub fn of(position: &Position, color: Color) -> Perspective {
        Perspective::new(color, position.king(color))
    }

    /// Whether left and right are exchanged.
    #[inline(always)]
    pub const fn is_mirrored(self) -> bool {
        self.flip & 1 != 0
    }

    /// The input that a piece on a square switches on.
    #[inline(always)]
    pub fn input(self, piece: Piece, square: Square) -> usize {
        let side = if piece.color() == self.color { 0 } else { OTHER };
        side + SQUARES * piece.kind().index() + (square.dense() ^ self.flip) as usize
    }
}

/// Which of the outputs judges a position with so many pieces, kings included.
#[inline(always)]
pub const fn bucket(pieces: usize, buckets: usize) -> usize {
    (pieces - 1) * buckets / PIECES
}
