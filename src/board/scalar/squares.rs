//! What stands on the squares, and what they see.

use crate::board::lanes::{between, piece_lanes, reaches_by_byte};
use crate::board::square::{JUMPS, RAYS};
use crate::board::{Color, Piece, Position, Square, SquareSet};

/// The eight bytes on the board of each rank.
#[inline(always)]
pub fn ranks(position: &Position) -> impl Iterator<Item = u64> {
    let (ranks, _) = position.bytes().as_chunks::<16>();
    ranks
        .iter()
        .map(|row| u64::from_le_bytes(*row.first_chunk().expect("a rank has eight squares")))
}

/// The squares of which the lowest bit is set, in the eight bytes of each rank.
#[inline(always)]
pub fn gathered(ranks: impl Iterator<Item = u64>) -> SquareSet {
    /// Multiplied by this, the lowest bits of eight bytes come together in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    const LOWEST_BITS: u64 = 0x0101_0101_0101_0101;
    SquareSet::from_bits(ranks.enumerate().fold(0, |bits, (rank, bytes)| {
        bits | (bytes & LOWEST_BITS).wrapping_mul(GATHER) >> 56 << (8 * rank)
    }))
}

#[inline(always)]
pub fn occupied_by(position: &Position, color: Color) -> SquareSet {
    gathered(ranks(position).map(|squares| squares >> color.bit().trailing_zeros()))
}

/// The pieces of one side, from a1 to h8.
#[inline(always)]
pub fn pieces_of(position: &Position, color: Color) -> impl Iterator<Item = (Square, Piece)> + '_ {
    occupied_by(position, color).into_iter().filter_map(|s| Some((s, position.piece_at(s)?)))
}

pub fn is_attacked(position: &Position, square: Square, by: Color) -> bool {
    pieces_of(position, by).any(|(from, piece)| position.sees(piece, from, square))
}

/// Whether a piece's byte on `from` attacks `to` once the square `through` is empty.
#[inline(always)]
pub fn sees_past(
    position: &Position,
    piece: u8,
    from: Square,
    to: Square,
    through: Square,
) -> bool {
    reaches_by_byte(piece, from, to)
        && between(from, to).all(|square| square == through || position.is_empty(square))
}

/// The squares that a piece would attack from a square.
pub fn attacked_from(position: &Position, from: Square, piece: Piece) -> SquareSet {
    let lanes = piece_lanes(piece);
    let mut squares = SquareSet::NONE;
    let mut attack = |step, farthest| {
        for to in from.ray(step).take(farthest) {
            squares.insert(to);
            if !position.is_empty(to) {
                break;
            }
        }
    };
    for direction in 0..8 {
        match (lanes >> (8 * direction)) as u8 {
            0 => {}
            0x80 => attack(JUMPS[direction], 1),
            ray => attack(RAYS[direction], ray.count_ones() as usize),
        }
    }
    squares
}

/// The enemies that give check to one side's king, and its own pieces that are pinned to it.
pub struct CheckSquares {
    pub checkers: SquareSet,
    pub pinned: SquareSet,
}

impl CheckSquares {
    #[inline(always)]
    pub fn of(position: &Position, color: Color, enemies: SquareSet) -> CheckSquares {
        let king = position.king(color);
        let mut check = CheckSquares { checkers: SquareSet::NONE, pinned: SquareSet::NONE };
        for from in enemies {
            if reaches_by_byte(position.byte_at(from), from, king) {
                check.add(position, color, king, from);
            }
        }
        check
    }

    /// Adds what an enemy does that would attack the king on an empty board.
    fn add(&mut self, position: &Position, color: Color, king: Square, from: Square) {
        let mut blockers = between(king, from).filter(|&square| !position.is_empty(square));
        match (blockers.next(), blockers.next()) {
            (None, _) => self.checkers.insert(from),
            (Some(only), None) if position.byte_at(only) & color.bit() != 0 => {
                self.pinned.insert(only)
            }
            _ => {}
        }
    }
}
