//! AVX-512: 64 bytes in one register, the board in two, and sets of lanes in registers of their own.
//!
//! Nearly each function here is one instruction. Using one is `unsafe` only because a processor
//! might lack it, and this module is compiled only where the build assumes that it does not
//! (`src/build.rs`); the binary asks the processor before anything else (`src/processor.rs`). That
//! is what the SAFETY lines call *the build's promise*.

use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr};

use crate::board::lanes::{LANE_STEPS, NO_LANE, lane};
use crate::board::moves::SLACK;
use crate::board::position::{COUNTERS, KEY, STATE, second_key};
use crate::board::zobrist;
use crate::board::{Move, MoveList, Piece, PieceType, Position, Square, SquareSet};

use super::register::{LaneBytes, Register, Rose};

#[derive(Clone, Copy)]
pub struct Zmm(__m512i);

impl Register for Zmm {
    const NAME: &'static str = "avx512";

    type Board = [Zmm; 2];

    type Rose = ZmmRose;

    #[inline(always)]
    fn load(bytes: &[u8; 64]) -> Zmm {
        Zmm(bytemuck::must_cast(*bytes))
    }

    #[inline(always)]
    fn splat(byte: u8) -> Zmm {
        // SAFETY: the build's promise.
        Zmm(unsafe { _mm512_set1_epi8(byte as i8) })
    }

