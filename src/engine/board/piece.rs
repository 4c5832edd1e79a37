//! Colors and pieces, one byte each, coded so that most questions about one are a single AND.

use std::fmt;
use std::num::NonZeroU8;
use std::ops::Not;

use super::square::{NORTH, SOUTH, Square};

/// A side. Its value is its index in tables by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Color {
    White = 0,
    Black = 1,
}

impl Color {
    pub const BOTH: [Color; 2] = [Color::White, Color::Black];

    /// The bit that its pieces carry.
    #[inline(always)]
    pub const fn bit(self) -> u8 {
        0x10 << self as u8
    }

    /// 0 for White, 1 for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
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

/// The most pieces that a position may have. The network's sums and the move lists are sized for it.
pub const MAX_PIECES: usize = 32;

/// The type of a piece. Bit 4 slides straight, bit 8 slides diagonally: a queen is rook and bishop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum PieceType {
    Pawn = 1,
    Knight = 2,
    King = 3,
    Rook = 4,
    Bishop = 8,
    Queen = 12,
}

/// The index of a type in [`PieceType::ALL`], by its bits.
const PLACES: [u8; 16] = [0, 0, 1, 5, 3, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0];

impl PieceType {
    pub const ALL: [PieceType; 6] = [
        PieceType::Pawn,
        PieceType::Knight,
        PieceType::Bishop,
        PieceType::Rook,
        PieceType::Queen,
        PieceType::King,
    ];

    /// What a pawn can become, the queen first.
    pub const PROMOTIONS: [PieceType; 4] =
        [PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight];

    #[inline(always)]
    pub const fn bits(self) -> u8 {
        self as u8
    }

    #[inline(always)]
    pub const fn of(self, color: Color) -> Piece {
        Piece::new(color, self)
    }

    /// The index in [`PieceType::ALL`], for tables by type.
    #[inline(always)]
    pub const fn index(self) -> usize {
        PLACES[self as usize] as usize
    }

    /// The lower-case English letter.
    pub const fn letter(self) -> char {
        match self {
            PieceType::Pawn => 'p',
            PieceType::Knight => 'n',
            PieceType::King => 'k',
            PieceType::Rook => 'r',
            PieceType::Bishop => 'b',
            PieceType::Queen => 'q',
        }
    }

    pub fn from_letter(letter: char) -> Option<PieceType> {
        PieceType::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_lowercase())
    }

    pub const fn name(self) -> &'static str {
        match self {
            PieceType::Pawn => "pawn",
            PieceType::Knight => "knight",
            PieceType::King => "king",
            PieceType::Rook => "rook",
            PieceType::Bishop => "bishop",
            PieceType::Queen => "queen",
        }
    }
}

/// A piece: its color's bit and its type's bits. An empty square is `None`, the byte 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    #[inline(always)]
    pub const fn new(color: Color, kind: PieceType) -> Piece {
        Piece(NonZeroU8::new(color.bit() | kind as u8).unwrap())
    }

    /// The piece with this byte, which must be a piece's byte or 0.
    #[inline(always)]
    pub(super) const fn from_byte(byte: u8) -> Option<Piece> {
        match NonZeroU8::new(byte) {
            Some(byte) => Some(Piece(byte)),
            None => None,
        }
    }

    #[inline(always)]
    pub const fn byte(self) -> u8 {
        self.0.get()
    }

    #[inline(always)]
    pub const fn color(self) -> Color {
        Color::from_bit(self.byte())
    }

    #[inline(always)]
    pub const fn kind(self) -> PieceType {
        /// By the bits of the type.
        const KINDS: [PieceType; 16] = {
            let mut table = [PieceType::King; 16];
            let mut i = 0;
            while i < 6 {
                table[PieceType::ALL[i] as usize] = PieceType::ALL[i];
                i += 1;
            }
            table
        };
        KINDS[(self.byte() & 0xF) as usize]
    }

    /// [`PieceType::index`] of the piece's type.
    #[inline(always)]
    pub const fn kind_index(self) -> usize {
        PLACES[(self.byte() & 0xF) as usize] as usize
    }

    #[inline(always)]
    pub const fn is(self, kind: PieceType) -> bool {
        self.byte() & 0xF == kind as u8
    }

    /// A row of tables by piece: 1 to 12 for Black, 17 to 28 for White, 0 for an empty square.
    #[inline(always)]
    pub const fn row(self) -> usize {
        Piece::row_of(self.byte())
    }

    /// An index from 0 to 11 for tables by piece: White's pawn to king, then Black's.
    #[inline(always)]
    pub const fn index(self) -> usize {
        /// By the piece's row.
        const INDICES: [u8; 32] = {
            let mut table = [0; 32];
            let mut i = 0;
            while i < 12 {
                table[Piece::new(Color::BOTH[i / 6], PieceType::ALL[i % 6]).row()] = i as u8;
                i += 1;
            }
            table
        };
        INDICES[self.row()] as usize
    }

    /// [`Piece::row`] of a byte of the board.
    #[inline(always)]
    pub(super) const fn row_of(byte: u8) -> usize {
        (byte & 0x1F) as usize
    }

    /// The letter of FEN: upper case for White.
    pub const fn letter(self) -> char {
        match self.color() {
            Color::White => self.kind().letter().to_ascii_uppercase(),
            Color::Black => self.kind().letter(),
        }
    }

    pub fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        Some(Piece::new(color, PieceType::from_letter(letter)?))
    }
}
