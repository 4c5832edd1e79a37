//! The inputs of the network: every piece on its square, from each side's perspective, by where that
//! side's king stands.

use super::file::{INPUTS, KingBuckets};
use crate::board::{Color, Piece, Position, Square};

/// Where the other side's pieces begin among the inputs of a king bucket.
const OPPONENT: usize = INPUTS / 2;
const SQUARES: usize = 64;

/// The most pieces that a board can have.
pub const MAX_PIECES: usize = 32;

/// How a side looks at the board: with its own side below, mirrored horizontally if its king stands
/// on the right half, and with the weights of its king's bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective {
    color: Color,
    /// The bits of a square's index that differ from White's perspective.
    flip: u8,
    king_bucket: u8,
}

impl Perspective {
    pub const fn new(color: Color, king: Square, layout: &KingBuckets) -> Perspective {
        let ranks = match color {
            Color::White => 0,
            Color::Black => 56,
        };
        let files = if king.file() > 3 { 7 } else { 0 };
        let flip = ranks ^ files;
        let seen = king.dense() ^ flip;
        let king_bucket = layout[(4 * (seen / 8) + seen % 8) as usize];
        Perspective { color, flip, king_bucket }
    }

    #[inline(always)]
    pub fn of(position: &Position, color: Color, layout: &KingBuckets) -> Perspective {
        Perspective::new(color, position.king(color), layout)
    }

    /// One of two for each king bucket: the board mirrored or not.
    #[inline(always)]
    pub const fn refresh_index(self) -> usize {
        2 * self.king_bucket as usize + (self.flip & 1) as usize
    }

    /// The input of a piece on a square.
    #[inline(always)]
    pub fn input(self, piece: Piece, square: Square) -> u16 {
        let side = if piece.color() == self.color { 0 } else { OPPONENT };
        let square = (square.dense() ^ self.flip) as usize;
        let input = side + SQUARES * piece.kind().index() + square;
        (INPUTS * self.king_bucket as usize + input) as u16
    }
}

/// The output bucket of a position with this many pieces, kings included.
#[inline(always)]
pub const fn output_bucket(pieces: usize, buckets: usize) -> usize {
    (pieces - 1) * buckets / MAX_PIECES
}
