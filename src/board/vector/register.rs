//! What the vector backend asks of a processor's registers.

use std::ops::{BitAnd, BitOr};

use crate::board::{Move, MoveList, Position, Square, SquareSet};

/// 64 bytes in a processor's registers, a lane each. Sets of lanes are 64 bits.
pub trait Register: Copy {
    const NAME: &'static str;

    /// The 128 bytes of a board, in a form from which 64 can be fetched at once. The bytes off the
    /// board may hold anything.
    type Board: Copy;

    /// Registers for sets of squares.
    type Rose: Rose;

    fn load(bytes: &[u8; 64]) -> Self;

    /// The same byte in every lane.
    fn splat(byte: u8) -> Self;

    /// Lane by lane sums, modulo 256.
    fn plus(self, other: Self) -> Self;

    /// The low four bits of each lane.
    fn low_bits(self) -> Self;

    /// In each lane the byte of a table of 16 that the low four bits name, or 0 where the highest
    /// bit is set. The table stands in the register four times.
    fn translate(self, table: Self) -> Self;

    /// The lanes that share a bit with the other register's.
    fn meets(self, other: Self) -> u64;

    /// The lanes that hold another byte than the other register's.
    fn differs(self, other: Self) -> u64;

    /// The lanes that hold this byte.
    fn equals(self, byte: u8) -> u64;

    fn board(position: &Position) -> Self::Board;

    /// The bytes of the board at the coordinates in the lanes; anything for coordinates that are
    /// off it.
    fn fetch(self, board: &Self::Board) -> Self;

    /// The bytes of the 64 squares.
    fn squares(board: &Self::Board) -> Self;

    /// The board with another byte on a square.
    fn with(board: &Self::Board, square: Square, byte: u8) -> Self::Board;

    /// The squares of a set of lanes, all of them on the board.
    fn squares_of(from: Square, lanes: u64) -> SquareSet;

    /// The lanes from a square to those of a set; anything for lanes that leave the board.
    fn lanes_of(from: Square, squares: SquareSet) -> u64;

    /// Adds normal moves from a square to those of a set of lanes, at most 32, in their order.
    fn write_moves(from: Square, lanes: u64, list: &mut MoveList);

    /// Adds normal moves of at most 16 pawns that come to these squares by one step.
    fn write_pawn_moves(step: i8, destinations: SquareSet, list: &mut MoveList);

    /// The position after a move that only goes from one square to another.
    fn moved(position: &Position, mv: Move, en_passant: Option<Square>) -> Position;
}

/// Eight sets of squares in a processor's registers, one for each of eight steps.
pub trait Rose: Copy + BitAnd<Output = Self> + BitOr<Output = Self> {
    fn load(sets: &[u64; 8]) -> Self;

    /// The same set for each step.
    fn splat(set: SquareSet) -> Self;

    /// One set for some steps, a bit each, and another for the others.
    fn choose(steps: u8, set: SquareSet, others: SquareSet) -> Self;

    /// Each set with its squares moved by a number of squares among the 64, which is negative for the
    /// first four. Squares that leave the board may come back at its other end.
    fn shift(self, distances: &[i64; 8]) -> Self;

    /// All squares of the eight sets.
    fn union(self) -> SquareSet;
}

/// 64 constants, one for each lane of a register.
#[repr(C, align(64))]
pub struct LaneBytes(pub [u8; 64]);
