//! Copy-make: a move builds the next position from the 128 bytes of this one, and nothing is ever undone.
//!
//! Squares, keys, state and counters change in vector registers (with AVX-512 two of them hold the whole
//! board) and are written to memory once, so that later reads do not wait for separate stores to merge.

use bytemuck::must_cast;
use wide::{u8x64, u64x8};

use super::castling::castling_targets;
use super::instructions::native;
use super::position::{
    COUNTERS, KEY, MINOR_KEY, NOWHERE, STATE, State, counters, is_minor, second_key,
};
use super::square::{EAST, WEST};
use super::{Move, MoveKind, Piece, PieceType, Position, Square, zobrist};

impl Position {
    /// The position after a legal move.
    #[inline(always)]
    pub fn after(&self, mv: Move) -> Position {
        self.after_with(mv, self.en_passant_after(mv))
    }

    /// The position after a legal move that leaves the given square for an en-passant capture.
    #[inline(always)]
    fn after_with(&self, mv: Move, en_passant: Option<Square>) -> Position {
        let mover = self.byte_at(mv.from());
        let (next, captures) = if mv.is_normal() {
            let (captured, mut next) = (self.byte_at(mv.to()), Draft::of(self));
            next.leave(mover, mv.from());
            next.capture(captured, mv.to());
            next.arrive(mover, mv.to());
            (next, captured != 0)
        } else {
            self.after_special(mover, mv)
        };
        let state = self.state_after(mv, is(mover, PieceType::King), en_passant);
        next.finish(self, state, captures || is(mover, PieceType::Pawn))
    }

    /// The pieces after castling, an en-passant capture or a promotion, and whether a piece was captured.
    #[inline(never)]
    fn after_special(&self, mover: u8, mv: Move) -> (Draft, bool) {
        let (from, to, us) = (mv.from(), mv.to(), self.side());
        let mut next = Draft::of(self);
        next.leave(mover, from);
        match mv.kind() {
            Some(MoveKind::Castling) => {
                let (rook, (king_to, rook_to)) = (self.byte_at(to), castling_targets(from, to));
                next.leave(rook, to);
                next.arrive(mover, king_to);
                next.arrive(rook, rook_to);
                (next, false)
            }
            Some(MoveKind::EnPassant) => {
                let pawn = PieceType::Pawn.of(!us).byte();
                let passed = to.step(-us.forward()).expect("a pawn has passed the square");
                next.leave(pawn, passed);
                next.arrive(mover, to);
                (next, true)
            }
            _ => {
                let captured = self.byte_at(to);
                next.capture(captured, to);
                next.arrive(mv.promoted().map_or(mover, |kind| kind.of(us).byte()), to);
                (next, captured != 0)
            }
        }
    }

    /// The position after a null move. The side to move must not be in check.
    #[inline(always)]
    pub fn after_null(&self) -> Position {
        let state = self.state().with_other_side().with_en_passant(None);
        Draft::of(self).finish(self, state, false)
    }

    /// The key after a normal legal move that ends no castling right and involves no en passant. Cheaper than
    /// the position itself; used for prefetching.
    #[inline(always)]
    pub fn likely_key_after(&self, mv: Move) -> u64 {
        let (from, to) = (mv.from(), mv.to());
        let (mover, captured) = (self.byte_at(from), self.byte_at(to));
        let pieces = zobrist::of_byte(mover, from)
            ^ zobrist::of_byte(mover, to)
            ^ zobrist::of_byte(captured, to);
        self.key() ^ pieces ^ zobrist::black_to_move()
    }

    /// Side, en passant, kings and castling rights after a move.
    #[inline(always)]
    fn state_after(&self, mv: Move, is_king: bool, en_passant: Option<Square>) -> State {
        let (from, to, us) = (mv.from(), mv.to(), self.side());
        let mut state = self.state().with_other_side().with_en_passant(en_passant);
        if is_king {
            let to = if mv.is_castling() { castling_targets(from, to).0 } else { to };
            state = state.with_king(us, to);
        }
        // The right to castle with a rook ends when the rook moves or is captured; both rights end when the
        // king moves.
        let rooks = state.rooks();
        if rooks == State::NO_ROOKS {
            return state;
        }
        let moved = [from.coordinate(), to.coordinate()];
        let own = if is_king { us.index() } else { usize::MAX };
        state.with_rooks(std::array::from_fn(|i| {
            if moved.contains(&rooks[i]) || i / 2 == own { NOWHERE } else { rooks[i] }
        }))
    }

    /// The counters after a move.
    #[inline(always)]
    fn counters_after(&self, irreversible: bool) -> u64 {
        let halfmoves = if irreversible { 0 } else { self.halfmoves().saturating_add(1) };
        counters(halfmoves, self.move_number().saturating_add(self.side().index() as u16))
    }

    /// The square on which this move lets a pawn be captured en passant, if such a capture is legal.
    #[inline(always)]
    fn en_passant_after(&self, mv: Move) -> Option<Square> {
        let [pawn, taker] = [self.side(), !self.side()].map(|side| PieceType::Pawn.of(side).byte());
        let goes_two_ranks = mv.from().coordinate().abs_diff(mv.to().coordinate()) == 0x20;
        let is_pawn = self.byte_at(mv.from()) == pawn;
        // A single branch: few moves satisfy both conditions, and rare branches are predicted best.
        if !(goes_two_ranks & is_pawn) {
            return None;
        }
        let has_taker = beside(mv.to()).any(|square| self.byte_at(square) == taker);
        if has_taker { self.en_passant_if_legal(mv) } else { None }
    }

