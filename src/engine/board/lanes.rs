//! Lanes: the 64 ways in which a square attacks others, in the order of a piece's moves.
//!
//! Eight rays of up to seven squares and eight knight's jumps start from every square. A ray and a jump share
//! eight lanes, in the order of [`RAYS`] and [`JUMPS`]:
//!
//! ```text
//! lane     8 d + 0 … 8 d + 6          8 d + 7
//! square   1 … 7 steps along RAYS[d]   JUMPS[d]
//! ```

use wide::u8x64;

use super::Square;
use super::square::{JUMPS, RAYS};

/// For each square, the index of the square in each lane; the square's own index where the lane leaves the
/// board.
pub static LANE_SQUARES: [u8x64; 64] = {
    let mut table = [u8x64::splat(0); 64];
    let mut from = 0;
    while from < 64 {
        let mut squares = [from as u8; 64];
        let mut lane = 0;
        while lane < 64 {
            let (direction, distance) = (lane / 8, lane as i8 % 8 + 1);
            let step = if distance < 8 { distance * RAYS[direction] } else { JUMPS[direction] };
            if let Some(to) = Square::from_index(from as u8).step(step) {
                squares[lane] = to.index();
            }
            lane += 1;
        }
        table[from] = u8x64::new(squares);
        from += 1;
    }
    table
};
