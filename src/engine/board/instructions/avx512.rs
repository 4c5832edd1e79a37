//! AVX-512 with VBMI, VBMI2 and BITALG: Ice Lake, Zen 4 and newer.
//!
//! The functions are safe to call because this module is compiled only if the build assumes these
//! instructions (`src/build.rs`), and the binary checks the processor before anything else
//! (`src/processor.rs`). The SAFETY lines call that *the build's promise*.

use std::arch::x86_64::*;

use bytemuck::must_cast;
use wide::{u8x64, u64x8};

use crate::board::lanes::LANE_SQUARES;
use crate::board::moves::SLACK;
use crate::board::{Move, MoveList, Piece, PieceType, Square, SquareSet};

/// See [`super::portable::splat`].
#[inline(always)]
pub fn splat(byte: u8) -> u8x64 {
    // SAFETY: the build's promise.
    must_cast(unsafe { _mm512_set1_epi8(byte as i8) })
}

/// For each element, the bit of `number` that the low six bits of the byte select.
#[inline(always)]
fn bits_at(places: u8x64, number: u64) -> u64 {
    // SAFETY: the build's promise.
    unsafe { _mm512_bitshuffle_epi64_mask(must_cast([number; 8]), must_cast(places)) }
}

/// See [`super::portable::shift`].
#[inline(always)]
pub fn shift(sets: u64x8, distances: &[i64; 8]) -> u64x8 {
    // SAFETY: the build's promise.
    must_cast(unsafe { _mm512_rolv_epi64(must_cast(sets), must_cast(*distances)) })
}

/// See [`super::portable::push_moves`]. Each ray is one byte of a 64-bit number. The nearest piece on a ray
/// is the lowest bit of its byte, and subtracting one from every byte flips the bits up to it.
#[inline(always)]
pub fn push_moves(
    piece: Piece,
    from: Square,
    occupied: SquareSet,
    targets: SquareSet,
    list: &mut MoveList,
) {
    let squares = LANE_SQUARES[usize::from(from.index())];
    // A set last bit in each byte keeps the subtraction from borrowing.
    let pieces = bits_at(squares, occupied.bits()) | JUMP_LANES;
    let unblocked = pieces ^ (pieces - ADJACENT_LANES) | JUMP_LANES;
    let lanes = unblocked & PIECE_LANES[usize::from(piece.byte() & 0xF)];
    let lanes = lanes & bits_at(squares, targets.bits());
    // SAFETY: the build's promise.
    let origins = unsafe { _mm512_set1_epi16(from.index() as i16) };
    append(origins, squeezed(squares, lanes), lanes.count_ones(), list);
}

/// The first lane of each ray, which leads to an adjacent square, and the lanes of knight's jumps.
const ADJACENT_LANES: u64 = 0x0101_0101_0101_0101;
const JUMP_LANES: u64 = ADJACENT_LANES << 7;

/// The lanes that a piece other than a pawn can use, by the low four bits of its byte.
static PIECE_LANES: [u64; 16] = {
    let mut table = [0; 16];
    table[PieceType::Knight as usize] = JUMP_LANES;
    table[PieceType::King as usize] = ADJACENT_LANES;
    // North, east, south and west are four of the eight directions.
    table[PieceType::Rook as usize] = 0x007F_007F_7F00_7F00;
    table[PieceType::Bishop as usize] = 0x7F00_7F00_007F_007F;
    table[PieceType::Queen as usize] = !JUMP_LANES;
    table
};

/// See [`super::portable::push_pawn_moves`].
#[inline(always)]
pub fn push_pawn_moves(step: i8, squares: SquareSet, list: &mut MoveList) {
    let destinations = squeezed(INDICES, squares.bits());
    // SAFETY: the build's promise.
    let origins = unsafe { _mm512_sub_epi16(destinations, _mm512_set1_epi16(step as i16)) };
    append(origins, destinations, squares.len(), list);
}

/// The indices of the 64 squares.
const INDICES: u8x64 = u8x64::new({
    let mut indices = [0; 64];
    let mut i = 0;
    while i < 64 {
        indices[i] = i as u8;
        i += 1;
    }
    indices
});

/// The bytes of the given lanes, at most 32, compressed to the front and widened to two bytes each.
#[inline(always)]
fn squeezed(bytes: u8x64, lanes: u64) -> __m512i {
    // SAFETY: the build's promise.
    unsafe {
        let squeezed = _mm512_maskz_compress_epi8(lanes, must_cast(bytes));
        _mm512_cvtepu8_epi16(_mm512_castsi512_si256(squeezed))
    }
}

/// Appends the first `count` of 32 normal moves to the list. All 32 are written at once; only `count` of them
/// become part of the list.
#[inline(always)]
fn append(origins: __m512i, destinations: __m512i, count: u32, list: &mut MoveList) {
    const { assert!(SLACK * size_of::<Move>() == size_of::<__m512i>()) };
    let (length, count) = (list.len(), count as usize);
    assert!(length <= list.capacity() - SLACK && count <= SLACK);
    // SAFETY: the build's promise; the list has room for `SLACK` moves of two bytes, which is what is
    // written; any bits are a valid `Move`, and at most `SLACK` become part of the list.
    unsafe {
        let moves = _mm512_or_si512(_mm512_slli_epi16::<6>(destinations), origins);
        _mm512_storeu_si512(list.as_mut_ptr().add(length).cast(), moves);
        list.set_len(length + count);
    }
}