    #[cold]
    fn en_passant_if_legal(&self, mv: Move) -> Option<Square> {
        self.after_with(mv, None).legal_en_passant(mv.to())
    }

    /// The square on which a pawn that just advanced two squares to `stop` can legally be captured en
    /// passant.
    pub(super) fn legal_en_passant(&self, stop: Square) -> Option<Square> {
        let us = self.side();
        let target = stop.step(us.forward())?;
        let legal = |from| {
            self.piece_at(from) == Some(PieceType::Pawn.of(us))
                && self.en_passant_is_safe(from, target)
        };
        let is_pawn = self.piece_at(stop) == Some(PieceType::Pawn.of(!us));
        (is_pawn && beside(stop).any(legal)).then_some(target)
    }

    /// Whether the king of the side to move is safe after an en-passant capture. Only this move removes two
    /// pieces from a line at once, so it is simply tried out.
    pub(super) fn en_passant_is_safe(&self, from: Square, to: Square) -> bool {
        let us = self.side();
        let after = self.after_with(Move::en_passant(from, to), None);
        !after.is_attacked(after.king(us), !us)
    }
}

/// The neighbors to the west and to the east.
#[inline(always)]
fn beside(square: Square) -> impl Iterator<Item = Square> {
    [WEST, EAST].into_iter().filter_map(move |step| square.step(step))
}

/// Whether a byte of the board is a piece of this type.
#[inline(always)]
fn is(byte: u8, kind: PieceType) -> bool {
    byte & 0xF == kind.bits()
}

/// The next position while its pieces move. Pieces are bytes; the byte of an empty square has key 0.
struct Draft {
    board: [u8x64; 2],
    /// The change of the minor-piece key, and of the four other keys.
    minor_key: u64,
    keys: u64x8,
}

impl Draft {
    #[inline(always)]
    fn of(position: &Position) -> Draft {
        Draft { board: must_cast(*position.words()), minor_key: 0, keys: u64x8::splat(0) }
    }

    #[inline(always)]
    fn leave(&mut self, piece: u8, from: Square) {
        self.set(from, 0);
        self.change_keys(piece, from);
    }

    #[inline(always)]
    fn arrive(&mut self, piece: u8, to: Square) {
        self.set(to, piece);
        self.change_keys(piece, to);
    }

    #[inline(always)]
    fn set(&mut self, square: Square, byte: u8) {
        let (place, byte) = (native::splat(square.coordinate()), native::splat(byte));
        for (bytes, places) in self.board.iter_mut().zip(PLACES) {
            *bytes = places.simd_eq(place).select(byte, *bytes);
        }
    }

    /// Removes a captured piece from the keys. Its square will be overwritten.
    #[inline(always)]
    fn capture(&mut self, piece: u8, square: Square) {
        self.change_keys(piece, square);
    }

    #[inline(always)]
    fn change_keys(&mut self, piece: u8, square: Square) {
        let (number, row) = (zobrist::of_byte(piece, square), Piece::row_of(piece));
        self.minor_key ^= number & MINOR[row];
        self.keys ^= u64x8::splat(number) & KEYS[row];
    }

    /// Completes the position and passes the turn to the other side.
    #[inline(always)]
    fn finish(self, before: &Position, state: State, irreversible: bool) -> Position {
        let [low, high]: [u64x8; 2] = must_cast(self.board);
        let change = u64x8::splat(before.state().key_change(state)) & WORDS[KEY];
        let counters = u64x8::splat(before.counters_after(irreversible));
        let high = WORDS[STATE - 8].bitselect(u64x8::splat(state.0), high);
        let high = WORDS[COUNTERS - 8].bitselect(counters, high);
        let high = high ^ u64x8::splat(self.minor_key) & WORDS[MINOR_KEY - 8];
        Position::from_words(must_cast([low ^ self.keys ^ change, high]))
    }
}

/// The coordinates of all 128 places.
const PLACES: [u8x64; 2] = {
    let mut places = [[0; 64]; 2];
    let mut i = 0;
    while i < 128 {
        places[i / 64][i % 64] = i as u8;
        i += 1;
    }
    [u8x64::new(places[0]), u8x64::new(places[1])]
};

/// For each of eight words, a mask that selects it.
const WORDS: [u64x8; 8] = {
    let mut table = [u64x8::splat(0); 8];
    let mut i = 0;
    while i < 8 {
        let mut words = [0; 8];
        words[i] = !0;
        table[i] = u64x8::new(words);
        i += 1;
    }
    table
};

/// For each piece, a mask of the words of its two keys. Empty squares have none.
static KEYS: [u64x8; 32] = {
    let mut table = [u64x8::splat(0); 32];
    let mut row = 1;
    while row < 32 {
        let mut words = [0; 8];
        words[KEY] = !0;
        words[second_key(row)] = !0;
        table[row] = u64x8::new(words);
        row += 1;
    }
    table
};

/// For each piece, all bits if it is minor, or none.
static MINOR: [u64; 32] = {
    let mut table = [0; 32];
    let mut row = 1;
    while row < 32 {
        if is_minor(row) {
            table[row] = !0;
        }
        row += 1;
    }
    table
};
