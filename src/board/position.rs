//! A position: 128 bytes, which are the 0x88 board.
//!
//! Half of a 0x88 board is off the board, eight bytes beside each rank, and there the rest of the
//! position lives:
//!
//! ```text
//!          on the board          off the board
//! rank 8   a8 b8 c8 … h8         (free)
//! rank 7   a7 b7 c7 … h7         (free)
//! rank 6   a6 b6 c6 … h6         half moves without progress (2), number of the move (2)
//! rank 5   a5 b5 c5 … h5         side, en passant, four castling rooks, two kings
//! rank 4   a4 b4 c4 … h4         key of Black's pieces but pawns
//! rank 3   a3 b3 c3 … h3         key of White's pieces but pawns
//! rank 2   a2 b2 c2 … h2         key of all pawns
//! rank 1   a1 b1 c1 … h1         key of the whole position
//! ```
//!
//! Only this file knows these places. The kings' squares are there so that nobody has to look for
//! them; they stand on the board like all pieces.

use super::attacks::{Backend, Native};
use super::{Color, Move, MoveKind, Piece, PieceType, Square, SquareSet, zobrist};

/// Where in the 128 bytes the parts of the state begin.
const KEY: usize = 0x08;
const PAWN_KEY: usize = 0x18;
const NON_PAWN_KEY: [usize; 2] = [0x28, 0x38];
const STATE: usize = 0x48;
const COUNTERS: usize = 0x58;

/// The same places for code that holds the board as eight-byte words.
#[cfg(avx512_backend)]
pub(super) mod words {
    use super::*;
    pub const KEY: usize = super::KEY / 8;
    pub const STATE: usize = super::STATE / 8;
    pub const COUNTERS: usize = super::COUNTERS / 8;

    /// For each row of [`Piece::row`], the key words that a piece takes part in, as a bit mask.
    pub static KEYS_OF: [u8; 32] = {
        let mut table = [0; 32];
        let mut row = 1;
        while row < 32 {
            let color = if row & Color::White.bit() as usize != 0 { 0 } else { 1 };
            let own =
                if row & 0xF == PieceType::Pawn as usize { PAWN_KEY } else { NON_PAWN_KEY[color] };
            table[row] = 1 << KEY | 1 << (own / 8);
            row += 1;
        }
        table
    };
}

/// The side of the board, seen from the king, to which it castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastlingSide {
    King,
    Queen,
}

impl CastlingSide {
    pub const BOTH: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// The file, counted from 0, on which castling puts the king.
    #[inline(always)]
    pub const fn king_file(self) -> u8 {
        match self {
            CastlingSide::King => 6,
            CastlingSide::Queen => 2,
        }
    }

    /// The file, counted from 0, on which castling puts the rook.
    #[inline(always)]
    pub const fn rook_file(self) -> u8 {
        match self {
            CastlingSide::King => 5,
            CastlingSide::Queen => 3,
        }
    }

    /// The wing of a king and a rook on the same rank.
    #[inline(always)]
    pub const fn of(king: Square, rook: Square) -> CastlingSide {
        if rook.file() > king.file() { CastlingSide::King } else { CastlingSide::Queen }
    }
}

/// Where castling leads: the squares of king and rook afterwards.
#[inline(always)]
pub(super) fn castled(king: Square, rook: Square) -> (Square, Square) {
    let wing = CastlingSide::of(king, rook);
    let on = |file| Square::known(king.rank() << 4 | file);
    (on(wing.king_file()), on(wing.rook_file()))
}

/// What is no square: no en-passant capture, no castling right.
const NOWHERE: u8 = super::square::OFF_BOARD;

/// The eight bytes beside rank 5: side, en passant, castling rooks (White's king's and queen's,
/// Black's king's and queen's), White's king, Black's king.
#[derive(Clone, Copy)]
pub(super) struct State(u64);

impl State {
    const EN_PASSANT: u32 = 8;
    const ROOKS: u32 = 16;
    const KINGS: u32 = 48;
    const NO_ROOKS: u32 = u32::from_le_bytes([NOWHERE; 4]);

    const fn new() -> State {
        State(
            Color::White.bit() as u64
                | (NOWHERE as u64) << State::EN_PASSANT
                | (State::NO_ROOKS as u64) << State::ROOKS,
        )
    }

    pub(super) const fn bits(self) -> u64 {
        self.0
    }

    const fn byte(self, shift: u32) -> u8 {
        (self.0 >> shift) as u8
    }

    #[inline(always)]
    const fn with(self, shift: u32, byte: u8) -> State {
        State(self.0 & !(0xFF << shift) | (byte as u64) << shift)
    }

