//! The few AVX-512 instructions that the vector body needs, under names that say what they do.
//!
//! A [`Register`] is 64 bytes, a lane each; a set of lanes is 64 bits. [`Indices`] and [`Moves`] are
//! 16 numbers of two bytes.
//!
//! Each function here is one instruction. Using one is `unsafe` only because a processor might lack
//! it, and this module is compiled only where the build assumes that it does not (`src/build.rs`);
//! the binary asks the processor before anything else. That is what each SAFETY line calls *the
//! build's promise*.

use std::arch::x86_64::*;

use super::super::super::moves::SLACK;
use super::super::super::{Move, MoveList};

#[derive(Clone, Copy)]
pub struct Register(__m512i);

impl Register {
    #[inline(always)]
    pub fn load(bytes: &[u8; 64]) -> Register {
        // SAFETY: the build's promise; the reference is to 64 readable bytes.
        Register(unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) })
    }

    /// The same byte in every lane.
    #[inline(always)]
    pub fn splat(byte: u8) -> Register {
        // SAFETY: the build's promise.
        Register(unsafe { _mm512_set1_epi8(byte as i8) })
    }

    /// The bytes of these lanes; zero in all others.
    #[inline(always)]
    pub fn only(self, lanes: u64) -> Register {
        // SAFETY: the build's promise.
        Register(unsafe { _mm512_maskz_mov_epi8(lanes, self.0) })
    }

    /// The same with another byte in these lanes.
    #[inline(always)]
    pub fn with(self, lanes: u64, byte: u8) -> Register {
        // SAFETY: the build's promise.
        Register(unsafe { _mm512_mask_mov_epi8(self.0, lanes, Register::splat(byte).0) })
    }

    /// Lane by lane sums, modulo 256.
    #[inline(always)]
    pub fn plus(self, other: Register) -> Register {
        // SAFETY: the build's promise.
        Register(unsafe { _mm512_add_epi8(self.0, other.0) })
    }

    /// The same with a bit set in these lanes, where it was not set before.
    #[inline(always)]
    pub fn mark(self, lanes: u64, bit: u8) -> Register {
        // SAFETY: the build's promise.
        Register(unsafe { _mm512_mask_add_epi8(self.0, lanes, self.0, Register::splat(bit).0) })
    }

    /// The lanes that share a bit with the other register's.
    #[inline(always)]
    pub fn meets(self, other: Register) -> u64 {
        // SAFETY: the build's promise.
        unsafe { _mm512_test_epi8_mask(self.0, other.0) }
    }

    /// The lanes that share no bit with the other register's.
    #[inline(always)]
    pub fn misses(self, other: Register) -> u64 {
        // SAFETY: the build's promise.
        unsafe { _mm512_testn_epi8_mask(self.0, other.0) }
    }

    /// The lanes that hold this byte.
    #[inline(always)]
    pub fn equals(self, byte: u8) -> u64 {
        // SAFETY: the build's promise.
        unsafe { _mm512_cmpeq_epi8_mask(self.0, Register::splat(byte).0) }
    }

    /// The highest bit of each lane.
    #[inline(always)]
    pub fn high_bits(self) -> u64 {
        // SAFETY: the build's promise.
        unsafe { _mm512_movepi8_mask(self.0) }
    }

    /// From 128 bytes in two registers the 64 at the places that this one's lanes name; bit 7 of a
    /// place is not looked at.
    #[inline(always)]
    pub fn fetch(self, from: [Register; 2]) -> Register {
        // SAFETY: the build's promise.
        Register(unsafe { _mm512_permutex2var_epi8(from[0].0, self.0, from[1].0) })
    }

    /// In each lane the byte of a table of 16 that the low four bits name, the highest bit being 0.
    /// The table stands in the register four times.
    #[inline(always)]
    pub fn translate(self, table: Register) -> Register {
        // SAFETY: the build's promise.
        Register(unsafe { _mm512_shuffle_epi8(table.0, self.0) })
    }

    /// The low four bits of each lane.
    #[inline(always)]
    pub fn low_bits(self) -> Register {
        // SAFETY: the build's promise.
        Register(unsafe { _mm512_and_si512(self.0, Register::splat(0xF).0) })
    }

    /// For each lane, whether the bit that its low six bits number is set.
    #[inline(always)]
    pub fn choose_bits(self, bits: u64) -> u64 {
        // SAFETY: the build's promise.
        unsafe { _mm512_bitshuffle_epi64_mask(_mm512_set1_epi64(bits as i64), self.0) }
    }

    /// The bytes of these lanes, which are coordinates of squares, moved together to the front.
    #[inline(always)]
    pub fn squeeze(self, lanes: u64) -> Register {
        // SAFETY: the build's promise.
        Register(unsafe { _mm512_maskz_compress_epi8(lanes, self.0) })
    }

    /// The indices among the 64 of the squares in the first 16 lanes.
    #[inline(always)]
    pub fn first_squares(self) -> Indices {
        // SAFETY: the build's promise.
        Indices::of(unsafe { _mm512_castsi512_si128(self.0) })
    }

    /// The indices of the squares in the next 16 lanes.
    #[inline(always)]
    pub fn second_squares(self) -> Indices {
        // SAFETY: the build's promise.
        Indices::of(unsafe { _mm512_extracti32x4_epi32::<1>(self.0) })
    }

    /// The same with some of its eight numbers of eight bytes, a bit each, changed by an xor.
    #[inline(always)]
    pub fn xor_in(self, places: u8, number: u64) -> Register {
        // SAFETY: the build's promise.
        Register(unsafe {
            _mm512_xor_si512(self.0, _mm512_maskz_set1_epi64(places, number as i64))
        })
    }

    /// The same with one of its eight numbers of eight bytes replaced.
    #[inline(always)]
    pub fn with_number(self, place: usize, number: u64) -> Register {
        // SAFETY: the build's promise.
        Register(unsafe { _mm512_mask_set1_epi64(self.0, 1 << place, number as i64) })
    }

    /// Both registers' bytes, one after the other.
    #[inline(always)]
    pub fn bytes([low, high]: [Register; 2]) -> [u8; 128] {
        // SAFETY: both types are 128 bytes without padding, and bytes may have any value.
        unsafe { std::mem::transmute([low.0, high.0]) }
    }
}

