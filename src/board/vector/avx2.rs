//! AVX2: 64 bytes in two registers, and the board in eight, a rank in each.
//!
//! No instruction of AVX2 fetches bytes from 128, but one fetches from 16, which is a rank with its
//! off-board half: so all eight ranks are asked, and each answers for the lanes that are on it.
//!
//! What the SAFETY lines call *the build's promise*: this module is compiled only where the build
//! assumes AVX2 (`src/build.rs`), and the binary asks the processor before anything else
//! (`src/processor.rs`).

use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr};

use super::register::{LaneBytes, Register, Rose};
use super::view::STEPS;
use crate::board::lanes::LANE_STEPS;
use crate::board::{Backend, Move, MoveList, Position, Scalar, Square, SquareSet};

#[derive(Clone, Copy)]
pub struct YmmPair([__m256i; 2]);

impl Register for YmmPair {
    const NAME: &'static str = "avx2";

    /// Each rank's 16 bytes, twice.
    type Board = [__m256i; 8];

    type Rose = YmmRose;

    #[inline(always)]
    fn load(bytes: &[u8; 64]) -> YmmPair {
        YmmPair(bytemuck::must_cast(*bytes))
    }

    #[inline(always)]
    fn splat(byte: u8) -> YmmPair {
        YmmPair([splat(byte); 2])
    }

    #[inline(always)]
    fn plus(self, other: YmmPair) -> YmmPair {
        // SAFETY: the build's promise.
        self.zip(other, |a, b| unsafe { _mm256_add_epi8(a, b) })
    }

    #[inline(always)]
    fn low_bits(self) -> YmmPair {
        self.and(YmmPair::splat(0xF))
    }

    #[inline(always)]
    fn translate(self, table: YmmPair) -> YmmPair {
        // SAFETY: the build's promise.
        self.zip(table, |names, table| unsafe { _mm256_shuffle_epi8(table, names) })
    }

    #[inline(always)]
    fn meets(self, other: YmmPair) -> u64 {
        !self.and(other).equals(0)
    }

    #[inline(always)]
    fn differs(self, other: YmmPair) -> u64 {
        // SAFETY: the build's promise.
        !self.zip(other, |a, b| unsafe { _mm256_cmpeq_epi8(a, b) }).high_bits()
    }

    #[inline(always)]
    fn equals(self, byte: u8) -> u64 {
        !self.differs(YmmPair::splat(byte))
    }

    #[inline(always)]
    fn board(position: &Position) -> [__m256i; 8] {
        let ranks: [__m128i; 8] = bytemuck::must_cast(*position.bytes());
        // SAFETY: the build's promise.
        ranks.map(|rank| unsafe { _mm256_broadcastsi128_si256(rank) })
    }

    /// Exclusive or with a rank's number leaves the high half of its own coordinates zero; the
    /// addition saturates, so that all others get the bit for which a rank answers zero.
    #[inline(always)]
    fn fetch(self, board: &[__m256i; 8]) -> YmmPair {
        YmmPair(self.0.map(|coordinates| {
            (0..8).fold(splat(0), |pieces, rank| {
                // SAFETY: the build's promise.
                unsafe {
                    let here = _mm256_xor_si256(coordinates, splat((rank as u8) << 4));
                    let here = _mm256_adds_epu8(here, splat(0x70));
                    _mm256_or_si256(pieces, _mm256_shuffle_epi8(board[rank], here))
                }
            })
        }))
    }

    /// The on-board halves of the ranks, side by side.
    #[inline(always)]
    fn squares(board: &[__m256i; 8]) -> YmmPair {
        YmmPair([&board[..4], &board[4..]].map(|ranks| {
            // SAFETY: the build's promise.
            unsafe {
                let low = _mm256_unpacklo_epi64(ranks[0], ranks[1]);
                let high = _mm256_unpacklo_epi64(ranks[2], ranks[3]);
                _mm256_blend_epi32::<0xF0>(low, high)
            }
        }))
    }

    #[inline(always)]
    fn with(board: &[__m256i; 8], square: Square, byte: u8) -> [__m256i; 8] {
        let place = splat(square.coordinate());
        std::array::from_fn(|rank| {
            // SAFETY: the build's promise.
            unsafe {
                let here = _mm256_cmpeq_epi8(places(rank), place);
                _mm256_blendv_epi8(board[rank], splat(byte), here)
            }
        })
    }

    #[inline(always)]
    fn squares_of(from: Square, lanes: u64) -> SquareSet {
        lane_squares(from, lanes).collect()
    }

    /// The rank of a lane's square names a byte of the set, and its file a bit of that.
    #[inline(always)]
    fn lanes_of(from: Square, squares: SquareSet) -> u64 {
        let lanes = YmmPair::splat(from.coordinate()).plus(YmmPair::load(&STEPS.0));
        // SAFETY: the build's promise.
        let ranks = YmmPair(lanes.0.map(|lanes| unsafe { _mm256_srli_epi16::<4>(lanes) }));
        // SAFETY: the build's promise.
        let set = YmmPair([unsafe { _mm256_set1_epi64x(squares.bits() as i64) }; 2]);
        ranks.low_bits().translate(set).meets(lanes.translate(YmmPair::load(&FILE_BITS.0)))
    }

