//! The inputs of the network: every piece on its square, from each side's perspective, by where that
//! side's king stands; and every piece in danger on its square, wherever the king stands.

use wide::u16x32;

use super::file::{INPUTS, KingBuckets, THREAT_INPUTS};
use crate::board::{Color, MAX_PIECES, Piece, PieceType, Position, Square};

/// Where the other side's pieces begin among the inputs of a king bucket.
const OPPONENT: usize = INPUTS / 2;
const SQUARES: usize = 64;

/// The place of each piece on a1 as White sees it, by [`Piece::row`]; 0 for an empty square.
static ON_A1: [u16; 32] = {
    let mut table = [0; 32];
    let mut i = 0;
    while i < 12 {
        let (color, kind) = (Color::BOTH[i / 6], PieceType::ALL[i % 6]);
        table[kind.of(color).row()] = (OPPONENT * (i / 6) + SQUARES * kind.index()) as u16;
        i += 1;
    }
    table
};

/// The place of a piece on a square among a block of inputs, as White sees it from a board that is not
/// mirrored; of none any place, so that no branch is needed.
#[inline(always)]
pub fn place(piece: Option<Piece>, square: Square) -> u16 {
    ON_A1[piece.map_or(0, Piece::row)] + u16::from(square.index())
}

/// How a side looks at the board: with its own side below.
///
/// Horizontal mirroring: its king is on the left half. King buckets: the weights depend on where.
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
        self.one(piece, square, THREAT_INPUTS as u16)
    }

    /// The input of a piece in danger.
    #[inline(always)]
    pub fn threat_input(self, piece: Piece, square: Square, danger: u16) -> u16 {
        self.one(piece, square, INPUTS as u16 * (danger - 1))
    }

    fn one(self, piece: Piece, square: Square, first: u16) -> u16 {
        let [place, first] = [place(Some(piece), square), first].map(u16x32::splat);
        self.inputs(place, first).as_array()[0]
    }

    /// Inputs by their places as White sees them, and the first input of their kind.
    #[inline(always)]
    pub(super) fn inputs(self, places: u16x32, firsts: u16x32) -> u16x32 {
        let half = u16x32::splat(OPPONENT as u16);
        let own = match self.color {
            Color::White => places,
            // The sides change halves: the difference of a place in the first half is no small number.
            Color::Black => (places + half).min(places - half),
        };
        let of_pieces = firsts.simd_eq(u16x32::splat(THREAT_INPUTS as u16));
        let bucket = u16x32::splat(INPUTS as u16 * u16::from(self.king_bucket));
        (own ^ u16x32::splat(u16::from(self.flip))) + firsts + (bucket & of_pieces)
    }
}

/// Output buckets: that of a position with this many pieces, kings included.
#[inline(always)]
pub const fn output_bucket(pieces: usize, buckets: usize) -> usize {
    (pieces - 1) * buckets / MAX_PIECES
}

/// At most two inputs for each piece; they are read in whole vectors.
const VECTORS: usize = 2 * MAX_PIECES / GROUP + 1;
const GROUP: usize = 32;

/// What is on some squares: a list of inputs that is written once, without a side, and then read from
/// both perspectives.
pub struct Inputs {
    /// The places of pieces as White sees them, and the first input of their kind.
    places: [u16x32; VECTORS],
    firsts: [u16x32; VECTORS],
    count: usize,
}

/// The same list from one perspective.
pub struct OneSideInputs {
    list: [u16x32; VECTORS],
    count: usize,
}

impl Inputs {
    #[inline(always)]
    pub fn none() -> Inputs {
        Inputs { places: [u16x32::ZERO; VECTORS], firsts: [u16x32::ZERO; VECTORS], count: 0 }
    }

    /// Adds what is on a square: its piece if `with_piece`, and its danger if there is any. All is
    /// written anyhow, and then counted or not: branches would often be guessed wrong.
    #[inline(always)]
    pub fn push(&mut self, piece: Option<Piece>, square: Square, danger: u16, with_piece: bool) {
        let place = place(piece, square);
        self.write(place, THREAT_INPUTS as u16);
        self.count += usize::from(piece.is_some() & with_piece);
        self.write(place, INPUTS as u16 * danger.saturating_sub(1));
        self.count += usize::from(danger > 0);
    }

    #[inline(always)]
    fn write(&mut self, place: u16, first: u16) {
        let (vector, element) = (self.count / GROUP, self.count % GROUP);
        self.places[vector].as_mut_array()[element] = place;
        self.firsts[vector].as_mut_array()[element] = first;
    }

    #[inline(always)]
    pub fn from_perspective(&self, perspective: Perspective) -> OneSideInputs {
        let mut list = [perspective.inputs(self.places[0], self.firsts[0]); VECTORS];
        if self.count > GROUP {
            for (vector, inputs) in list.iter_mut().enumerate() {
                *inputs = perspective.inputs(self.places[vector], self.firsts[vector]);
            }
        }
        OneSideInputs { list, count: self.count }
    }
}

impl OneSideInputs {
    #[inline(always)]
    pub fn as_slice(&self) -> &[u16] {
        &bytemuck::cast_slice(&self.list)[..self.count]
    }
}