/// The indices of sixteen squares among the 64, two bytes each.
#[derive(Clone, Copy)]
pub struct Indices(__m256i);

impl Indices {
    /// The indices of sixteen coordinates: a matrix of bits takes out bit 3, which no square has.
    #[inline(always)]
    fn of(coordinates: __m128i) -> Indices {
        /// For each bit of an index, the lowest first, the bit of the coordinate that it is.
        const WITHOUT_BIT_3: i64 =
            i64::from_be_bytes([1 << 0, 1 << 1, 1 << 2, 1 << 4, 1 << 5, 1 << 6, 0, 0]);
        // SAFETY: the build's promise.
        Indices(unsafe {
            let matrix = _mm_set1_epi64x(WITHOUT_BIT_3);
            _mm256_cvtepu8_epi16(_mm_gf2p8affine_epi64_epi8::<0>(coordinates, matrix))
        })
    }

    /// Each index minus a number.
    #[inline(always)]
    pub fn minus(self, number: i16) -> Indices {
        // SAFETY: the build's promise.
        Indices(unsafe { _mm256_sub_epi16(self.0, _mm256_set1_epi16(number)) })
    }

    /// Normal moves to these squares from another sixteen.
    #[inline(always)]
    pub fn reached_from_each(self, origins: Indices) -> Moves {
        // SAFETY: the build's promise.
        Moves(unsafe { _mm256_or_si256(_mm256_slli_epi16::<6>(self.0), origins.0) })
    }

    /// Normal moves to these squares from the same one.
    #[inline(always)]
    pub fn reached_from(self, origin: u8) -> Moves {
        // SAFETY: the build's promise.
        self.reached_from_each(Indices(unsafe { _mm256_set1_epi16(origin as i16) }))
    }
}

/// Sixteen moves.
#[derive(Clone, Copy)]
pub struct Moves(__m256i);

impl Moves {
    /// Adds the first `count` of the moves to the list. All 16 are written in one go, and those
    /// beyond `count` are not counted.
    #[inline(always)]
    pub fn append(self, count: u32, list: &mut MoveList) {
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

const _: () = assert!(SLACK * size_of::<Move>() == size_of::<Moves>());

/// Bits taken from the places that a mask names and moved together, lowest first.
#[inline(always)]
pub fn extract_bits(bits: u64, places: u64) -> u64 {
    // SAFETY: the build's promise.
    unsafe { _pext_u64(bits, places) }
}

/// The inverse of [`extract_bits`].
#[inline(always)]
pub fn deposit_bits(bits: u64, places: u64) -> u64 {
    // SAFETY: the build's promise.
    unsafe { _pdep_u64(bits, places) }
}
