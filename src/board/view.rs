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
use super::lanes::{JUMP_LANES, LANE_STEPS, PIECE_LANES};
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
        seen(self.occupied)
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
        let ways = native::translate(self.pieces, WAYS_OF);
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
const ADJACENT_LANES: u64 = JUMP_LANES >> 7;
pub(super) const RAY_LANES: u64 = !JUMP_LANES;

/// On each ray, the lanes up to the nearest of these, or all.
#[inline(always)]
fn up_to_nearest(lanes: u64) -> u64 {
    let lanes = lanes | JUMP_LANES;
    lanes ^ (lanes - ADJACENT_LANES)
}

/// The lanes that are seen past these: rays up to the nearest of them, and all jumps.
#[inline(always)]
pub(super) fn seen(occupied: u64) -> u64 {
    up_to_nearest(occupied) | JUMP_LANES
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
