//! Zobrist keys: a random number for each fact about a position. The key of a position is the xor of the
//! numbers of its facts.
//!
//! The numbers come from a seeded generator at build time (`src/build.rs`). All are different, and none is 0.

use super::{Color, Piece, PieceType, Square};

static DRAWN: [u64; 793] = include!(concat!(env!("OUT_DIR"), "/zobrist_keys.rs"));

const CASTLING: usize = 12 * 64;
const EN_PASSANT: usize = CASTLING + 2 * 8;
const SIDE: usize = EN_PASSANT + 8;

/// By piece row and 0x88 coordinate. Row 0, an empty square, is all zeros, so that captures need no branch.
static PIECES: [[u64; 128]; 32] = {
    let mut table = [[0; 128]; 32];
    let mut next = 0;
    let mut color = 0;
    while color < 2 {
        let mut kind = 0;
        while kind < 6 {
            let row = Piece::new(Color::BOTH[color], PieceType::ALL[kind]).row();
            let mut square = 0;
            while square < 64 {
                table[row][Square::from_index(square).coordinate() as usize] = DRAWN[next];
                next += 1;
                square += 1;
            }
            kind += 1;
        }
        color += 1;
    }
    table
};

#[inline(always)]
pub const fn piece(piece: Piece, square: Square) -> u64 {
    of_byte(piece.byte(), square)
}

/// [`piece`] for a byte of the board: 0 for an empty square.
#[inline(always)]
pub(super) const fn of_byte(byte: u8, square: Square) -> u64 {
    PIECES[Piece::row_of(byte)][square.coordinate() as usize]
}

/// The right of this side to castle with its rook on this file.
#[inline(always)]
pub fn castling(color: Color, file: u8) -> u64 {
    DRAWN[CASTLING + 8 * color.index() + (file & 7) as usize]
}

/// A legal en-passant capture on this file.
#[inline(always)]
pub fn en_passant(file: u8) -> u64 {
    DRAWN[EN_PASSANT + (file & 7) as usize]
}

#[inline(always)]
pub const fn black_to_move() -> u64 {
    DRAWN[SIDE]
}

/// All numbers.
pub fn all() -> &'static [u64] {
    &DRAWN
}
