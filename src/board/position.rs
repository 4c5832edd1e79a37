//! A position: 128 bytes, which are the 0x88 board.
//!
//! Half of a 0x88 board is off the board, eight bytes beside each rank, and there the rest of the
//! position lives:
//!
//! ```text
//!          on the board          off the board
//! rank 8   a8 b8 c8 … h8         (free)
//! rank 7   a7 b7 c7 … h7         key of all knights and bishops
//! rank 6   a6 b6 c6 … h6         half-move clock (16 bits), number of the move (16 bits)
//! rank 5   a5 b5 c5 … h5         state: side, en passant, castling rooks, kings
//! rank 4   a4 b4 c4 … h4         key of Black's pieces but pawns
//! rank 3   a3 b3 c3 … h3         key of White's pieces but pawns
//! rank 2   a2 b2 c2 … h2         key of all pawns
//! rank 1   a1 b1 c1 … h1         key of the whole position
//! ```
//!
//! This file holds the data and the keys. `makemove.rs` makes a move.

use super::state::State;
use super::{CastlingSide, Color, Move, MoveKind, Piece, PieceType, Square, zobrist};

/// Where among the 16 words of eight bytes everything but the pieces is.
pub(super) const KEY: usize = 1;
const PAWN_KEY: usize = 3;
const NON_PAWN_KEY: [usize; 2] = [5, 7];
pub(super) const STATE: usize = 9;
pub(super) const COUNTERS: usize = 11;
pub(super) const MINOR_KEY: usize = 13;

/// The word of the second key that a piece takes part in, by [`Piece::row`].
pub(super) const fn second_key(row: usize) -> usize {
    if row & 0xF == PieceType::Pawn as usize {
        PAWN_KEY
    } else {
        NON_PAWN_KEY[(row & Color::White.bit() as usize == 0) as usize]
    }
}

/// Whether a piece takes part in the key of minor pieces, by [`Piece::row`].
pub(super) const fn is_minor(row: usize) -> bool {
    let kind = row & 0xF;
    kind == PieceType::Knight as usize || kind == PieceType::Bishop as usize
}

/// Half moves since the last capture or pawn move, and the number of the move.
pub(super) const fn counters(halfmoves: u16, move_number: u16) -> u64 {
    halfmoves as u64 | (move_number as u64) << 16
}

/// A legal chess position: each side has its king, and the side to move cannot take one.
/// [`super::Setup`] and FEN make the first one, [`Position::after`] all that follow.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Position {
    words: [u64; 16],
}

impl Position {
    /// The empty board with White to move, which is not a position yet.
    pub(super) const fn empty() -> Position {
        let mut words = [0; 16];
        words[STATE] = State::EMPTY.0;
        words[COUNTERS] = counters(0, 1);
        Position { words }
    }

    /// The board and, beside it, everything else.
    #[inline(always)]
    pub(super) fn bytes(&self) -> &[u8; 128] {
        bytemuck::must_cast_ref(&self.words)
    }

    /// The 16 words of which [`Position::bytes`] are the bytes.
    #[inline(always)]
    pub(super) const fn words(&self) -> &[u64; 16] {
        &self.words
    }

    #[inline(always)]
    pub(super) const fn from_words(words: [u64; 16]) -> Position {
        Position { words }
    }

    /// The byte on a square: a piece's or 0.
    #[inline(always)]
    pub(super) fn byte_at(&self, square: Square) -> u8 {
        self.bytes()[square.coordinate() as usize]
    }

    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Piece::from_byte(self.byte_at(square))
    }

    #[inline(always)]
    pub fn is_empty(&self, square: Square) -> bool {
        self.byte_at(square) == 0
    }

    #[inline(always)]
    pub(super) fn state(&self) -> State {
        State(self.words[STATE])
    }

    /// The side to move.
    #[inline(always)]
    pub fn side(&self) -> Color {
        self.state().side()
    }

    /// The square to which a pawn can capture en passant, if one legally can.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        self.state().en_passant()
    }

    /// The rook with which a color may still castle on this side.
    #[inline(always)]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        self.state().castling_rook(color, side)
    }

    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.state().king(color)
    }

    /// Half moves since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmoves(&self) -> u16 {
        self.words[COUNTERS] as u16
    }

    /// The number of the move, as score sheets count.
    #[inline(always)]
    pub fn move_number(&self) -> u16 {
        (self.words[COUNTERS] >> 16) as u16
    }

    /// The Zobrist key of all that makes positions differ: pieces, side, castling rights, and the
    /// file of a legal en-passant capture.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.words[KEY]
    }

    /// The Zobrist key of all pawns.
    #[inline(always)]
    pub fn pawn_key(&self) -> u64 {
        self.words[PAWN_KEY]
    }

    /// The Zobrist key of one side's pieces other than pawns.
    #[inline(always)]
    pub fn non_pawn_key(&self, color: Color) -> u64 {
        self.words[NON_PAWN_KEY[color.index()]]
    }

    /// The Zobrist key of all knights and bishops.
    #[inline(always)]
    pub fn minor_key(&self) -> u64 {
        self.words[MINOR_KEY]
    }

    /// The move's captured piece, if it captures.
    #[inline(always)]
    pub fn captured(&self, mv: Move) -> Option<Piece> {
        match mv.kind() {
            Some(MoveKind::Castling) => None,
            Some(MoveKind::EnPassant) => Some(PieceType::Pawn.of(!self.side())),
            _ => self.piece_at(mv.to()),
        }
    }

    /// Whether a legal move captures or promotes.
    #[inline(always)]
    pub fn is_noisy(&self, mv: Move) -> bool {
        self.captured(mv).is_some() || mv.promoted().is_some()
    }

    pub(super) fn set_counters(&mut self, halfmoves: u16, move_number: u16) {
        self.words[COUNTERS] = counters(halfmoves, move_number);
    }

    #[inline(always)]
    pub(super) fn set_state(&mut self, state: State) {
        self.words[KEY] ^= self.state().key_change(state);
        self.words[STATE] = state.0;
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square, piece.byte());
    }

    /// Takes away what stands on a square, if anything does.
    #[inline(always)]
    pub(super) fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_at(square)?;
        self.toggle(piece, square, 0);
        Some(piece)
    }

    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square, byte: u8) {
        bytemuck::bytes_of_mut(&mut self.words)[square.coordinate() as usize] = byte;
        let number = zobrist::piece(piece, square);
        self.words[KEY] ^= number;
        self.words[second_key(piece.row())] ^= number;
        if is_minor(piece.row()) {
            self.words[MINOR_KEY] ^= number;
        }
    }
}
