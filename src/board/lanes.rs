//! Lanes: the ways in which a square attacks others and is attacked, 64 of them, all at once.
//!
//! From every square run eight rays of up to seven squares, and eight knight's jumps. A ray and a
//! jump share eight lanes, in the order of [`RAYS`] and [`JUMPS`]:
//!
//! ```text
//! lane     8 d + 0 … 8 d + 6          8 d + 7
//! square   1 … 7 steps along RAYS[d]   JUMPS[d]
//! ```
//!
//! The difference of two 0x88 coordinates names the lane between them, and a piece is the set of
//! lanes it may use. So one byte from a table says whether a piece attacks a square on an empty
//! board, and by which step; only then does it matter what stands between.
//!
//! The board is 128 bytes, and a few instructions (on AVX-512, one) fetch any 64 of them into a
//! vector. So the bytes of a square's 64 lanes come in four steps:
//!
//! ```text
//!   lane      0   1   2  …  6    7     8   9   10 …  14   15   …  56  57  …  62   63
//!   step     -17 -34 -51 … -119 -33   -16 -32 -48 … -112 -31   …  17  34  …  119  33
//!            └ ray south-west ┘ jump  └─── ray south ──┘ jump      ray north-east  jump
//!
//!   squares  = square + step             one addition
//!   on board = squares & 0x88 == 0       one test: 64 bits, a lane each
//!   pieces   = board[squares]            one permute
//!   occupied = pieces != 0               one test: 64 bits, a lane each
//! ```
//!
//! From there on a ray is eight bits of an ordinary 64-bit number. The nearest blocker on each ray
//! is the lowest bit of its byte. Subtracting one from every byte flips the bits up to it, so an
//! exclusive or leaves the lanes that are not blocked:
//!
//! ```text
//!   occupied      1 0 1 0 0 1 0 0      bit 7 is always set here, so that no byte borrows
//!   minus one     1 0 1 0 0 0 1 1
//!   unblocked     0 0 0 0 0 1 1 1      two empty squares and the piece behind them
//! ```
//!
//! A pin is a set of lanes too, and a piece's moves are the lanes that remain.

use bytemuck::must_cast;
use wide::{ShuffleExt, u8x64};

use super::instructions::native;
use super::position::meets;
use super::square::{JUMPS, OFF_BOARD, RAYS};
use super::{Color, Piece, PieceType, Position, Square, SquareSet};

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

/// The lane from one square to another, or [`NO_LANE`].
#[inline(always)]
pub(super) const fn lane_between(from: Square, to: Square) -> u8 {
    LANES[0x77 + to.coordinate() as usize - from.coordinate() as usize]
}

/// Whether a piece on `from` attacks `to` on an empty board.
#[inline(always)]
pub(super) const fn pseudo_attacks(piece: Piece, from: Square, to: Square) -> bool {
    let lane = lane_between(from, to);
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
            lanes[to] = lane_between(Square::from_index(from as u8), Square::from_index(to as u8));
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
pub(super) fn lanes_to(from: Square, squares: SquareSet) -> u64 {
    native::bits_at(LANE_SQUARES[from.index() as usize], squares.bits())
}

/// The squares on some lanes of a square; lanes that leave the board have none.
#[inline(always)]
pub(super) fn squares_on(from: Square, lanes: u64) -> SquareSet {
    let from = from.index() as usize;
    SquareSet::from_bits(native::bits_at(SQUARE_LANES[from], lanes) & JOINED[from])
}

/// The step to each lane's square.
const STEPS: u8x64 = u8x64::new({
    let mut steps = [0; 64];
    let mut lane = 0;
    while lane < 64 {
        steps[lane] = LANE_STEPS[lane] as u8;
        lane += 1;
    }
    steps
});

/// The ways to attack: the first has bit 0, and so on. A queen attacks in two ways.
const WAYS: [PieceType; 5] =
    [PieceType::Pawn, PieceType::Knight, PieceType::King, PieceType::Rook, PieceType::Bishop];

/// The ways in which a piece attacks, by the low four bits of its byte.
const WAYS_OF: [u8; 16] = {
    let mut ways = [0; 16];
    let mut i = 0;
    while i < WAYS.len() {
        ways[WAYS[i] as usize] = 1 << i;
        i += 1;
    }
    ways[PieceType::Queen as usize] =
        ways[PieceType::Rook as usize] | ways[PieceType::Bishop as usize];
    ways
};

/// The ways in which a piece of each side, standing in a lane, attacks the square it starts from: where
/// the other side's piece on the square would attack.
static ATTACKED_IN: [u8x64; 2] = {
    let mut ways = [[0; 64]; 2];
    let mut i = 0;
    while i < 2 * WAYS.len() {
        let (color, way) = (i % 2, i / 2);
        let lanes = PIECE_LANES[WAYS[way].of(Color::BOTH[1 - color]).row()];
        let mut lane = 0;
        while lane < 64 {
            ways[color][lane] |= ((lanes >> lane & 1) as u8) << way;
            lane += 1;
        }
        i += 1;
    }
    [u8x64::new(ways[0]), u8x64::new(ways[1])]
};

/// The bits of a byte of the board that belong to a piece.
const PIECE_BITS: u8 = 0x3F;

/// The 128 bytes of a position in vectors. Those off the board may hold anything.
#[derive(Clone, Copy)]
pub(super) struct Board(pub [u8x64; 2]);

impl Board {
    #[inline(always)]
    pub(super) fn of(position: &Position) -> Board {
        Board(must_cast(*position.words()))
    }

    /// What the lanes of a square hold. Lanes that leave the board to the north or south hold nothing,
    /// or what some real square holds.
    #[inline(always)]
    pub(super) fn lanes(&self, from: Square) -> Lanes {
        let squares = STEPS + native::splat(from.coordinate());
        let on_board = !meets(squares, u8x64::splat(OFF_BOARD));
        let pieces = self.0.shuffle(squares);
        let occupied = meets(pieces, u8x64::splat(PIECE_BITS));
        Lanes { pieces, on_board, occupied }
    }

    /// The same with another byte on a square.
    #[inline(always)]
    pub(super) fn with(mut self, square: Square, byte: u8) -> Board {
        let (place, byte) = (native::splat(square.coordinate()), native::splat(byte));
        for (bytes, places) in self.0.iter_mut().zip(PLACES) {
            *bytes = places.simd_eq(place).select(byte, *bytes);
        }
        self
    }
}

/// The coordinates of all places of the board.
const PLACES: [u8x64; 2] = {
    let mut places = [[0; 64]; 2];
    let mut i = 0;
    while i < 128 {
        places[i / 64][i % 64] = i as u8;
        i += 1;
    }
    [u8x64::new(places[0]), u8x64::new(places[1])]
};

/// What the 64 lanes of a square hold.
///
/// A ray that leaves the board does not come back, so what its lanes beyond the edge show never hides
/// a piece on the board. Hence only results are restricted to lanes on the board.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    pub pieces: u8x64,
    pub on_board: u64,
    pub occupied: u64,
}

