//! A position: 128 bytes, which are the 0x88 board.
//!
//! Half of a 0x88 board is off the board, eight bytes beside each rank. The rest of the position lives there:
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
//! This file holds the data, the keys, and lookups of squares. `makemove.rs` makes moves.

use bytemuck::must_cast;
use wide::u8x64;

use super::square::OFF_BOARD;
use super::{CastlingSide, Color, Move, Piece, PieceType, Square, SquareSet, zobrist};

/// The index of each part among the 16 words of eight bytes.
pub(super) const KEY: usize = 1;
const PAWN_KEY: usize = 3;
const NON_PAWN_KEY: [usize; 2] = [5, 7];
pub(super) const STATE: usize = 9;
pub(super) const COUNTERS: usize = 11;
pub(super) const MINOR_KEY: usize = 13;

/// The word of a piece's second key, by [`Piece::row`].
pub(super) const fn second_key(row: usize) -> usize {
    if row & 0xF == PieceType::Pawn as usize {
        PAWN_KEY
    } else {
        NON_PAWN_KEY[(row & Color::White.bit() as usize == 0) as usize]
    }
}

/// Whether a piece counts for the key of minor pieces, by [`Piece::row`].
pub(super) const fn is_minor(row: usize) -> bool {
    let kind = row & 0xF;
    kind == PieceType::Knight as usize || kind == PieceType::Bishop as usize
}

/// The half-move clock and the move number in one word.
pub(super) const fn counters(halfmoves: u16, move_number: u16) -> u64 {
    halfmoves as u64 | (move_number as u64) << 16
}

/// A legal chess position: each side has one king, and the side to move cannot capture the other one.
/// [`super::Setup`] and FEN create the first position of a game, [`Position::after`] the others.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Position {
    words: [u64; 16],
}

impl Position {
    /// The empty board with White to move, which is not a legal position yet.
    pub(super) const fn empty() -> Position {
        let mut words = [0; 16];
        words[STATE] = State::EMPTY.0;
        words[COUNTERS] = counters(0, 1);
        Position { words }
    }

    /// The board and everything beside it.
    #[inline(always)]
    pub(super) fn bytes(&self) -> &[u8; 128] {
        bytemuck::must_cast_ref(&self.words)
    }

    /// The 16 words that make up [`Position::bytes`].
    #[inline(always)]
    pub(super) const fn words(&self) -> &[u64; 16] {
        &self.words
    }

    #[inline(always)]
    pub(super) const fn from_words(words: [u64; 16]) -> Position {
        Position { words }
    }

    /// The byte of the piece on a square, or 0.
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

    /// The target square of an en-passant capture, if one is legal.
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

    /// The number of the move, as on a score sheet.
    #[inline(always)]
    pub fn move_number(&self) -> u16 {
        (self.words[COUNTERS] >> 16) as u16
    }

    /// The Zobrist key of everything that tells positions apart: pieces, side, castling rights, and the file
    /// of a legal en-passant capture.
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

    /// The piece that a move captures, if any.
    #[inline(always)]
    pub fn captured(&self, mv: Move) -> Option<Piece> {
        if mv.is_castling() {
            None
        } else if mv.is_en_passant() {
            Some(PieceType::Pawn.of(!self.side()))
        } else {
            self.piece_at(mv.to())
        }
    }

