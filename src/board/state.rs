//! What a position is beside its pieces: the side to move, en passant, castling rights. The kings'
//! squares are here too, so that they need not be searched.

use super::square::OFF_BOARD;
use super::{CastlingSide, Color, Square, zobrist};

/// No square: no en-passant capture, no castling right.
pub(super) const NOWHERE: u8 = OFF_BOARD;

/// Eight bytes: side, en passant, castling rooks (White's on the king's and the queen's side,
/// Black's on the king's and the queen's side), White's king, Black's king.
#[derive(Clone, Copy)]
pub(super) struct State(pub u64);

impl State {
    const EN_PASSANT: u32 = 8;
    const ROOKS: u32 = 16;
    const KINGS: u32 = 48;
    /// En passant and castling.
    const RIGHTS: u64 = 0xFFFF_FFFF_FF00;
    pub const NO_ROOKS: [u8; 4] = [NOWHERE; 4];

    /// White to move, and nothing else.
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

    /// White's rooks on the king's and the queen's side, then Black's, as coordinates or [`NOWHERE`].
    #[inline(always)]
    pub const fn rooks(self) -> [u8; 4] {
        ((self.0 >> State::ROOKS) as u32).to_le_bytes()
    }

    #[inline(always)]
    pub const fn with_rooks(self, rooks: [u8; 4]) -> State {
        let others = self.0 & !((u32::MAX as u64) << State::ROOKS);
        State(others | (u32::from_le_bytes(rooks) as u64) << State::ROOKS)
    }

    /// How the key of a position changes with its state.
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

    /// The key of all rights to castle.
    fn castling_key(self) -> u64 {
        let right = |color, side| {
            self.castling_rook(color, side).map_or(0, |rook| zobrist::castling(color, rook.file()))
        };
        let rights = |color| CastlingSide::BOTH.map(|side| right(color, side));
        let [[a, b], [c, d]] = Color::BOTH.map(rights);
        a ^ b ^ c ^ d
    }
}
