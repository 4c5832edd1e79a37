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
//! set of lanes it may use. So one byte from a table of 240 says whether a piece reaches a
//! square on an empty board, and by which step; only then it matters what stands between.

use super::square::{JUMPS, RAYS};
use super::{Color, Piece, Position, Square};

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
pub(super) static LANES: [u8; 256] = {
    let mut lanes = [NO_LANE; 256];
    let mut lane = 0;
    while lane < 64 {
        let place = 0x77 + LANE_STEPS[lane] as i32;
        if place >= 0 && place < 240 {
            lanes[place as usize] = lane as u8;
        }
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

/// The piece types that reach a square, by the difference of the coordinates plus 0x77; a bit for
/// each, two for pawns by color.
static REACH: [u8; 240] = {
    let mut table = [0; 240];
    let mut row = 1;
    while row < 32 {
        let mut place = 0;
        while place < 240 {
            let lane = LANES[place];
            if lane != NO_LANE && PIECE_LANES[row] >> lane & 1 != 0 {
                table[place] |= REACHER[row];
            }
            place += 1;
        }
        row += 1;
    }
    table
};

/// The bit of each piece in [`REACH`], by [`Piece::row`].
static REACHER: [u8; 32] = {
    let mut table = [0; 32];
    let mut row = 1;
    while row < 32 {
        let white = row & Color::White.bit() as usize != 0;
        table[row] = match row & 0xF {
            1 if white => 1,
            1 => 2,
            2 => 4,
            3 => 8,
            4 => 16,
            8 => 32,
            12 => 64,
            _ => 0,
        };
        row += 1;
    }
    table
};

/// The lane in which `from` sees `to`, or [`NO_LANE`].
#[inline(always)]
pub(super) const fn lane(from: Square, to: Square) -> u8 {
    LANES[0x77 + to.index() - from.index()]
}

/// Whether a piece on `from` attacks `to` on an empty board.
#[inline(always)]
pub(super) const fn reaches(piece: Piece, from: Square, to: Square) -> bool {
    reaches_by_byte(piece.byte(), from, to)
}

/// [`reaches`] for a byte of the board; an empty square reaches nothing.
#[inline(always)]
pub(super) const fn reaches_by_byte(piece: u8, from: Square, to: Square) -> bool {
    REACH[0x77 + to.index() - from.index()] & REACHER[piece as usize & 0x1F] != 0
}

/// The step that leads from one square towards another on the same ray.
#[inline(always)]
pub(super) fn step_between(from: Square, to: Square) -> Option<i8> {
    let lane = lane(from, to);
    (lane != NO_LANE && lane & 7 != 7).then(|| RAYS[lane as usize >> 3])
}

/// The squares between two of one ray; none if no ray joins them.
#[inline(always)]
pub(super) fn between(from: Square, to: Square) -> impl Iterator<Item = Square> {
    let step = step_between(from, to).unwrap_or(0);
    let first = if step == 0 { None } else { from.step(step) };
    std::iter::successors(first, move |square| square.step(step))
        .take_while(move |&square| square != to)
}

impl Position {
    /// Whether no piece stands between two squares.
    #[inline(always)]
    pub(super) fn is_clear_between(&self, from: Square, to: Square) -> bool {
        between(from, to).all(|square| self.is_empty(square))
    }
}