    #[inline(always)]
    fn plus(self, other: Zmm) -> Zmm {
        // SAFETY: the build's promise.
        Zmm(unsafe { _mm512_add_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn low_bits(self) -> Zmm {
        // SAFETY: the build's promise.
        Zmm(unsafe { _mm512_and_si512(self.0, Zmm::splat(0xF).0) })
    }

    #[inline(always)]
    fn translate(self, table: Zmm) -> Zmm {
        // SAFETY: the build's promise.
        Zmm(unsafe { _mm512_shuffle_epi8(table.0, self.0) })
    }

    #[inline(always)]
    fn meets(self, other: Zmm) -> u64 {
        // SAFETY: the build's promise.
        unsafe { _mm512_test_epi8_mask(self.0, other.0) }
    }

    #[inline(always)]
    fn differs(self, other: Zmm) -> u64 {
        // SAFETY: the build's promise.
        unsafe { _mm512_cmpneq_epi8_mask(self.0, other.0) }
    }

    #[inline(always)]
    fn equals(self, byte: u8) -> u64 {
        // SAFETY: the build's promise.
        unsafe { _mm512_cmpeq_epi8_mask(self.0, Zmm::splat(byte).0) }
    }

    #[inline(always)]
    fn board(position: &Position) -> [Zmm; 2] {
        bytemuck::must_cast::<[u8; 128], [__m512i; 2]>(*position.bytes()).map(Zmm)
    }

    /// The permute does not look at bit 7 of a coordinate, so that a lane which left the board to
    /// the north or south shows some real square.
    #[inline(always)]
    fn fetch(self, board: &[Zmm; 2]) -> Zmm {
        // SAFETY: the build's promise.
        Zmm(unsafe { _mm512_permutex2var_epi8(board[0].0, self.0, board[1].0) })
    }

    #[inline(always)]
    fn squares(board: &[Zmm; 2]) -> Zmm {
        Zmm::load(&COORDINATES.0).fetch(board)
    }

    #[inline(always)]
    fn with(board: &[Zmm; 2], square: Square, byte: u8) -> [Zmm; 2] {
        let place = 1 << (square.coordinate() & 63);
        let [low, high] = if square.coordinate() < 64 { [place, 0] } else { [0, place] };
        [board[0].with_byte(low, byte), board[1].with_byte(high, byte)]
    }

    #[inline(always)]
    fn squares_of(from: Square, lanes: u64) -> SquareSet {
        let from = from.dense() as usize;
        let squares = Zmm::load(&SQUARE_LANES[from].0).choose(lanes);
        SquareSet::from_bits(squares & JOINED[from])
    }

    #[inline(always)]
    fn lanes_of(from: Square, squares: SquareSet) -> u64 {
        Zmm::load(&LANE_SQUARES[from.dense() as usize].0).choose(squares.bits())
    }

    #[inline(always)]
    fn write_moves(from: Square, lanes: u64, list: &mut MoveList) {
        let squares = Zmm::load(&LANE_SQUARES[from.dense() as usize].0).squeezed(lanes);
        // SAFETY: the build's promise.
        let origins = unsafe { _mm512_set1_epi16(from.dense() as i16) };
        Moves::new(origins, squares).append(lanes.count_ones(), list);
    }

    #[inline(always)]
    fn write_pawn_moves(step: i8, destinations: SquareSet, list: &mut MoveList) {
        let squares = Zmm::load(&INDICES.0).squeezed(destinations.bits());
        // SAFETY: the build's promise.
        let origins = unsafe { _mm512_sub_epi16(squares.words(), _mm512_set1_epi16(step as i16)) };
        Moves::new(origins, squares).append(destinations.len(), list);
    }

    #[inline(always)]
    fn moved(position: &Position, mv: Move, en_passant: Option<Square>) -> Position {
        let (from, to) = (mv.from(), mv.to());
        let (mover, captured) = (position.byte_at(from), position.byte_at(to));
        let [is_pawn, is_king] =
            [PieceType::Pawn, PieceType::King].map(|kind| mover & 0xF == kind.bits());
        let state = position.state().after(mv, is_king, en_passant);
        let counters = position.counters_after(is_pawn || captured != 0);

        let board = Zmm::board(position);
        let [low, high] = Zmm::with(&Zmm::with(&board, from, 0), to, mover);
        let keys = |byte: u8| KEYS[Piece::row_of(byte)];
        let moved = zobrist::of_byte(mover, from) ^ zobrist::of_byte(mover, to);
        let low = low
            .xor_words(keys(mover), moved)
            .xor_words(keys(captured), zobrist::of_byte(captured, to))
            .xor_words(1 << KEY, position.state().key_change(state));
        let high = high.with_word(STATE - 8, state.0).with_word(COUNTERS - 8, counters);
        Position::from_words(bytemuck::must_cast([low.0, high.0]))
    }
}

/// The words with the keys that a piece takes part in, a bit each, by [`Piece::row`].
static KEYS: [u8; 32] = {
    let mut keys = [0; 32];
    let mut row = 0;
    while row < 32 {
        keys[row] = 1 << KEY | 1 << second_key(row);
        row += 1;
    }
    keys
};

/// The indices of the 64 squares.
static INDICES: LaneBytes = LaneBytes({
    let mut indices = [0; 64];
    let mut i = 0;
    while i < 64 {
        indices[i] = i as u8;
        i += 1;
    }
    indices
});

/// From each square the index of each lane's square; anything for lanes that leave the board.
static LANE_SQUARES: [LaneBytes; 64] = {
    let mut table = [const { LaneBytes([0; 64]) }; 64];
    let mut from = 0;
    while from < 64 {
        let mut lane = 0;
        while lane < 64 {
            if let Some(to) = Square::from_dense(from as u8).step(LANE_STEPS[lane]) {
                table[from].0[lane] = to.dense();
            }
            lane += 1;
        }
        from += 1;
    }
    table
};

/// From each square the lane to each of the 64, and those that a lane joins with it.
static SQUARE_LANES: [LaneBytes; 64] = {
    let mut table = [const { LaneBytes([0; 64]) }; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            table[from].0[to] = lane(Square::from_dense(from as u8), Square::from_dense(to as u8));
            to += 1;
        }
        from += 1;
    }
    table
};

static JOINED: [u64; 64] = {
    let mut table = [0; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            if SQUARE_LANES[from].0[to] != NO_LANE {
                table[from] |= 1 << to;
            }
            to += 1;
        }
        from += 1;
    }
    table
};

/// The coordinates of the 64 squares.
static COORDINATES: LaneBytes = LaneBytes({
    let mut coordinates = [0; 64];
    let mut i = 0;
    while i < 64 {
        coordinates[i] = Square::from_dense(i as u8).coordinate();
        i += 1;
    }
    coordinates
});

impl Zmm {
    /// The same with another byte in these lanes.
    #[inline(always)]
    fn with_byte(self, lanes: u64, byte: u8) -> Zmm {
        // SAFETY: the build's promise.
        Zmm(unsafe { _mm512_mask_mov_epi8(self.0, lanes, Zmm::splat(byte).0) })
    }

    /// The same with some of its eight words, a bit each, changed by an xor.
    #[inline(always)]
    fn xor_words(self, words: u8, number: u64) -> Zmm {
        // SAFETY: the build's promise.
        Zmm(unsafe { _mm512_xor_si512(self.0, _mm512_maskz_set1_epi64(words, number as i64)) })
    }

