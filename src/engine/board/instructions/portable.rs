//! The portable versions of the instructions, and the reference that tests compare the others with.

use bytemuck::must_cast;
use wide::{u8x32, u8x64, u64x4, u64x8};

use crate::board::bitboards::attacks;
use crate::board::lanes::LANE_SQUARES;
use crate::board::position::meets;
use crate::board::{Move, MoveList, Piece, Square, SquareSet};

/// The byte in every element.
#[inline(always)]
pub const fn splat(byte: u8) -> u8x64 {
    u8x64::splat(byte)
}

/// For each element, the byte of a table of 16 that its low four bits select. The highest bit must be clear.
#[inline(always)]
fn translate(names: u8x64, table: [u8; 16]) -> u8x64 {
    let table: u8x32 = must_cast([table; 2]);
    let halves: [u8x32; 2] = must_cast(names & u8x64::splat(0xF));
    must_cast(halves.map(|names| table.swizzle_half_relaxed(names)))
}

/// For each element, the bit of `number` that the low six bits of the byte select.
#[inline(always)]
fn bits_at(places: u8x64, number: u64) -> u64 {
    const BITS: [u8; 16] = must_cast([[1u8, 2, 4, 8, 16, 32, 64, 128]; 2]);
    let bytes = translate(places >> 3, must_cast([number.to_le_bytes(); 2]));
    meets(bytes, translate(places, BITS))
}

/// Rotates eight sets of squares, each by its own distance, which is negative for the first four. Squares
/// that leave the board may re-enter at the other end.
#[inline(always)]
pub fn shift(sets: u64x8, distances: &[i64; 8]) -> u64x8 {
    let [down, up]: [u64x4; 2] = must_cast(sets);
    let [by_down, by_up] = must_cast::<_, [[i64; 4]; 2]>(*distances);
    let by = |distances: [i64; 4]| u64x4::new(distances.map(i64::unsigned_abs));
    must_cast([down.unbounded_shr(by(by_down)), up.unbounded_shl(by(by_up))])
}

/// Appends the normal moves of a piece other than a pawn to the given squares, at most 32, in the order of
/// lanes.
#[inline(always)]
pub fn push_moves(
    piece: Piece,
    from: Square,
    occupied: SquareSet,
    targets: SquareSet,
    list: &mut MoveList,
) {
    let to = attacks(piece, from, occupied) & targets;
    if to.len() < 2 {
        list.extend(to.into_iter().map(|to| Move::normal(from, to)));
        return;
    }
    let squares = &LANE_SQUARES[usize::from(from.index())];
    let lanes = SquareSet::from_bits(bits_at(*squares, to.bits()));
    let square = |lane: Square| Square::from_index(squares.as_array()[usize::from(lane.index())]);
    list.extend(lanes.into_iter().map(|lane| Move::normal(from, square(lane))));
}

/// Appends the normal moves of at most 16 pawns that reach the given squares by one step.
#[inline(always)]
pub fn push_pawn_moves(step: i8, destinations: SquareSet, list: &mut MoveList) {
    let from = |to: Square| Square::from_index(to.index().wrapping_add_signed(-step));
    list.extend(destinations.into_iter().map(|to| Move::normal(from(to), to)));
}