    #[inline(always)]
    fn write_moves(from: Square, lanes: u64, list: &mut MoveList) {
        list.extend(lane_squares(from, lanes).map(|to| Move::normal(from, to)));
    }

    #[inline(always)]
    fn write_pawn_moves(step: i8, destinations: SquareSet, list: &mut MoveList) {
        let from = |to: Square| Square::from_dense(to.dense().wrapping_add_signed(-step));
        list.extend(destinations.into_iter().map(|to| Move::normal(from(to), to)));
    }

    #[inline(always)]
    fn moved(position: &Position, mv: Move, en_passant: Option<Square>) -> Position {
        Scalar::moved(position, mv, en_passant)
    }
}

/// A bit for each of eight files.
static FILE_BITS: LaneBytes = LaneBytes({
    let mut bits = [0; 64];
    let mut i = 0;
    while i < 64 {
        bits[i] = 1 << (i % 8);
        i += 1;
    }
    bits
});

impl YmmPair {
    /// The highest bit of each lane.
    #[inline(always)]
    fn high_bits(self) -> u64 {
        let [low, high] = self.0.map(|half| {
            // SAFETY: the build's promise.
            (unsafe { _mm256_movemask_epi8(half) }) as u32 as u64
        });
        low | high << 32
    }

    #[inline(always)]
    fn and(self, other: YmmPair) -> YmmPair {
        // SAFETY: the build's promise.
        self.zip(other, |a, b| unsafe { _mm256_and_si256(a, b) })
    }

    #[inline(always)]
    fn zip(self, other: YmmPair, work: impl Fn(__m256i, __m256i) -> __m256i) -> YmmPair {
        YmmPair([work(self.0[0], other.0[0]), work(self.0[1], other.0[1])])
    }
}

/// Eight sets of squares, a word each: in one register those of steps towards a1, in the other those
/// of steps towards h8.
#[derive(Clone, Copy)]
pub struct YmmRose([__m256i; 2]);

impl Rose for YmmRose {
    #[inline(always)]
    fn load(sets: &[u64; 8]) -> YmmRose {
        YmmRose(bytemuck::must_cast(*sets))
    }

    #[inline(always)]
    fn splat(set: SquareSet) -> YmmRose {
        YmmRose::load(&[set.bits(); 8])
    }

    #[inline(always)]
    fn choose(steps: u8, set: SquareSet, others: SquareSet) -> YmmRose {
        YmmRose::load(&std::array::from_fn(|step| {
            if steps >> step & 1 != 0 { set.bits() } else { others.bits() }
        }))
    }

    #[inline(always)]
    fn shift(self, distances: &[i64; 8]) -> YmmRose {
        let [down, up] = bytemuck::must_cast(*distances);
        // SAFETY: the build's promise.
        YmmRose(unsafe {
            let down = _mm256_sub_epi64(splat(0), down);
            [_mm256_srlv_epi64(self.0[0], down), _mm256_sllv_epi64(self.0[1], up)]
        })
    }

    #[inline(always)]
    fn union(self) -> SquareSet {
        // SAFETY: the build's promise.
        let both: [u64; 4] = bytemuck::must_cast(unsafe { _mm256_or_si256(self.0[0], self.0[1]) });
        SquareSet::from_bits(both[0] | both[1] | both[2] | both[3])
    }
}

impl BitAnd for YmmRose {
    type Output = YmmRose;

    #[inline(always)]
    fn bitand(self, other: YmmRose) -> YmmRose {
        // SAFETY: the build's promise.
        YmmRose(std::array::from_fn(|i| unsafe { _mm256_and_si256(self.0[i], other.0[i]) }))
    }
}

impl BitOr for YmmRose {
    type Output = YmmRose;

    #[inline(always)]
    fn bitor(self, other: YmmRose) -> YmmRose {
        // SAFETY: the build's promise.
        YmmRose(std::array::from_fn(|i| unsafe { _mm256_or_si256(self.0[i], other.0[i]) }))
    }
}

#[inline(always)]
fn splat(byte: u8) -> __m256i {
    // SAFETY: the build's promise.
    unsafe { _mm256_set1_epi8(byte as i8) }
}

/// The coordinates of a rank's 16 places, twice.
#[inline(always)]
fn places(rank: usize) -> __m256i {
    let columns: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    // SAFETY: the build's promise.
    unsafe {
        let columns = _mm256_broadcastsi128_si256(bytemuck::must_cast(columns));
        _mm256_or_si256(columns, splat((rank as u8) << 4))
    }
}

/// The squares of lanes that are on the board, in their order.
#[inline(always)]
fn lane_squares(from: Square, lanes: u64) -> impl Iterator<Item = Square> {
    let mut left = lanes;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let step = LANE_STEPS[left.trailing_zeros() as usize & 63];
        left &= left - 1;
        Some(Square::known(from.coordinate().wrapping_add_signed(step)))
    })
}
