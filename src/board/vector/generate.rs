//! The generator that sees all moves of a piece at once.

use super::register::Register;
use super::rose::Army;
use super::view::{Board, CheckLanes, LaneView, RAY_LANES, rays_with, up_to_nearest};
use crate::board::generate::{PawnSteps, push_castling, push_pawn_moves};
use crate::board::lanes::{JUMP_LANES, LANE_STEPS, PIECE_LANES, lane};
use crate::board::moves::MoveSink;
use crate::board::{Color, Move, MoveList, PieceType, Position, Square, SquareSet, Stage};

/// For each direction, the lanes of its ray and of the opposite one: where a piece pinned in that
/// direction, seen from its king, may go.
static PIN_LANES: [u64; 8] = {
    let mut lanes = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        lanes[direction] = 0x7F << (8 * direction) | 0x7F << (8 * (7 - direction));
        direction += 1;
    }
    lanes
};

/// The lanes on the board in which a piece other than a pawn attacks, by the low four bits of its byte
/// and its square.
static REACH: [[u64; 64]; 16] = {
    let mut table = [[0; 64]; 16];
    let mut kind = 0;
    while kind < 16 {
        let mut from = 0;
        while from < 64 {
            let mut lane = 0;
            while lane < 64 {
                let to = Square::from_dense(from as u8).step(LANE_STEPS[lane]);
                if to.is_some() && kind != 1 {
                    table[kind][from] |= PIECE_LANES[kind] & 1 << lane;
                }
                lane += 1;
            }
            from += 1;
        }
        kind += 1;
    }
    table
};

/// Takes the moves of many lanes at once.
pub trait LaneSink<R>: MoveSink {
    /// The normal moves from a square to those of a set of lanes.
    fn add(&mut self, from: Square, lanes: u64);

    /// The normal moves of pawns that come to some squares by one step.
    fn add_pawns(&mut self, step: i8, destinations: SquareSet);
}

impl<R: Register> LaneSink<R> for MoveList {
    #[inline(always)]
    fn add(&mut self, from: Square, lanes: u64) {
        R::write_moves(from, lanes, self);
    }

    #[inline(always)]
    fn add_pawns(&mut self, step: i8, destinations: SquareSet) {
        R::write_pawn_moves(step, destinations, self);
    }
}

/// Bulk counting: the number of moves, which are never written.
pub struct MoveCount(pub u32);

impl MoveSink for MoveCount {
    #[inline(always)]
    fn push(&mut self, _: Move) {
        self.0 += 1;
    }
}

impl<R: Register> LaneSink<R> for MoveCount {
    #[inline(always)]
    fn add(&mut self, _: Square, lanes: u64) {
        self.0 += lanes.count_ones();
    }

    #[inline(always)]
    fn add_pawns(&mut self, _: i8, destinations: SquareSet) {
        self.0 += destinations.len();
    }
}

/// Gives all moves of a stage but for captures en passant.
#[inline(always)]
pub fn generate<R: Register>(position: &Position, stage: Stage, moves: &mut impl LaneSink<R>) {
    match position.side() {
        Color::White => LaneGenerator::<R, true>::new(position).run(stage, moves),
        Color::Black => LaneGenerator::<R, false>::new(position).run(stage, moves),
    }
}

/// Compiled for each side to move.
struct LaneGenerator<'a, R: Register, const WHITE: bool> {
    position: &'a Position,
    king: Square,
    from_king: LaneView<R>,
    check: CheckLanes,
    own: SquareSet,
    enemies: SquareSet,
    /// The squares that the enemy attacks, or would if the king left its square.
    attacked: SquareSet,
    /// Squares of own knights and sliders.
    pieces: SquareSet,
    /// Squares of own pawns.
    pawns: SquareSet,
}

impl<'a, R: Register, const WHITE: bool> LaneGenerator<'a, R, WHITE> {
    const US: Color = if WHITE { Color::White } else { Color::Black };

