//! What a position is beside its pieces: the side to move, en passant, castling rights. The kings'
//! squares are here too, so that they need not be searched.

use super::castling::castling_targets;
use super::square::OFF_BOARD;
use super::{CastlingSide, Color, Move, Square, zobrist};

/// No square: no en-passant capture, no castling right.
const NOWHERE: u8 = OFF_BOARD;

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
    const NO_ROOKS: u32 = u32::from_le_bytes([NOWHERE; 4]);

    /// White to move, and nothing else.
    pub const EMPTY: State = State(
        Color::White.bit() as u64
            | (NOWHERE as u64) << State::EN_PASSANT
            | (State::NO_ROOKS as u64) << State::ROOKS,
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

    /// The state after a move, with this right to capture en passant.
    #[inline(always)]
    pub fn after(self, mv: Move, is_king: bool, en_passant: Option<Square>) -> State {
        let us = self.side();
        let mut next = self.with_other_side().with_en_passant(en_passant);
        if is_king {
            let to =
                if mv.is_castling() { castling_targets(mv.from(), mv.to()).0 } else { mv.to() };
            next = next.with_king(us, to);
        }
        next.without_rights(mv, is_king.then_some(us))
    }

    /// All four castling rooks, a byte each.
    #[inline(always)]
    const fn rooks(self) -> u32 {
        (self.0 >> State::ROOKS) as u32
    }

    /// Takes away the castling rights that a move ends: those of a rook that moves or is captured,
    /// and both of a king.
    #[inline(always)]
    fn without_rights(self, mv: Move, king_of: Option<Color>) -> State {
        const EACH_BYTE: u64 = 0x0101_0101;
        const LOW_BITS: u64 = 0x7F7F_7F7F_7F7F_7F7F;
        let rooks = self.rooks();
        if rooks == State::NO_ROOKS {
            return self;
        }
        // Origin and destination at once, in the two halves of a word: bit 7 of each equal byte.
        let both = |from: u32, to: u32| from as u64 | (to as u64) << 32;
        let squares = both(mv.from().coordinate().into(), mv.to().coordinate().into());
        let differences = both(rooks, rooks) ^ (squares * EACH_BYTE);
        let equal = !(((differences & LOW_BITS) + LOW_BITS) | differences | LOW_BITS);
        let kings = king_of.map_or(0, |color| 0x8080 << (16 * color.index()));
        let lost = (equal | equal >> 32) as u32 | kings;
        if lost == 0 {
            return self;
        }
        let lost = (lost >> 7) * 0xFF;
        let kept = rooks & !lost | State::NO_ROOKS & lost;
        State(self.0 ^ ((rooks ^ kept) as u64) << State::ROOKS)
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
        let mut rooks = self.rooks() ^ next.rooks();
        while rooks != 0 {
            let place = State::ROOKS + (rooks.trailing_zeros() & !7);
            change ^= self.castling_key(place) ^ next.castling_key(place);
            rooks &= !(0xFF << (place - State::ROOKS));
        }
        change
    }

    #[inline(always)]
    fn en_passant_key(self) -> u64 {
        self.en_passant().map_or(0, |target| zobrist::en_passant(target.file()))
    }

    /// The key of the right that one of the four rooks stands for.
    #[inline(always)]
    fn castling_key(self, place: u32) -> u64 {
        let color = if place < State::ROOKS + 16 { Color::White } else { Color::Black };
        Square::at(self.byte(place)).map_or(0, |rook| zobrist::castling(color, rook.file()))
    }
}
