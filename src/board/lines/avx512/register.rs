//! The few AVX-512 instructions that the vector body needs, under names that say what they do.
//!
//! A [`Register`] is 64 bytes, a lane each; a set of lanes is 64 bits. [`Words`] is the same
//! register seen as 32 numbers of two bytes.
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

    /// The bytes of these lanes moved together to the front.
    #[inline(always)]
    pub fn squeeze(self, lanes: u64) -> Register {
        // SAFETY: the build's promise.
        Register(unsafe { _mm512_maskz_compress_epi8(lanes, self.0) })
    }

    /// The first 32 lanes as numbers of two bytes.
    #[inline(always)]
    pub fn widen(self) -> Words {
        // SAFETY: the build's promise.
        Words(unsafe { _mm512_cvtepu8_epi16(_mm512_castsi512_si256(self.0)) })
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

/// A register as 32 numbers of two bytes.
#[derive(Clone, Copy)]
pub struct Words(__m512i);

impl Words {
    #[inline(always)]
    pub fn splat(number: i16) -> Words {
        // SAFETY: the build's promise.
        Words(unsafe { _mm512_set1_epi16(number) })
    }

    #[inline(always)]
    pub fn minus(self, other: Words) -> Words {
        // SAFETY: the build's promise.
        Words(unsafe { _mm512_sub_epi16(self.0, other.0) })
    }

    /// These numbers as destinations, the other's as origins of normal moves.
    #[inline(always)]
    pub fn reached_from(self, origins: Words) -> Words {
        // SAFETY: the build's promise.
        Words(unsafe { _mm512_or_si512(_mm512_slli_epi16::<6>(self.0), origins.0) })
    }

    /// Adds the first `count` numbers to the list, as moves. All 32 are written in one go, and
    /// those beyond `count` are not counted.
    #[inline(always)]
    pub fn append_moves(self, count: u32, list: &mut MoveList) {
        let length = list.len();
        assert!(length + SLACK <= list.capacity() && count as usize <= SLACK);
        // SAFETY: the build's promise; the list has room for `SLACK` moves of two bytes, which is
        // a register; a `Move` may have any value, and `count` of them are now written.
        unsafe {
            _mm512_storeu_si512(list.as_mut_ptr().add(length).cast(), self.0);
            list.set_len(length + count as usize);
        }
    }
}

const _: () = assert!(SLACK * size_of::<Move>() == size_of::<Register>());

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