    /// The same with one of its eight words replaced.
    #[inline(always)]
    fn with_word(self, word: usize, number: u64) -> Zmm {
        // SAFETY: the build's promise.
        Zmm(unsafe { _mm512_mask_set1_epi64(self.0, 1 << word, number as i64) })
    }

    /// The bytes of these lanes moved together to the front.
    #[inline(always)]
    fn squeezed(self, lanes: u64) -> Zmm {
        // SAFETY: the build's promise.
        Zmm(unsafe { _mm512_maskz_compress_epi8(lanes, self.0) })
    }

    /// In each lane the bit of a number that the byte names, of which only six bits count.
    #[inline(always)]
    fn choose(self, number: u64) -> u64 {
        // SAFETY: the build's promise.
        unsafe { _mm512_bitshuffle_epi64_mask(_mm512_set1_epi64(number as i64), self.0) }
    }

    /// The first 32 bytes, in two bytes each.
    #[inline(always)]
    fn words(self) -> __m512i {
        // SAFETY: the build's promise.
        unsafe { _mm512_cvtepu8_epi16(_mm512_castsi512_si256(self.0)) }
    }
}

/// 32 normal moves.
struct Moves(__m512i);

impl Moves {
    /// The moves from some squares, two bytes each, to the first 32.
    #[inline(always)]
    fn new(origins: __m512i, squares: Zmm) -> Moves {
        // SAFETY: the build's promise.
        Moves(unsafe { _mm512_or_si512(_mm512_slli_epi16::<6>(squares.words()), origins) })
    }

    /// Adds the first `count` of the moves to the list. All 32 are written in one go, and those
    /// beyond `count` are not counted.
    #[inline(always)]
    fn append(self, count: u32, list: &mut MoveList) {
        const { assert!(SLACK * size_of::<Move>() == size_of::<Moves>()) };
        let (length, count) = (list.len(), count as usize);
        assert!(length <= list.capacity() - SLACK && count <= SLACK);
        // SAFETY: the build's promise; the list has room for `SLACK` moves of two bytes, which is
        // what is written; a `Move` may have any value, and no more than `SLACK` are counted.
        unsafe {
            _mm512_storeu_si512(list.as_mut_ptr().add(length).cast(), self.0);
            list.set_len(length + count);
        }
    }
}

/// Eight sets of squares, a word each.
#[derive(Clone, Copy)]
pub struct ZmmRose(__m512i);

impl Rose for ZmmRose {
    #[inline(always)]
    fn load(sets: &[u64; 8]) -> ZmmRose {
        ZmmRose(bytemuck::must_cast(*sets))
    }

    #[inline(always)]
    fn splat(set: SquareSet) -> ZmmRose {
        // SAFETY: the build's promise.
        ZmmRose(unsafe { _mm512_set1_epi64(set.bits() as i64) })
    }

    #[inline(always)]
    fn choose(steps: u8, set: SquareSet, others: SquareSet) -> ZmmRose {
        // SAFETY: the build's promise.
        ZmmRose(unsafe {
            _mm512_mask_set1_epi64(ZmmRose::splat(others).0, steps, set.bits() as i64)
        })
    }

    #[inline(always)]
    fn shift(self, distances: &[i64; 8]) -> ZmmRose {
        // SAFETY: the build's promise.
        ZmmRose(unsafe { _mm512_rolv_epi64(self.0, bytemuck::must_cast(*distances)) })
    }

    #[inline(always)]
    fn union(self) -> SquareSet {
        // SAFETY: the build's promise.
        SquareSet::from_bits(unsafe { _mm512_reduce_or_epi64(self.0) } as u64)
    }
}

impl BitAnd for ZmmRose {
    type Output = ZmmRose;

    #[inline(always)]
    fn bitand(self, other: ZmmRose) -> ZmmRose {
        // SAFETY: the build's promise.
        ZmmRose(unsafe { _mm512_and_si512(self.0, other.0) })
    }
}

impl BitOr for ZmmRose {
    type Output = ZmmRose;

    #[inline(always)]
    fn bitor(self, other: ZmmRose) -> ZmmRose {
        // SAFETY: the build's promise.
        ZmmRose(unsafe { _mm512_or_si512(self.0, other.0) })
    }
}
