//! What a square sees: its 64 lanes, all at once.
//!
//! The board is 128 bytes, and a few instructions (on AVX-512, one) can fetch any 64 of them into a
//! vector. So from any square the bytes of its 64 lanes (see `lanes.rs`) come in four steps:
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
//! From there on a ray is eight bits of an ordinary 64-bit number. The nearest piece on each ray
//! is the lowest bit of its byte; subtracting one from every byte flips the bits up to it, so that
//! an exclusive or leaves what is seen:
//!
//! ```text
//!   occupied      1 0 1 0 0 1 0 0      bit 7 is always set here, so that no byte borrows
//!   minus one     1 0 1 0 0 0 1 1
//!   seen          0 0 0 0 0 1 1 1      two empty squares and the piece behind them
//! ```
//!
//! A piece is the set of lanes it may use, a pin is another, and its moves are the lanes that
//! remain.

use bytemuck::must_cast;
use wide::{ShuffleExt, u8x64};

use super::instructions::native;
use super::lanes::{JUMP_LANES, LANE_STEPS};
use super::square::OFF_BOARD;
use super::squares::meets;
use super::{Color, PieceType, Position, Square};

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

/// Ways to attack, a bit each.
const LIKE_PAWN: u8 = 1;
const LIKE_KNIGHT: u8 = 2;
const LIKE_KING: u8 = 4;
const LIKE_ROOK: u8 = 8;
const LIKE_BISHOP: u8 = 16;

/// The ways in which a piece attacks, by the low four bits of its byte.
const WAYS: [u8; 16] = {
    let mut ways = [0; 16];
    ways[PieceType::Pawn as usize] = LIKE_PAWN;
    ways[PieceType::Knight as usize] = LIKE_KNIGHT;
    ways[PieceType::King as usize] = LIKE_KING;
    ways[PieceType::Rook as usize] = LIKE_ROOK;
    ways[PieceType::Bishop as usize] = LIKE_BISHOP;
    ways[PieceType::Queen as usize] = LIKE_ROOK | LIKE_BISHOP;
    ways
};

/// The ways in which a piece of each side, standing in a lane, attacks the square it starts from.
static ATTACKED_IN: [u8x64; 2] = {
    let mut both = [[0; 64]; 2];
    let mut color = 0;
    while color < 2 {
        let mut lane = 0;
        while lane < 64 {
            let step = LANE_STEPS[lane];
            both[color][lane] = if lane % 8 == 7 {
                LIKE_KNIGHT
            } else {
                let near = lane % 8 == 0;
                let straight = step % 16 == 0 || (step > -8 && step < 8);
                // A white pawn attacks northwards, so it stands to the south.
                let pawn = near && !straight && (step < 0) == (color == 0);
                (if straight { LIKE_ROOK } else { LIKE_BISHOP })
                    | (if near { LIKE_KING } else { 0 })
                    | (if pawn { LIKE_PAWN } else { 0 })
            };
            lane += 1;
        }
        color += 1;
    }
    [u8x64::new(both[0]), u8x64::new(both[1])]
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

    /// What the lanes of a square hold. In lanes that leave the board to the north or south this is
    /// nothing or what some real square holds.
    #[inline(always)]
    pub(super) fn look(&self, from: Square) -> LaneView {
        let squares = STEPS + native::splat(from.coordinate());
        let on_board = !meets(squares, u8x64::splat(OFF_BOARD));
        let pieces = self.0.shuffle(squares);
        let occupied = meets(pieces, u8x64::splat(PIECE_BITS));
        LaneView { pieces, on_board, occupied }
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
pub(super) struct LaneView {
    pub pieces: u8x64,
    pub on_board: u64,
    pub occupied: u64,
}

impl LaneView {
    /// The lanes whose squares are seen, if they are on the board: rays up to the nearest piece,
    /// and all jumps.
    #[inline(always)]
    pub fn seen(&self) -> u64 {
        up_to_nearest(self.occupied) | JUMP_LANES
    }

    /// The lanes of all squares that a queen or a knight would attack.
    #[inline(always)]
    pub fn reach(&self) -> u64 {
        self.seen() & self.on_board
    }

    /// The lanes that hold a piece of a side.
    #[inline(always)]
    pub fn of(&self, color: Color) -> u64 {
        meets(self.pieces, u8x64::splat(color.bit())) & self.on_board
    }

    /// The lanes with pieces of a side that attack along them on an empty board.
    #[inline(always)]
    pub fn aiming(&self, by: Color) -> u64 {
        let ways = native::translate(self.pieces, WAYS);
        meets(ways, ATTACKED_IN[by.index()]) & self.of(by)
    }

    /// The lanes with pieces of a side that attack the square.
    #[inline(always)]
    pub fn attackers(&self, by: Color) -> u64 {
        self.aiming(by) & self.seen()
    }

    /// What a king on the square sees.
    #[inline(always)]
    pub fn check_lanes(&self, us: Color) -> CheckLanes {
        let aiming = self.aiming(!us);
        let first = self.occupied & up_to_nearest(self.occupied) & RAY_LANES;
        let behind = self.occupied & !first;
        let pinners = behind & up_to_nearest(behind) & aiming & RAY_LANES;
        CheckLanes {
            checkers: aiming & self.seen(),
            pinned: first & self.of(us) & rays_with(pinners),
        }
    }
}

/// The first lanes of the rays, which lead to the adjacent squares, and all lanes of the rays.
pub(super) const ADJACENT_LANES: u64 = JUMP_LANES >> 7;
pub(super) const RAY_LANES: u64 = !JUMP_LANES;

/// On each ray, the lanes up to the nearest of these, or all.
#[inline(always)]
pub(super) fn up_to_nearest(lanes: u64) -> u64 {
    let lanes = lanes | JUMP_LANES;
    lanes ^ (lanes - ADJACENT_LANES)
}

/// The whole rays on which any of these lanes lies.
#[inline(always)]
pub(super) fn rays_with(lanes: u64) -> u64 {
    let any = (lanes + RAY_LANES) & JUMP_LANES;
    any - (any >> 7)
}

/// What a king sees, as lanes from its square.
pub(super) struct CheckLanes {
    pub checkers: u64,
    pub pinned: u64,
}