    #[inline(always)]
    const fn with_other_side(self) -> State {
        State(self.0 ^ (Color::White.bit() | Color::Black.bit()) as u64)
    }

    #[inline(always)]
    const fn rooks(self) -> u32 {
        (self.0 >> State::ROOKS) as u32
    }

    const fn rook_place(color: Color, wing: CastlingSide) -> u32 {
        State::ROOKS + 16 * color.index() as u32 + 8 * wing as u32
    }

    const fn king_place(color: Color) -> u32 {
        State::KINGS + 8 * color.index() as u32
    }

    /// Takes away the castling rights that a move from `from` to `to` ends, and gives the xor of
    /// their keys.
    #[inline(always)]
    fn lose_rights(&mut self, from: Square, to: Square, king_of: Option<Color>) -> u64 {
        /// Bit 7 of each byte of `word` that is `byte`.
        #[inline(always)]
        fn same(word: u32, byte: u8) -> u32 {
            let difference = word ^ (0x0101_0101 * byte as u32);
            !(((difference & 0x7F7F_7F7F) + 0x7F7F_7F7F) | difference | 0x7F7F_7F7F)
        }
        let rooks = self.rooks();
        let mut key = 0;
        if rooks != State::NO_ROOKS {
            let kings = king_of.map_or(0, |color| 0x8080 << (16 * color.index()));
            let mut lost = (same(rooks, from.coordinate()) | same(rooks, to.coordinate()) | kings)
                & !rooks
                & 0x8080_8080;
            while lost != 0 {
                let place = lost.trailing_zeros() - 7;
                let color = Color::BOTH[place as usize / 16];
                key ^= zobrist::castling(color, (rooks >> place) as u8);
                *self = self.with(State::ROOKS + place, NOWHERE);
                lost &= lost - 1;
            }
        }
        key
    }
}

/// What a move changes beside the pieces: state and counters as they become, and the change of
/// the key.
pub(super) struct Turn {
    pub state: State,
    pub counters: u64,
    pub key: u64,
}

/// A legal chess position: each side has its king, and the side to move cannot take one.
/// [`super::Setup`] and FEN make the first one, [`Position::after`] all that follow.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Position {
    bytes: [u8; 128],
}

const _: () = assert!(size_of::<Position>() == 128);

impl Position {
    /// The empty board with White to move, which is not a position yet.
    pub(super) const fn empty() -> Position {
        let mut bytes = [0; 128];
        let state = State::new().0.to_le_bytes();
        let mut i = 0;
        while i < 8 {
            bytes[STATE + i] = state[i];
            i += 1;
        }
        bytes[COUNTERS + 2] = 1;
        Position { bytes }
    }

    /// The board and, beside it, everything else.
    #[inline(always)]
    pub(super) const fn bytes(&self) -> &[u8; 128] {
        &self.bytes
    }

    /// The inverse of [`Position::bytes`], for a body that has made a move on them.
    #[inline(always)]
    #[cfg(avx512_backend)]
    pub(super) const fn from_bytes(bytes: [u8; 128]) -> Position {
        Position { bytes }
    }

    #[inline(always)]
    fn word(&self, place: usize) -> u64 {
        u64::from_le_bytes(*self.bytes[place..].first_chunk().expect("a place inside the board"))
    }