impl Lanes {
    /// The lanes that a superpiece, which moves as queen and knight, attacks from the square.
    #[inline(always)]
    pub fn superpiece_attacks(&self) -> u64 {
        unblocked(self.occupied) & self.on_board
    }

    /// The lanes that hold a piece of a side.
    #[inline(always)]
    pub fn of(&self, color: Color) -> u64 {
        meets(self.pieces, u8x64::splat(color.bit())) & self.on_board
    }

    /// The lanes with pieces of a side that would attack the square on an empty board.
    #[inline(always)]
    pub fn pseudo_attackers(&self, by: Color) -> u64 {
        let ways = native::translate(self.pieces, WAYS_OF);
        meets(ways, ATTACKED_IN[by.index()]) & self.of(by)
    }

    /// The lanes with pieces of a side that attack the square.
    #[inline(always)]
    pub fn attackers(&self, by: Color) -> u64 {
        self.pseudo_attackers(by) & unblocked(self.occupied)
    }

    /// Who gives check to a king on the square, and who is pinned to it.
    #[inline(always)]
    pub fn checks_and_pins(&self, us: Color) -> ChecksAndPins {
        ChecksAndPins { checkers: self.attackers(!us), pinned: self.shields(!us) & self.of(us) }
    }

    /// The lanes with pieces of either side that alone stand before a slider of this one.
    #[inline(always)]
    pub fn shields(&self, by: Color) -> u64 {
        let first = self.occupied & up_to_nearest(self.occupied) & RAY_LANES;
        let behind = self.occupied & !first;
        let sliders = behind & up_to_nearest(behind) & self.pseudo_attackers(by) & RAY_LANES;
        first & rays_with(sliders)
    }
}

/// The first lanes of the rays, which lead to the adjacent squares, and all lanes of the rays.
const ADJACENT_LANES: u64 = JUMP_LANES >> 7;
pub(super) const RAY_LANES: u64 = !JUMP_LANES;

/// On each ray, the lanes up to the nearest of these, or all.
#[inline(always)]
fn up_to_nearest(lanes: u64) -> u64 {
    let lanes = lanes | JUMP_LANES;
    lanes ^ (lanes - ADJACENT_LANES)
}

/// The lanes that these do not block: rays up to the nearest of them, and all jumps.
#[inline(always)]
pub(super) fn unblocked(occupied: u64) -> u64 {
    up_to_nearest(occupied) | JUMP_LANES
}

/// The whole rays on which any of these lanes lies.
#[inline(always)]
pub(super) fn rays_with(lanes: u64) -> u64 {
    let any = (lanes + RAY_LANES) & JUMP_LANES;
    any - (any >> 7)
}

/// Pieces that give check and pieces that are pinned, as lanes from the king.
pub(super) struct ChecksAndPins {
    pub checkers: u64,
    pub pinned: u64,
}
