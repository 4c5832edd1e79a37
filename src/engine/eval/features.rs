//! The network's inputs: every piece on its square, from each side's perspective, by the bucket of that
//! side's king; and every piece in danger on its square, regardless of the king.

use bytemuck::must_cast_slice;

use super::file::{INPUTS, KingBuckets, THREAT_INPUTS};
use crate::board::{Color, MAX_PIECES, Piece, PieceType, Position, Square};

/// The offset of the opponent's pieces among the inputs of a king bucket.
const OPPONENT: usize = INPUTS / 2;
const SQUARES: usize = 64;

/// A number in both halves of a word.
const fn twice(number: u32) -> u32 {
    number * 0x1_0001
}

/// The first input of each attacked piece, by [`Piece::row`]: for White's perspective in the lower half, for
/// Black's in the upper half.
static FIRST: [u32; 32] = {
    let mut table = [0; 32];
    let mut i = 0;
    while i < 12 {
        let kind = PieceType::ALL[i % 6];
        let [own, other] = [kind.index() * SQUARES, kind.index() * SQUARES + OPPONENT];
        table[kind.of(Color::White).row()] = (own | other << 16) as u32;
        table[kind.of(Color::Black).row()] = (other | own << 16) as u32;
        i += 1;
    }
    table
};

const _: () = assert!(THREAT_INPUTS == 2 * INPUTS);

/// A side's view of the board, from its own edge.
///
/// Horizontal mirroring: the side's king is always on the left half. King buckets: the weights depend on the
/// king's square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective {
    color: Color,
    /// The bits to flip in the index of a square as White sees it.
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

    /// One of two indices per king bucket, for the board mirrored or not.
    #[inline(always)]
    pub const fn refresh_index(self) -> usize {
        2 * self.king_bucket as usize + (self.flip & 1) as usize
    }

    /// The input of a piece on a square.
    #[inline(always)]
    pub fn input(self, piece: Piece, square: Square) -> u16 {
        let views = Views::of([self; 2]);
        self.half(views.first(Some(piece), square) + views.there)
    }

    /// The input of a piece in danger.
    #[inline(always)]
    pub fn threat_input(self, piece: Piece, square: Square, danger: u16) -> u16 {
        self.half(Views::of([self; 2]).first(Some(piece), square) + in_danger(danger))
    }

    const fn half(self, both: u32) -> u16 {
        (both >> (16 * self.color.index())) as u16
    }
}

/// The offset for a piece in danger: 1 if it is attacked, 2 if it hangs.
#[inline(always)]
const fn in_danger(danger: u16) -> u32 {
    (danger / 2) as u32 * twice(INPUTS as u32)
}

/// Both perspectives of a position in the halves of one word, so that an input is computed once for both.
#[derive(Clone, Copy)]
pub struct Views {
    flips: u32,
    /// The offset of a piece's own input from that of its danger.
    there: u32,
}

impl Views {
    #[inline(always)]
    pub fn of([white, black]: [Perspective; 2]) -> Views {
        let both = |white: u8, black: u8| u32::from(white) | u32::from(black) << 16;
        let buckets = both(white.king_bucket, black.king_bucket) * INPUTS as u32;
        Views { flips: both(white.flip, black.flip), there: twice(THREAT_INPUTS as u32) + buckets }
    }

    /// The input of an attacked piece, to which the other offsets are added. Accepts empty squares to avoid a
    /// branch.
    #[inline(always)]
    fn first(self, piece: Option<Piece>, square: Square) -> u32 {
        FIRST[piece.map_or(0, Piece::row)] + (twice(u32::from(square.index())) ^ self.flips)
    }
}

/// Output buckets: the index of the one for this many pieces, kings included.
#[inline(always)]
pub const fn output_bucket(pieces: usize, buckets: usize) -> usize {
    (pieces - 1) * buckets / MAX_PIECES
}

/// A list of inputs, as White and as Black see them.
pub struct Inputs {
    inputs: [u32; 1 + u8::MAX as usize],
    /// At most two per piece. The array has room for any value, so indexing needs no check.
    count: u8,
}

const _: () = assert!(2 * MAX_PIECES < u8::MAX as usize);

impl Inputs {
    pub const EMPTY: Inputs = Inputs { inputs: [0; 1 + u8::MAX as usize], count: 0 };

    #[inline(always)]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds the inputs of a square: its piece if `with_piece`, and its danger, if any. Both are always
    /// written and only then counted, because branches would often be mispredicted.
    #[inline(always)]
    pub fn push(
        &mut self,
        views: Views,
        piece: Option<Piece>,
        square: Square,
        danger: u16,
        with_piece: bool,
    ) {
        let first = views.first(piece, square);
        self.write(first + views.there, piece.is_some() & with_piece);
        self.write(first + in_danger(danger), danger > 0);
    }

    #[inline(always)]
    fn write(&mut self, input: u32, counts: bool) {
        self.inputs[usize::from(self.count)] = input.to_le();
        self.count = self.count.wrapping_add(u8::from(counts));
    }

    #[inline(always)]
    pub fn as_slice(&self) -> &[[u16; 2]] {
        must_cast_slice(&self.inputs[..usize::from(self.count)])
    }
}