    #[inline(always)]
    fn new(position: &'a Position) -> Self {
        /// Pawns and kings have this bit, and no other piece.
        const PAWN_OR_KING: u8 = PieceType::Pawn.bits() & PieceType::King.bits();

        let king = position.king(Self::US);
        let board = Board::<R>::of(position);
        let from_king = board.look(king);
        let squares: R = board.squares();
        let set = SquareSet::from_bits;
        let own = set(squares.meets(R::splat(Self::US.bit())));
        let enemies = set(squares.meets(R::splat((!Self::US).bit())));
        let empty = !(own | enemies);
        LaneGenerator {
            position,
            king,
            from_king,
            check: from_king.check_lanes(Self::US),
            own,
            enemies,
            attacked: Army::of(squares, !Self::US)
                .attacked::<R::Rose>(empty | SquareSet::one(king)),
            pieces: own & !set(squares.meets(R::splat(PAWN_OR_KING))),
            pawns: set(squares.equals(PieceType::Pawn.of(Self::US).byte())),
        }
    }

    #[inline(always)]
    fn run(&self, stage: Stage, moves: &mut impl LaneSink<R>) {
        let wanted = match stage {
            Stage::Noisy => self.enemies,
            Stage::Quiet => !(self.own | self.enemies),
            Stage::All => !self.own,
        };
        let steps = R::lanes_of(self.king, wanted & !self.attacked)
            & REACH[PieceType::King.bits() as usize][self.king.dense() as usize];
        moves.add(self.king, steps);
        let check_mask = match self.check.checkers.count_ones() {
            0 => SquareSet::ALL,
            1 => R::squares_of(self.king, self.check_mask()),
            _ => return,
        };
        if stage.quiet() && self.check.checkers == 0 {
            self.castling(moves);
        }
        self.piece_moves(wanted & check_mask, moves);
        self.pawn_moves(stage, check_mask, moves);
    }

    /// The lanes in which a single check is answered: the checker's and, on a ray, those before it.
    #[inline(always)]
    fn check_mask(&self) -> u64 {
        let checker = self.check.checkers;
        let ray = rays_with(checker & RAY_LANES) & self.from_king.reach();
        checker | ray
    }

    #[inline(always)]
    fn castling(&self, moves: &mut impl LaneSink<R>) {
        let is_pinned = |rook| self.pin(rook).is_some();
        let is_safe = |square: Square| !self.attacked.contains(square);
        push_castling(self.position, Self::US, self.own | self.enemies, is_pinned, is_safe, moves);
    }

    /// The moves of knights, bishops, rooks and queens alike: what differs is a set of lanes.
    #[inline(always)]
    fn piece_moves(&self, targets: SquareSet, moves: &mut impl LaneSink<R>) {
        for from in self.pieces {
            let seen = up_to_nearest(R::lanes_of(from, self.own | self.enemies)) | JUMP_LANES;
            let lanes = seen
                & R::lanes_of(from, targets)
                & REACH[self.position.byte_at(from) as usize & 0xF][from.dense() as usize]
                & self.free_lanes(from);
            moves.add(from, lanes);
        }
    }

    /// The lane from the king to a piece, if it is pinned.
    #[inline(always)]
    fn pin(&self, square: Square) -> Option<u8> {
        // Without a lane this is the number of a jump, in which nothing is pinned.
        let lane = lane(self.king, square) & 63;
        (self.check.pinned >> lane & 1 != 0).then_some(lane)
    }

    /// The lanes that a pin leaves to a piece.
    #[inline(always)]
    fn free_lanes(&self, from: Square) -> u64 {
        if self.check.pinned == 0 {
            return !0;
        }
        self.pin(from).map_or(!0, |lane| PIN_LANES[lane as usize >> 3])
    }

    #[inline(always)]
    fn pawn_moves(&self, stage: Stage, check_mask: SquareSet, moves: &mut impl LaneSink<R>) {
        let mut free = [self.pawns; 3];
        if self.check.pinned != 0 {
            // The rays of a pawn's steps west, east and ahead.
            let rays = if WHITE { [5, 7, 6] } else { [0, 2, 1] };
            free = rays.map(|ray: usize| {
                self.pawns & !R::squares_of(self.king, self.check.pinned & !PIN_LANES[ray])
            });
        }
        let empty = !(self.own | self.enemies);
        let steps = PawnSteps::new(Self::US, stage, free, empty, self.enemies, check_mask);
        push_pawn_moves(steps, moves, |step, destinations, moves| {
            moves.add_pawns(step, destinations);
        });
    }
}
