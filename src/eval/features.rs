//! The inputs of the network: every piece on its square, from each side's perspective, by where that
//! side's king stands; and every piece in danger on its square, wherever the king stands.

use super::file::{INPUTS, KingBuckets, THREAT_INPUTS};
use crate::board::{Color, MAX_PIECES, Piece, PieceType, Position, Square};

/// Where the other side's pieces begin among the inputs of a king bucket.
const OPPONENT: usize = INPUTS / 2;
const SQUARES: usize = 64;

/// An input without a perspective: from the lowest bit on the square, the type and the color of a piece,
/// and what is told of it, which is that it is attacked, that it hangs, or that it is there.
#[derive(Clone, Copy)]
pub(super) struct Code(u16);

const COLOR_BIT: u16 = 1 << 9;
const DANGER_SHIFT: u32 = 10;
const THERE: u16 = 2 << DANGER_SHIFT;

impl Code {
    pub const NONE: Code = Code(0);

    /// That a piece is on a square; of none anything, so that no branch is needed.
    #[inline(always)]
    pub fn of_piece(piece: Option<Piece>, square: Square) -> Code {
        /// By [`Piece::row`].
        static PIECES: [u16; 32] = {
            let mut table = [0; 32];
            let mut i = 0;
            while i < 12 {
                let kind = PieceType::ALL[i % 6];
                let color = COLOR_BIT * (i / 6) as u16;
                table[kind.of(Color::BOTH[i / 6]).row()] =
                    THERE | color | (kind.index() << 6) as u16;
                i += 1;
            }
            table
        };
        Code(PIECES[piece.map_or(0, Piece::row)] | u16::from(square.index()))
    }

    /// That the piece is in danger: 1 if it is attacked, 2 if it hangs.
    #[inline(always)]
    pub fn in_danger(self, danger: u16) -> Code {
        Code(self.0 & !THERE | danger.saturating_sub(1) << DANGER_SHIFT)
    }
}

/// The first input of a square of each code without its square, in the first king bucket.
static FIRST: [u16; 64] = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        let (kind, color, block) = (i & 7, i >> 3 & 1, i >> 4);
        if kind < 6 && block < 3 {
            table[i] = (block * INPUTS + color * OPPONENT + kind * SQUARES) as u16;
        }
        i += 1;
    }
    table
};

const _: () = assert!(THREAT_INPUTS == 2 * INPUTS);

/// How a side looks at the board: from its own edge.
///
/// Horizontal mirroring: its king is always on the left half.
/// King buckets: the weights depend on where its king stands.
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
        self.input_of(Code::of_piece(Some(piece), square))
    }

    /// The input of a piece in danger.
    #[inline(always)]
    pub fn threat_input(self, piece: Piece, square: Square, danger: u16) -> u16 {
        self.input_of(Code::of_piece(Some(piece), square).in_danger(danger))
    }

    #[inline(always)]
    pub(super) fn input_of(self, code: Code) -> u16 {
        let sides = match self.color {
            Color::White => 0,
            Color::Black => COLOR_BIT,
        };
        let code = code.0 ^ (sides | u16::from(self.flip));
        let bucket = code / THERE * u16::from(self.king_bucket) * INPUTS as u16;
        FIRST[usize::from(code >> 6 & 63)] + (code & 63) + bucket
    }
}

/// Output buckets: that of a position with this many pieces, kings included.
#[inline(always)]
pub const fn output_bucket(pieces: usize, buckets: usize) -> usize {
    (pieces - 1) * buckets / MAX_PIECES
}

/// At most two inputs for each piece, and one that is written but not counted.
const CAPACITY: usize = 2 * MAX_PIECES + 1;

/// What is on some squares: a list of inputs that is written once, without a side, and then read from
/// both perspectives.
pub struct Inputs {
    codes: [Code; CAPACITY],
    count: usize,
}

impl Inputs {
    pub const EMPTY: Inputs = Inputs { codes: [Code::NONE; CAPACITY], count: 0 };

    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds what is on a square: its piece if `with_piece`, and its danger if there is any. All is
    /// written anyhow, and then counted or not: branches would often be guessed wrong.
    #[inline(always)]
    pub fn push(&mut self, piece: Option<Piece>, square: Square, danger: u16, with_piece: bool) {
        let place = Code::of_piece(piece, square);
        self.write(place, piece.is_some() & with_piece);
        self.write(place.in_danger(danger), danger > 0);
    }

    #[inline(always)]
    fn write(&mut self, code: Code, counts: bool) {
        self.codes[self.count] = code;
        self.count += usize::from(counts);
    }
}

/// The same list from one perspective.
pub struct OneSideInputs {
    inputs: [u16; CAPACITY],
    count: usize,
}

impl OneSideInputs {
    pub const EMPTY: OneSideInputs = OneSideInputs { inputs: [0; CAPACITY], count: 0 };

    #[inline(always)]
    pub fn read(&mut self, list: &Inputs, perspective: Perspective) {
        self.count = list.count;
        for (input, &code) in self.inputs.iter_mut().zip(&list.codes[..list.count]) {
            *input = perspective.input_of(code);
        }
    }

    #[inline(always)]
    pub fn as_slice(&self) -> &[u16] {
        &self.inputs[..self.count]
    }
}
