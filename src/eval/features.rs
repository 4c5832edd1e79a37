//! The inputs of the network: every piece on its square, from each side's perspective, by where that
//! side's king stands.

use super::file::{INPUTS, KingBuckets};
use crate::board::{Color, MAX_PIECES, Piece, PieceType, Position, Square};

/// Where the other side's pieces begin among the inputs of a king bucket.
const OPPONENT: usize = INPUTS / 2;
const SQUARES: usize = 64;

/// The input of each piece on a1 as each side sees it, by [`Piece::row`]; 0 for an empty square.
static ON_A1: [[u16; 32]; 2] = {
    let mut table = [[0; 32]; 2];
    let mut i = 0;
    while i < 24 {
        let (side, color) = (Color::BOTH[i / 12], Color::BOTH[i / 6 % 2]);
        let kind = PieceType::ALL[i % 6];
        let offset = if i / 12 == i / 6 % 2 { 0 } else { OPPONENT };
        table[side.index()][kind.of(color).row()] = (offset + SQUARES * kind.index()) as u16;
        i += 1;
    }
    table
};

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
        let seen = king.index() ^ flip;
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
        self.input_if(Some(piece), square)
    }

    /// The input of a piece on a square; of none any number, so that no branch is needed.
    #[inline(always)]
    pub fn input_if(self, piece: Option<Piece>, square: Square) -> u16 {
        let row = piece.map_or(0, Piece::row);
        INPUTS as u16 * u16::from(self.king_bucket)
            + ON_A1[self.color.index()][row]
            + u16::from(square.index() ^ self.flip)
    }
}

/// The output bucket of a position with this many pieces, kings included.
#[inline(always)]
pub const fn output_bucket(pieces: usize, buckets: usize) -> usize {
    (pieces - 1) * buckets / MAX_PIECES
}
