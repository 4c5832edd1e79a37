//! The generator that sees all moves of a piece at once.

use super::register::Register;
use super::view::{ADJACENT_LANES, Board, CheckLanes, LaneView, RAY_LANES, rays_with};
use crate::board::generate::{PawnSteps, push_castling, push_pawn_moves};
use crate::board::lanes::{LANE_STEPS, PIECE_LANES, lane};
use crate::board::{Color, MoveList, Piece, PieceType, Position, Square, SquareSet, Stage};

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

/// Where a stage lets pieces go: to squares whose byte shares a bit with `bits`, or, if `flip` is
/// all ones, to those whose byte does not.
#[derive(Clone, Copy)]
struct StageLanes {
    bits: u8,
    flip: u64,
}

impl StageLanes {
    #[inline(always)]
    fn new(stage: Stage, us: Color) -> StageLanes {
        match stage {
            Stage::Noisy => StageLanes { bits: (!us).bit(), flip: 0 },
            Stage::Quiet => StageLanes { bits: us.bit() | (!us).bit(), flip: !0 },
            Stage::All => StageLanes { bits: us.bit(), flip: !0 },
        }
    }

    #[inline(always)]
    fn lanes<R: Register>(self, view: &LaneView<R>) -> u64 {
        (view.pieces.meets(R::splat(self.bits)) ^ self.flip) & view.on_board
    }
}

/// Compiled for each side to move.
pub struct LaneGenerator<'a, R: Register, const WHITE: bool> {
    position: &'a Position,
    king: Square,
    board: Board<R>,
    from_king: LaneView<R>,
    check: CheckLanes,
    stage: StageLanes,
    own: u64,
    enemies: u64,
    /// Squares of own knights and sliders.
    pieces: u64,
    /// Squares of own pawns.
    pawns: u64,
}

impl<'a, R: Register, const WHITE: bool> LaneGenerator<'a, R, WHITE> {
    const US: Color = if WHITE { Color::White } else { Color::Black };

    #[inline(always)]
    pub fn new(position: &'a Position, stage: Stage) -> Self {
        /// Pawns and kings have this bit, and no other piece.
        const PAWN_OR_KING: u8 = PieceType::Pawn.bits() & PieceType::King.bits();

        let king = position.king(Self::US);
        let board = Board::of(position);
        let from_king = board.look(king);
        let squares: R = board.squares();
        let own = squares.meets(R::splat(Self::US.bit()));
        LaneGenerator {
            position,
            king,
            board,
            from_king,
            check: from_king.check_lanes(Self::US),
            stage: StageLanes::new(stage, Self::US),
            own,
            enemies: squares.meets(R::splat((!Self::US).bit())),
            pieces: own & !squares.meets(R::splat(PAWN_OR_KING)),
            pawns: squares.equals(PieceType::Pawn.of(Self::US).byte()),
        }
    }

    #[inline(always)]
    pub fn run(&self, stage: Stage, list: &mut MoveList) {
        let safe = self.king_steps(list);
        let (board, check_mask) = match self.check.checkers.count_ones() {
            0 => (self.board, SquareSet::ALL),
            1 => {
                let check_mask = R::squares_of(self.king, self.check_mask());
                (Board(R::mark(&self.board.0, !check_mask)), check_mask)
            }
            _ => return,
        };
        if stage.quiet() && self.check.checkers == 0 {
            self.castling(safe, list);
        }
        self.piece_moves(&board, list);
        self.pawn_moves(stage, check_mask, list);
    }

    /// The lanes in which a single check is answered: the checker's and, on a ray, those before it.
    #[inline(always)]
    fn check_mask(&self) -> u64 {
        let checker = self.check.checkers;
        let ray = rays_with(checker & RAY_LANES) & self.from_king.reach();
        checker | ray
    }

    /// Adds the king's steps. Returns their lanes.
    #[inline(always)]
    fn king_steps(&self, list: &mut MoveList) -> u64 {
        let mut left = self.stage.lanes(&self.from_king) & ADJACENT_LANES;
        let board = self.board.with(self.king, 0);
        let mut safe = 0;
        while left != 0 {
            let lane = left.trailing_zeros();
            left &= left - 1;
            let step = LANE_STEPS[lane as usize & 63];
            let to = Square::known(self.king.coordinate().wrapping_add_signed(step));
            safe |= ((board.look(to).attackers(!Self::US) == 0) as u64) << lane;
        }
        if safe != 0 {
            self.from_king.squares.write_moves(self.king, safe, list);
        }
        safe
    }

    #[inline(always)]
    fn castling(&self, safe: u64, list: &mut MoveList) {
        let occupied = SquareSet::from_bits(self.own | self.enemies);
        let is_pinned = |rook| self.pin(rook).is_some();
        // Beside the king all is known but the square of an own piece, the castling rook's.
        let is_safe = |square: Square| {
            let beside = square.file().abs_diff(self.king.file()) == 1;
            if beside && !occupied.contains(square) {
                safe >> lane(self.king, square) & 1 != 0
            } else {
                self.board.look(square).attackers(!Self::US) == 0
            }
        };
        push_castling(self.position, Self::US, occupied, is_pinned, is_safe, list);
    }

    /// The moves of knights, bishops, rooks and queens alike: what differs is a set of lanes.
    /// Marked squares of the board are barred.
    #[inline(always)]
    fn piece_moves(&self, board: &Board<R>, list: &mut MoveList) {
        for from in SquareSet::from_bits(self.pieces) {
            let view = board.look(from);
            let piece_lanes = PIECE_LANES[Piece::row_of(self.position.byte_at(from))];
            let lanes = view.seen()
                & self.stage.lanes(&view)
                & !view.pieces.high_bits()
                & piece_lanes
                & self.free_lanes(from);
            view.squares.write_moves(from, lanes, list);
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
    fn pawn_moves(&self, stage: Stage, check_mask: SquareSet, list: &mut MoveList) {
        let pawns = SquareSet::from_bits(self.pawns);
        let mut free = [pawns; 3];
        if self.check.pinned != 0 {
            // The rays of a pawn's steps west, east and ahead.
            let rays = if WHITE { [5, 7, 6] } else { [0, 2, 1] };
            free = rays.map(|ray: usize| {
                pawns & !R::squares_of(self.king, self.check.pinned & !PIN_LANES[ray])
            });
        }
        let empty = SquareSet::from_bits(!(self.own | self.enemies));
        let enemies = SquareSet::from_bits(self.enemies);
        let steps = PawnSteps::new(Self::US, stage, free, empty, enemies, check_mask);
        push_pawn_moves(steps, list, R::write_pawn_moves);
    }
}
