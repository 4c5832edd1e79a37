//! Lanes: what a square can see, and be seen from.
//!
//! From every square run 64 *lanes*: eight rays of up to seven squares, and eight knight's jumps.
//! A ray and a jump share eight lanes, in the order of [`RAYS`] and [`JUMPS`]:
//!
//! ```text
//! lane     8 d + 0 … 8 d + 6          8 d + 7
//! square   1 … 7 steps along RAYS[d]   JUMPS[d]
//! ```
//!
//! The difference of two 0x88 coordinates names the lane from one to the other, and a piece is the
//! set of lanes it may use. So one byte from a table says whether a piece reaches a square on an empty
//! board, and by which step; only then it matters what stands between.

use wide::u8x64;

use super::instructions::native;
use super::square::{JUMPS, RAYS};
use super::{Color, Piece, Square, SquareSet};

/// Stands for the lane between squares that no lane joins. Its low six bits name a jump, which is
/// never part of a set of lanes along rays.
pub(super) const NO_LANE: u8 = 0x7F;

/// The lanes that are jumps.
pub(super) const JUMP_LANES: u64 = 0x8080_8080_8080_8080;

/// The step from the origin to each lane's square.
pub(super) const LANE_STEPS: [i8; 64] = {
    let mut steps = [0; 64];
    let mut direction = 0;
    while direction < 8 {
        let mut distance = 0;
        while distance < 7 {
            steps[8 * direction + distance] = (distance as i8 + 1) * RAYS[direction];
            distance += 1;
        }
        steps[8 * direction + 7] = JUMPS[direction];
        direction += 1;
    }
    steps
};

/// The lane by the difference of two coordinates plus 0x77.
static LANES: [u8; 239] = {
    let mut lanes = [NO_LANE; 239];
    let mut lane = 0;
    while lane < 64 {
        lanes[(0x77 + LANE_STEPS[lane] as i32) as usize] = lane as u8;
        lane += 1;
    }
    lanes
};

/// The lanes in which each piece attacks, by [`Piece::row`].
pub(super) static PIECE_LANES: [u64; 32] = {
    let mut table = [0; 32];
    let mut row = 1;
    while row < 32 {
        let mut direction = 0;
        while direction < 8 {
            let ray = 0x7F << (8 * direction);
            let first = 1 << (8 * direction);
            let straight = RAYS[direction] % 16 == 0 || RAYS[direction].abs() == 1;
            let northward = RAYS[direction] > 0;
            let white = row & Color::White.bit() as usize != 0;
            table[row] |= match row & 0xF {
                1 if !straight && northward == white => first,
                2 => JUMP_LANES & 0xFF << (8 * direction),
                3 => first,
                4 if straight => ray,
                8 if !straight => ray,
                12 => ray,
                _ => 0,
            };
            direction += 1;
        }
        row += 1;
    }
    table
};

/// The lane in which `from` sees `to`, or [`NO_LANE`].
#[inline(always)]
pub(super) const fn lane(from: Square, to: Square) -> u8 {
    LANES[0x77 + to.coordinate() as usize - from.coordinate() as usize]
}

/// Whether a piece on `from` attacks `to` on an empty board.
#[inline(always)]
pub(super) const fn reaches(piece: Piece, from: Square, to: Square) -> bool {
    let lane = lane(from, to);
    lane != NO_LANE && PIECE_LANES[piece.row()] >> (lane & 63) & 1 != 0
}

/// From each square the index of each lane's square; anything for lanes that leave the board.
pub(super) static LANE_SQUARES: [u8x64; 64] = {
    let mut table = [u8x64::splat(0); 64];
    let mut from = 0;
    while from < 64 {
        let mut squares = [0; 64];
        let mut lane = 0;
        while lane < 64 {
            if let Some(to) = Square::from_index(from as u8).step(LANE_STEPS[lane]) {
                squares[lane] = to.index();
            }
            lane += 1;
        }
        table[from] = u8x64::new(squares);
        from += 1;
    }
    table
};

/// From each square the lane to each of the 64.
static SQUARE_LANES: [u8x64; 64] = {
    let mut table = [u8x64::splat(0); 64];
    let mut from = 0;
    while from < 64 {
        let mut lanes = [0; 64];
        let mut to = 0;
        while to < 64 {
            lanes[to] = lane(Square::from_index(from as u8), Square::from_index(to as u8));
            to += 1;
        }
        table[from] = u8x64::new(lanes);
        from += 1;
    }
    table
};

/// From each square those that a lane joins with it.
static JOINED: [u64; 64] = {
    let mut table = [0; 64];
    let mut from = 0;
    while from < 64 {
        let lanes = SQUARE_LANES[from].to_array();
        let mut to = 0;
        while to < 64 {
            table[from] |= ((lanes[to] != NO_LANE) as u64) << to;
            to += 1;
        }
        from += 1;
    }
    table
};

/// The lanes from a square to those of a set; anything for lanes that leave the board.
#[inline(always)]
pub(super) fn lanes_of(from: Square, squares: SquareSet) -> u64 {
    native::bits_at(LANE_SQUARES[from.index() as usize], squares.bits())
}

/// The squares of a set of lanes, all of them on the board.
#[inline(always)]
pub(super) fn squares_of(from: Square, lanes: u64) -> SquareSet {
    let from = from.index() as usize;
    SquareSet::from_bits(native::bits_at(SQUARE_LANES[from], lanes) & JOINED[from])
}