    /// Whether a legal move captures or promotes.
    #[inline(always)]
    pub fn is_noisy(&self, mv: Move) -> bool {
        self.captured(mv).is_some() || mv.is_promotion()
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

    /// Removes and returns the piece on a square.
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

/// The coordinate that stands for no en-passant square or no castling right.
pub(super) const NOWHERE: u8 = OFF_BOARD;

/// The state beside the pieces, in eight bytes: side, en passant, castling rooks (White's kingside and
/// queenside, then Black's), and the squares of the kings.
#[derive(Clone, Copy)]
pub(super) struct State(pub u64);

impl State {
    const EN_PASSANT: u32 = 8;
    const ROOKS: u32 = 16;
    const KINGS: u32 = 48;
    /// En passant and castling.
    const RIGHTS: u64 = 0xFFFF_FFFF_FF00;
    pub const NO_ROOKS: [u8; 4] = [NOWHERE; 4];

    /// White to move, no rights.
    pub const EMPTY: State = State(
        Color::White.bit() as u64
            | (NOWHERE as u64) << State::EN_PASSANT
            | (u32::from_le_bytes(State::NO_ROOKS) as u64) << State::ROOKS,
    );

    #[inline(always)]
    const fn byte(self, shift: u32) -> u8 {
        (self.0 >> shift) as u8
    }

    #[inline(always)]
    fn with(self, shift: u32, square: Option<Square>) -> State {
        let byte = square.map_or(NOWHERE, Square::coordinate);
        State(self.0 & !(0xFF << shift) | (byte as u64) << shift)
    }

    #[inline(always)]
    pub fn side(self) -> Color {
        Color::from_bit(self.byte(0))
    }

    #[inline(always)]
    pub fn with_other_side(self) -> State {
        State(self.0 ^ (Color::White.bit() | Color::Black.bit()) as u64)
    }

    #[inline(always)]
    pub fn en_passant(self) -> Option<Square> {
        Square::at(self.byte(State::EN_PASSANT))
    }

    #[inline(always)]
    pub fn with_en_passant(self, target: Option<Square>) -> State {
        self.with(State::EN_PASSANT, target)
    }

    const fn rook_place(color: Color, side: CastlingSide) -> u32 {
        State::ROOKS + 16 * color.index() as u32 + 8 * side as u32
    }

    #[inline(always)]
    pub fn castling_rook(self, color: Color, side: CastlingSide) -> Option<Square> {
        Square::at(self.byte(State::rook_place(color, side)))
    }

    pub fn with_castling_rook(self, color: Color, side: CastlingSide, rook: Square) -> State {
        self.with(State::rook_place(color, side), Some(rook))
    }

    const fn king_place(color: Color) -> u32 {
        State::KINGS + 8 * color.index() as u32
    }

    #[inline(always)]
    pub fn king(self, color: Color) -> Square {
        Square::known(self.byte(State::king_place(color)))
    }

    #[inline(always)]
    pub fn with_king(self, color: Color, square: Square) -> State {
        self.with(State::king_place(color), Some(square))
    }

    /// White's kingside and queenside rooks, then Black's, as coordinates or [`NOWHERE`].
    #[inline(always)]
    pub const fn rooks(self) -> [u8; 4] {
        ((self.0 >> State::ROOKS) as u32).to_le_bytes()
    }

    #[inline(always)]
    pub const fn with_rooks(self, rooks: [u8; 4]) -> State {
        let others = self.0 & !((u32::MAX as u64) << State::ROOKS);
        State(others | (u32::from_le_bytes(rooks) as u64) << State::ROOKS)
    }

    /// The change of the position's key from one state to the next.
    #[inline(always)]
    pub fn key_change(self, next: State) -> u64 {
        let differences = self.0 ^ next.0;
        let other_side = differences >> Color::Black.bit().trailing_zeros() & 1;
        let mut change = other_side * zobrist::black_to_move();
        if differences & State::RIGHTS == 0 {
            return change;
        }
        change ^= self.en_passant_key() ^ next.en_passant_key();
        if self.rooks() != next.rooks() {
            change ^= self.castling_key() ^ next.castling_key();
        }
        change
    }

    #[inline(always)]
    fn en_passant_key(self) -> u64 {
        self.en_passant().map_or(0, |target| zobrist::en_passant(target.file()))
    }

    /// The key of all castling rights.
    fn castling_key(self) -> u64 {
        let right = |color, side| {
            self.castling_rook(color, side).map_or(0, |rook| zobrist::castling(color, rook.file()))
        };
        let rights = |color| CastlingSide::BOTH.map(|side| right(color, side));
        let [[a, b], [c, d]] = Color::BOTH.map(rights);
        a ^ b ^ c ^ d
    }
}

/// The bytes of the 64 squares, a1 to h8, in a vector.
#[derive(Clone, Copy)]
pub struct Squares(u8x64);

impl Squares {
    /// Joins the halves of the ranks that are on the board.
    #[inline(always)]
    pub fn of(position: &Position) -> Squares {
        let words = position.words();
        Squares(must_cast::<[u64; 8], u8x64>(std::array::from_fn(|rank| words[2 * rank])))
    }

    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Piece::from_byte(self.0.as_array()[usize::from(square.index())])
    }

    /// The squares on which two boards differ.
    #[inline(always)]
    pub fn differences(&self, other: &Squares) -> SquareSet {
        SquareSet::from_bits(!self.0.simd_eq(other.0).to_bitmask())
    }

    /// The squares that hold this byte.
    #[inline(always)]
    pub(super) fn equal(self, byte: u8) -> SquareSet {
        SquareSet::from_bits(self.0.simd_eq(u8x64::splat(byte)).to_bitmask())
    }

    /// The squares whose byte has at least one of these bits.
    #[inline(always)]
    pub(super) fn with_bits(self, bits: u8) -> SquareSet {
        SquareSet::from_bits(meets(self.0, u8x64::splat(bits)))
    }
}

impl Position {
    /// The squares of a side's pieces.
    #[inline(always)]
    pub fn occupied_by(&self, color: Color) -> SquareSet {
        Squares::of(self).with_bits(color.bit())
    }

    /// The squares of the pieces of one type and color.
    #[inline(always)]
    pub fn squares_of(&self, piece: Piece) -> SquareSet {
        Squares::of(self).equal(piece.byte())
    }

    /// The squares of all pieces.
    #[inline(always)]
    pub fn occupied(&self) -> SquareSet {
        !Squares::of(self).equal(0)
    }

    /// All pieces with their squares, from a1 to h8.
    #[inline(always)]
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }
}

/// A bit for each element in which the two vectors share a bit.
#[inline(always)]
pub(super) fn meets(one: u8x64, other: u8x64) -> u64 {
    !(one & other).simd_eq(u8x64::splat(0)).to_bitmask()
}
