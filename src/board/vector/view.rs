//! What the lanes of a square hold, and who attacks it.

use super::register::{LaneBytes, Register};
use crate::board::lanes::{JUMP_LANES, LANE_STEPS};
use crate::board::square::OFF_BOARD;
use crate::board::{Color, Position, Square};

/// The step to each lane's square.
pub static STEPS: LaneBytes = LaneBytes({
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

/// The ways in which a piece attacks, by the low four bits of its byte, for each 16 bytes of a
/// register.
static WAYS: LaneBytes = LaneBytes({
    let mut ways = [0; 64];
    let mut i = 0;
    while i < 64 {
        ways[i] = match i & 0xF {
            1 => LIKE_PAWN,
            2 => LIKE_KNIGHT,
            3 => LIKE_KING,
            4 => LIKE_ROOK,
            8 => LIKE_BISHOP,
            12 => LIKE_ROOK | LIKE_BISHOP,
            _ => 0,
        };
        i += 1;
    }
    ways
});

/// The ways in which a piece of each side, standing in a lane, attacks the square it starts from.
static ATTACKED_IN: [LaneBytes; 2] = {
    let mut both = [LaneBytes([0; 64]), LaneBytes([0; 64])];
    let mut color = 0;
    while color < 2 {
        let mut lane = 0;
        while lane < 64 {
            let step = LANE_STEPS[lane];
            both[color].0[lane] = if lane % 8 == 7 {
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
    both
};

/// The bits of a byte of the board that belong to a piece.
const PIECE_BITS: u8 = 0x3F;

/// The pieces on the board, in registers.
#[derive(Clone, Copy)]
pub struct Board<R: Register>(pub R::Board);

impl<R: Register> Board<R> {
    #[inline(always)]
    pub fn of(position: &Position) -> Self {
        Board(R::board(position))
    }

    /// What the lanes of a square hold.
    #[inline(always)]
    pub fn look(&self, from: Square) -> LaneView<R> {
        let squares = R::splat(from.coordinate()).plus(R::load(&STEPS.0));
        let on_board = !squares.meets(R::splat(OFF_BOARD));
        let pieces = squares.fetch(&self.0);
        let occupied = pieces.meets(R::splat(PIECE_BITS));
        LaneView { pieces, on_board, occupied }
    }

    #[inline(always)]
    pub fn with(&self, square: Square, byte: u8) -> Self {
        Board(R::with(&self.0, square, byte))
    }

    #[inline(always)]
    pub fn squares(&self) -> R {
        R::squares(&self.0)
    }
}

/// What the 64 lanes of a square hold.
///
/// A ray that leaves the board does not come back, so what its lanes beyond the edge show never hides
/// a piece on the board. Hence only results are restricted to lanes on the board.
#[derive(Clone, Copy)]
pub struct LaneView<R> {
    pub pieces: R,
    pub on_board: u64,
    pub occupied: u64,
}

impl<R: Register> LaneView<R> {
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
        self.pieces.meets(R::splat(color.bit())) & self.on_board
    }

    /// The lanes with pieces of a side that attack along them on an empty board.
    #[inline(always)]
    pub fn aiming(&self, by: Color) -> u64 {
        let ways = self.pieces.translate(R::load(&WAYS.0));
        ways.meets(R::load(&ATTACKED_IN[by.index()].0)) & self.of(by)
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
pub const ADJACENT_LANES: u64 = JUMP_LANES >> 7;
pub const RAY_LANES: u64 = !JUMP_LANES;

/// On each ray, the lanes up to the nearest of these, or all.
#[inline(always)]
pub fn up_to_nearest(lanes: u64) -> u64 {
    let lanes = lanes | JUMP_LANES;
    lanes ^ (lanes - ADJACENT_LANES)
}

/// The whole rays on which any of these lanes lies.
#[inline(always)]
pub fn rays_with(lanes: u64) -> u64 {
    let any = (lanes + RAY_LANES) & JUMP_LANES;
    any - (any >> 7)
}

/// What a king sees, as lanes from its square.
pub struct CheckLanes {
    pub checkers: u64,
    pub pinned: u64,
}
