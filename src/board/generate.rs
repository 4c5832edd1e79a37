//! What the generators of all backends share: the order of moves, castling, pawns.
//!
//! The order in which moves come out is defined by the position alone, so that builds with
//! different backends search the same tree, node for node:
//!
//! 1. the king's steps, in the order of [`RAYS`](super::square::RAYS);
//! 2. castling, king's side first;
//! 3. knights and sliders by their square, each by direction, then distance;
//! 4. promotions, then the other moves of the pawns: captures to the west, captures to the east,
//!    one step, two steps; within each by square, and queen, rook, bishop, knight;
//! 5. captures en passant, by square.

use super::castling::can_castle;
use super::moves::MoveSink;
use super::{CastlingSide, Color, Move, PieceType, Position, Square, SquareSet};

/// Which moves to generate. In check each stage holds only moves that answer the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Captures and promotions.
    Noisy,
    /// All others.
    Quiet,
    All,
}

impl Stage {
    #[inline(always)]
    pub const fn noisy(self) -> bool {
        !matches!(self, Stage::Quiet)
    }

    #[inline(always)]
    pub const fn quiet(self) -> bool {
        !matches!(self, Stage::Noisy)
    }
}

/// Adds the castling moves of the side to move, which is not in check.
#[inline(always)]
pub(super) fn push_castling(
    position: &Position,
    us: Color,
    occupied: SquareSet,
    is_pinned: impl Fn(Square) -> bool,
    is_safe: impl Fn(Square) -> bool,
    list: &mut impl MoveSink,
) {
    let king = position.king(us);
    for side in CastlingSide::BOTH {
        if let Some(rook) = position.castling_rook(us, side)
            && can_castle(king, rook, occupied, &is_pinned, &is_safe)
        {
            list.push(Move::castling(king, rook));
        }
    }
}

/// Where the pawns of the side to move can go, all at once: for each of the four steps in the
/// order of this file, the step in dense squares and the set of destinations.
pub(super) struct PawnSteps(pub [(i8, SquareSet); 4]);

impl PawnSteps {
    /// `free` are the pawns that no pin keeps from each step (west, east, ahead), `check_mask`
    /// the squares to which a check lets them go.
    #[inline(always)]
    pub(super) fn new(
        us: Color,
        stage: Stage,
        free: [SquareSet; 3],
        empty: SquareSet,
        enemies: SquareSet,
        check_mask: SquareSet,
    ) -> PawnSteps {
        const FILE_A: u64 = 0x0101_0101_0101_0101;
        const FILE_H: u64 = FILE_A << 7;
        let (ahead, third) = match us {
            Color::White => (8, 0x0000_0000_00FF_0000),
            Color::Black => (-8, 0x0000_FF00_0000_0000),
        };
        // No pawn stands on the last rank, so that turning the set is shifting it.
        let shift = |set: u64, step: i8| SquareSet::from_bits(set.rotate_left(step as u32 & 63));
        let when = |wanted: bool, squares| if wanted { squares } else { SquareSet::NONE };
        let victims = when(stage.noisy(), enemies & check_mask);
        // A step to the last rank is noisy though its square is empty.
        let targets = check_mask & (when(stage.noisy(), EDGES) | when(stage.quiet(), !EDGES));
        let west = shift(free[0].bits() & !FILE_A, ahead - 1) & victims;
        let east = shift(free[1].bits() & !FILE_H, ahead + 1) & victims;
        let once = shift(free[2].bits(), ahead) & empty;
        let twice = shift(once.bits() & third, ahead) & empty & targets;
        PawnSteps([
            (ahead - 1, west),
            (ahead + 1, east),
            (ahead, once & targets),
            (2 * ahead, twice),
        ])
    }
}

/// The first and the last rank.
const EDGES: SquareSet = SquareSet::from_bits(0xFF00_0000_0000_00FF);

/// Adds the moves of pawns. `write` adds those of one step that do not promote.
#[inline(always)]
pub(super) fn push_pawn_moves<S: MoveSink>(
    steps: PawnSteps,
    list: &mut S,
    mut write: impl FnMut(i8, SquareSet, &mut S),
) {
    let all = steps.0.iter().fold(SquareSet::NONE, |all, &(_, destinations)| all | destinations);
    if !(all & EDGES).is_empty() {
        push_promotions(&steps, list);
    }
    for (step, destinations) in steps.0 {
        write(step, destinations & !EDGES, list);
    }
}

#[cold]
fn push_promotions(steps: &PawnSteps, list: &mut impl MoveSink) {
    for (step, destinations) in steps.0 {
        for to in destinations & EDGES {
            let from = Square::from_dense(to.dense().wrapping_add_signed(-step));
            for kind in PieceType::PROMOTIONS {
                list.push(Move::promotion(from, to, kind));
            }
        }
    }
}
