//! AVX-512: 64 bytes in one register, the board in two, and sets of lanes in registers of their own.
//!
//! Nearly each function here is one instruction. Using one is `unsafe` only because a processor
//! might lack it, and this module is compiled only where the build assumes that it does not
//! (`src/build.rs`); the binary asks the processor before anything else (`src/processor.rs`). That
//! is what the SAFETY lines call *the build's promise*.

use std::arch::x86_64::*;

use crate::board::lanes::{LANES, NO_LANE};
use crate::board::moves::SLACK;
use crate::board::position::{COUNTERS, KEY, STATE, second_key};
use crate::board::zobrist;
use crate::board::{Move, MoveList, Piece, PieceType, Position, Square, SquareSet};

use super::register::{LaneBytes, Register};

#[derive(Clone, Copy)]
pub struct Zmm(__m512i);

impl Register for Zmm {
    const NAME: &'static str = "avx512";

    type Board = [Zmm; 2];

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
    fn high_bits(self) -> u64 {
        // SAFETY: the build's promise.
        unsafe { _mm512_movepi8_mask(self.0) }
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
    fn mark(board: &[Zmm; 2], squares: SquareSet) -> [Zmm; 2] {
        let [low, high] = [squares.bits() & 0xFFFF_FFFF, squares.bits() >> 32].map(|half| {
            // SAFETY: the build's promise.
            unsafe { _pdep_u64(half, ON_BOARD) }
        });
        [board[0].with_high_bit(low), board[1].with_high_bit(high)]
    }

    /// The differences of the coordinates along the board are consecutive, and so are their places
    /// in the table of lanes: two reads give the lanes from a square to all places of the board,
    /// and of each the bit in the set is chosen.
    #[inline(always)]
    fn squares_of(from: Square, lanes: u64) -> SquareSet {
        /// What tells [`NO_LANE`] from lanes.
        const NONE: u8 = NO_LANE & !63;
        let first = 0x77 - from.index();
        let [low, high] = [first, first + 64].map(|start| {
            let lane = Zmm::load(LANES[start..].first_chunk().expect("the table is padded"));
            let joined = !lane.meets(Zmm::splat(NONE));
            // SAFETY: the build's promise.
            unsafe {
                let set = _mm512_set1_epi64(lanes as i64);
                let chosen = _mm512_bitshuffle_epi64_mask(set, lane.0);
                _pext_u64(chosen & joined, ON_BOARD)
            }
        });
        SquareSet::from_bits(low | high << 32)
    }

    #[inline(always)]
    fn write_moves(self, from: Square, lanes: u64, list: &mut MoveList) {
        let squares = self.squeezed(lanes);
        let count = lanes.count_ones();
        if count <= 16 {
            squares.first_indices().reached_from(from.dense()).append(count, list);
        } else {
            squares.first_indices().reached_from(from.dense()).append(16, list);
            squares.second_indices().reached_from(from.dense()).append(count - 16, list);
        }
    }

    #[inline(always)]
    fn write_pawn_moves(step: i8, destinations: SquareSet, list: &mut MoveList) {
        let squares = Zmm::load(&COORDINATES.0).squeezed(destinations.bits()).first_indices();
        squares.reached_by(step).append(destinations.len(), list);
    }

    #[inline(always)]
    fn moved(position: &Position, mv: Move) -> Position {
        let (from, to) = (mv.from(), mv.to());
        let (mover, captured) = (position.byte_at(from), position.byte_at(to));
        let [is_pawn, is_king] =
            [PieceType::Pawn, PieceType::King].map(|kind| mover & 0xF == kind.bits());
        let state = position.state().after(mv, is_king);
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

/// The places of half a board, 64 bytes, that are on the board.
const ON_BOARD: u64 = 0x00FF_00FF_00FF_00FF;

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

    /// The same with the highest bit of these lanes flipped.
    #[inline(always)]
    fn with_high_bit(self, lanes: u64) -> Zmm {
        // SAFETY: the build's promise.
        Zmm(unsafe { _mm512_mask_add_epi8(self.0, lanes, self.0, Zmm::splat(0x80).0) })
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

    /// The indices among the 64 of the squares in the first 16 lanes.
    #[inline(always)]
    fn first_indices(self) -> Indices {
        // SAFETY: the build's promise.
        Indices::of(unsafe { _mm512_castsi512_si128(self.0) })
    }

    /// The indices of the squares in the next 16 lanes.
    #[inline(always)]
    fn second_indices(self) -> Indices {
        // SAFETY: the build's promise.
        Indices::of(unsafe { _mm512_extracti32x4_epi32::<1>(self.0) })
    }
}

/// The indices of sixteen squares among the 64, two bytes each.
#[derive(Clone, Copy)]
struct Indices(__m256i);

impl Indices {
    /// The indices of sixteen coordinates: a matrix of bits takes out bit 3, which no square has.
    #[inline(always)]
    fn of(coordinates: __m128i) -> Indices {
        /// For each bit of an index, the highest last, the bit of the coordinate that it is.
        const WITHOUT_BIT_3: i64 =
            i64::from_be_bytes([1 << 0, 1 << 1, 1 << 2, 1 << 4, 1 << 5, 1 << 6, 0, 0]);
        // SAFETY: the build's promise.
        Indices(unsafe {
            let matrix = _mm_set1_epi64x(WITHOUT_BIT_3);
            _mm256_cvtepu8_epi16(_mm_gf2p8affine_epi64_epi8::<0>(coordinates, matrix))
        })
    }

    /// Normal moves to these squares from sixteen others.
    #[inline(always)]
    fn reached_from_each(self, origins: Indices) -> Moves {
        // SAFETY: the build's promise.
        Moves(unsafe { _mm256_or_si256(_mm256_slli_epi16::<6>(self.0), origins.0) })
    }

    /// Normal moves to these squares from one.
    #[inline(always)]
    fn reached_from(self, origin: u8) -> Moves {
        // SAFETY: the build's promise.
        self.reached_from_each(Indices(unsafe { _mm256_set1_epi16(origin as i16) }))
    }

    /// Normal moves that come to these squares by the same step.
    #[inline(always)]
    fn reached_by(self, step: i8) -> Moves {
        // SAFETY: the build's promise.
        self.reached_from_each(Indices(unsafe {
            _mm256_sub_epi16(self.0, _mm256_set1_epi16(step as i16))
        }))
    }
}

/// Sixteen moves.
struct Moves(__m256i);

const _: () = assert!(SLACK * size_of::<Move>() == size_of::<Moves>());

impl Moves {
    /// Adds the first `count` of the moves to the list. All 16 are written in one go, and those
    /// beyond `count` are not counted.
    #[inline(always)]
    fn append(self, count: u32, list: &mut MoveList) {
        let length = list.len();
        assert!(length <= list.capacity() - SLACK && count as usize <= SLACK);
        // SAFETY: the build's promise; the list has room for `SLACK` moves of two bytes, which is
        // what is written; a `Move` may have any value, and no more than `SLACK` are counted.
        unsafe {
            _mm256_storeu_si256(list.as_mut_ptr().add(length).cast(), self.0);
            list.set_len(length + count as usize);
        }
    }
}
