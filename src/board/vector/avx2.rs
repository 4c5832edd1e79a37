//! AVX2: 64 bytes in two registers, and the board in eight, a rank in each.
//!
//! No instruction of AVX2 fetches bytes from 128, but one fetches from 16, which is a rank with its
//! off-board half: so all eight ranks are asked, and each answers for the lanes that are on it.
//!
//! What the SAFETY lines call *the build's promise*: this module is compiled only where the build
//! assumes AVX2 (`src/build.rs`), and the binary asks the processor before anything else
//! (`src/processor.rs`).

use std::arch::x86_64::*;

use super::register::Register;
use crate::board::lanes::LANE_STEPS;
use crate::board::{Backend, Move, MoveList, Position, Scalar, Square, SquareSet};

#[derive(Clone, Copy)]
pub struct YmmPair([__m256i; 2]);

impl Register for YmmPair {
    const NAME: &'static str = "avx2";

    /// Each rank's 16 bytes, twice.
    type Board = [__m256i; 8];

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
    fn high_bits(self) -> u64 {
        let [low, high] = self.0.map(|half| {
            // SAFETY: the build's promise.
            (unsafe { _mm256_movemask_epi8(half) }) as u32 as u64
        });
        low | high << 32
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
    fn mark(board: &[__m256i; 8], squares: SquareSet) -> [__m256i; 8] {
        /// A bit for each file, and none for what is off the board.
        const FILE_BITS: i64 = i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);
        std::array::from_fn(|rank| {
            // SAFETY: the build's promise.
            unsafe {
                let files = _mm256_set_epi64x(0, FILE_BITS, 0, FILE_BITS);
                let wanted = _mm256_and_si256(splat((squares.bits() >> (8 * rank)) as u8), files);
                let plain = _mm256_cmpeq_epi8(wanted, splat(0));
                _mm256_or_si256(board[rank], _mm256_andnot_si256(plain, splat(0x80)))
            }
        })
    }

    #[inline(always)]
    fn squares_of(from: Square, lanes: u64) -> SquareSet {
        lane_squares(from, lanes).collect()
    }

    #[inline(always)]
    fn write_moves(self, from: Square, lanes: u64, list: &mut MoveList) {
        list.extend(lane_squares(from, lanes).map(|to| Move::normal(from, to)));
    }

    #[inline(always)]
    fn write_pawn_moves(step: i8, destinations: SquareSet, list: &mut MoveList) {
        let from = |to: Square| Square::from_dense(to.dense().wrapping_add_signed(-step));
        list.extend(destinations.into_iter().map(|to| Move::normal(from(to), to)));
    }

    #[inline(always)]
    fn moved(position: &Position, mv: Move) -> Position {
        Scalar::moved(position, mv)
    }
}

impl YmmPair {
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