    #[inline(always)]
    fn set_word(&mut self, place: usize, word: u64) {
        self.bytes[place..place + 8].copy_from_slice(&word.to_le_bytes());
    }

    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Piece::from_byte(self.bytes[square.index()])
    }

    /// The byte on a square: a piece's or 0.
    #[inline(always)]
    pub(super) fn byte_at(&self, square: Square) -> u8 {
        self.bytes[square.index()]
    }

    #[inline(always)]
    pub fn is_empty(&self, square: Square) -> bool {
        self.byte_at(square) == 0
    }

    /// All pieces with their squares, from a1 to h8.
    #[inline(always)]
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// The squares on which a side's pieces stand.
    #[inline(always)]
    pub fn occupied_by(&self, color: Color) -> SquareSet {
        Native::occupied_by(self, color)
    }

    /// The squares on which pieces stand.
    #[inline(always)]
    pub fn occupied(&self) -> SquareSet {
        self.occupied_by(Color::White) | self.occupied_by(Color::Black)
    }

    /// The squares on which two positions differ.
    #[inline(always)]
    pub fn differences(&self, other: &Position) -> SquareSet {
        Native::differences(self, other)
    }

    /// The side to move.
    #[inline(always)]
    pub fn side(&self) -> Color {
        Color::from_bit(self.bytes[STATE])
    }

    #[inline(always)]
    pub(super) fn state(&self) -> State {
        State(self.word(STATE))
    }

    /// The square to which a pawn can capture en passant, if one legally can.
    #[inline(always)]
    pub fn en_passant(&self) -> Option<Square> {
        Square::at(self.state().byte(State::EN_PASSANT))
    }

    /// The rook with which this side may still castle on this wing.
    #[inline(always)]
    pub fn castling_rook(&self, color: Color, wing: CastlingSide) -> Option<Square> {
        Square::at(self.state().byte(State::rook_place(color, wing)))
    }

    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        Square::known(self.state().byte(State::king_place(color)))
    }

    /// Half moves since the last capture or pawn move.
    #[inline(always)]
    pub fn halfmoves(&self) -> u16 {
        self.word(COUNTERS) as u16
    }

    /// The number of the move, as score sheets count.
    #[inline(always)]
    pub fn move_number(&self) -> u16 {
        (self.word(COUNTERS) >> 16) as u16
    }

    /// The Zobrist key of all that makes positions differ: pieces, side, castling rights, and the
    /// file of a legal en-passant capture.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.word(KEY)
    }

    /// The Zobrist key of all pawns.
    #[inline(always)]
    pub fn pawn_key(&self) -> u64 {
        self.word(PAWN_KEY)
    }

    /// The Zobrist key of one side's pieces other than pawns.
    #[inline(always)]
    pub fn non_pawn_key(&self, color: Color) -> u64 {
        self.word(NON_PAWN_KEY[color.index()])
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

    /// The position after a legal move.
    #[inline(always)]
    pub fn after(&self, mv: Move) -> Position {
        self.after_by::<Native>(mv)
    }

    /// The key after a legal move, nearly always: it costs less than the position and can be had
    /// before it.
    #[inline(always)]
    pub fn likely_key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let number =
            |byte: u8, square: Square| zobrist::PIECES[Piece::row_of(byte)][square.index()];
        let (mover, captured) = (self.byte_at(from), self.byte_at(to));
        let moves = number(mover, from) ^ number(mover, to) ^ number(captured, to);
        self.key() ^ moves ^ zobrist::black_to_move()
    }

    /// [`Position::after`] with a given body.
    #[inline(always)]
    pub fn after_by<B: Backend>(&self, mv: Move) -> Position {
        let mut next = B::moved(self, mv);
        if mv.is_normal() && mv.from().coordinate().abs_diff(mv.to().coordinate()) == 0x20 {
            next.allow_en_passant::<B>(mv.to());
        }
        debug_assert!(next.keys_are_true(), "a key of {next:?} is wrong after {mv:?}");
        next
    }

    /// If it is a pawn that just went two squares to `stop`, and it can legally be captured in
    /// passing, says so in the state and the key.
    #[inline(always)]
    pub(super) fn allow_en_passant<B: Backend>(&mut self, stop: Square) {
        let them = !self.side();
        if self.byte_at(stop) != PieceType::Pawn.of(them).byte() {
            return;
        }
        let taker = PieceType::Pawn.of(self.side());
        let beside = [super::square::WEST, super::square::EAST].map(|step| stop.step(step));
        if !beside.iter().flatten().any(|&square| self.byte_at(square) == taker.byte()) {
            return;
        }
        self.try_en_passant::<B>(stop, beside);
    }

    #[cold]
    fn try_en_passant<B: Backend>(&mut self, stop: Square, beside: [Option<Square>; 2]) {
        let us = self.side();
        let target =
            stop.step(us.forward()).expect("a pawn that went two squares is not at the edge");
        let legal = |from: Square| {
            self.byte_at(from) == PieceType::Pawn.of(us).byte()
                && self.en_passant_is_safe::<B>(from, target)
        };
        if beside.into_iter().flatten().any(legal) {
            self.set_en_passant(Some(target));
        }
    }

    /// Whether the king of the side to move is safe after this capture in passing: the only rule
    /// in which two pieces leave a line at once, so it is simply tried.
    pub(super) fn en_passant_is_safe<B: Backend>(&self, from: Square, to: Square) -> bool {
        let us = self.side();
        let after = B::moved(self, Move::en_passant(from, to));
        !B::is_attacked(&after, after.king(us), !us)
    }

    /// What a move changes beside the pieces.
    #[inline(always)]
    pub(super) fn turn_after(&self, mv: Move, mover: u8, captures: bool) -> Turn {
        let us = self.side();
        let kind = mover & 0xF;
        let is_king = kind == PieceType::King.bits();
        let mut state = self.state().with_other_side();
        let mut key = zobrist::black_to_move();
        if let Some(target) = self.en_passant() {
            key ^= zobrist::en_passant(target.file());
            state = state.with(State::EN_PASSANT, NOWHERE);
        }
        if is_king {
            let to = if mv.is_castling() { castled(mv.from(), mv.to()).0 } else { mv.to() };
            state = state.with(State::king_place(us), to.coordinate());
        }
        key ^= state.lose_rights(mv.from(), mv.to(), is_king.then_some(us));
        let progress = captures || kind == PieceType::Pawn.bits();
        let halfmoves = if progress { 0 } else { self.halfmoves().saturating_add(1) };
        let number = self.move_number().saturating_add(us.index() as u16);
        Turn { state, counters: halfmoves as u64 | (number as u64) << 16, key }
    }

    /// Gives the move to the other side.
    #[inline(always)]
    pub(super) fn take_turn(&mut self, turn: Turn) {
        self.set_word(STATE, turn.state.bits());
        self.set_word(COUNTERS, turn.counters);
        self.set_word(KEY, self.key() ^ turn.key);
    }

    /// The position if the side to move passes. It must not be in check. Nothing before can be
    /// repeated after that, so the count of half moves begins anew.
    #[inline(always)]
    pub fn after_null(&self) -> Position {
        let mut next = *self;
        next.set_en_passant(None);
        next.set_side(!self.side());
        next.set_counters(0, self.move_number().saturating_add(self.side().index() as u16));
        next
    }

    #[inline(always)]
    fn change_keys(&mut self, piece: Piece, square: Square) {
        let number = zobrist::piece(piece, square);
        let own =
            if piece.is(PieceType::Pawn) { PAWN_KEY } else { NON_PAWN_KEY[piece.color().index()] };
        self.set_word(KEY, self.key() ^ number);
        self.set_word(own, self.word(own) ^ number);
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        self.bytes[square.index()] = piece.byte();
        self.change_keys(piece, square);
    }

    /// Takes away what stands on a square, if anything does.
    #[inline(always)]
    pub(super) fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_at(square)?;
        self.bytes[square.index()] = 0;
        self.change_keys(piece, square);
        Some(piece)
    }

    pub(super) fn set_side(&mut self, side: Color) {
        if side != self.side() {
            self.set_word(STATE, self.state().with_other_side().0);
            self.set_word(KEY, self.key() ^ zobrist::black_to_move());
        }
    }

    pub(super) fn set_en_passant(&mut self, target: Option<Square>) {
        let number = |square: Option<Square>| square.map_or(0, |s| zobrist::en_passant(s.file()));
        self.set_word(KEY, self.key() ^ number(self.en_passant()) ^ number(target));
        let byte = target.map_or(NOWHERE, Square::coordinate);
        self.set_word(STATE, self.state().with(State::EN_PASSANT, byte).0);
    }

    pub(super) fn set_castling_rook(
        &mut self,
        color: Color,
        wing: CastlingSide,
        rook: Option<Square>,
    ) {
        let number = |rook: Option<Square>| rook.map_or(0, |s| zobrist::castling(color, s.file()));
        let old = self.castling_rook(color, wing);
        self.set_word(KEY, self.key() ^ number(old) ^ number(rook));
        let byte = rook.map_or(NOWHERE, Square::coordinate);
        self.set_word(STATE, self.state().with(State::rook_place(color, wing), byte).0);
    }

    pub(super) fn set_king(&mut self, color: Color, square: Square) {
        let state = self.state().with(State::king_place(color), square.coordinate());
        self.set_word(STATE, state.0);
    }

    pub(super) fn set_counters(&mut self, halfmoves: u16, move_number: u16) {
        self.set_word(COUNTERS, halfmoves as u64 | (move_number as u64) << 16);
    }

    /// Whether each key is what one gets by looking at the whole position anew.
    pub fn keys_are_true(&self) -> bool {
        let (mut key, mut pawns, mut others) = (0, 0, [0; 2]);
        for (square, piece) in self.pieces() {
            let number = zobrist::piece(piece, square);
            key ^= number;
            if piece.is(PieceType::Pawn) {
                pawns ^= number;
            } else {
                others[piece.color().index()] ^= number;
            }
        }
        if self.side() == Color::Black {
            key ^= zobrist::black_to_move();
        }
        if let Some(target) = self.en_passant() {
            key ^= zobrist::en_passant(target.file());
        }
        for color in Color::BOTH {
            for rook in
                CastlingSide::BOTH.into_iter().filter_map(|wing| self.castling_rook(color, wing))
            {
                key ^= zobrist::castling(color, rook.file());
            }
        }
        let kept = Color::BOTH.map(|color| self.non_pawn_key(color));
        (self.key(), self.pawn_key(), kept) == (key, pawns, others)
    }
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.shredder_fen())
    }
}
