//! Attacks of all pieces of a side at once, in eight sets of squares: one per direction.
//!
//! Kogge-Stone fills: sliders advance along all eight directions by one step, then two, then four, as long as
//! the squares they pass are empty.

use std::ops::BitOr;

use bytemuck::must_cast;
use wide::{u64x2, u64x4, u64x8};

use super::bitboards::king_attacks;
use super::instructions::native;
use super::square::{JUMPS, RAYS};
use super::{Bitboards, Color, PieceType, Position, Square, SquareSet};

/// The squares a side attacks, by piece type. They include squares of its own pieces, which it protects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attacks {
    by_type: [SquareSet; 6],
    all: SquareSet,
}

impl Attacks {
    #[inline(always)]
    pub const fn by(&self, kind: PieceType) -> SquareSet {
        self.by_type[kind.index()]
    }

    #[inline(always)]
    pub fn by_sliders(&self) -> SquareSet {
        self.by(PieceType::Bishop) | self.by(PieceType::Rook) | self.by(PieceType::Queen)
    }

    #[inline(always)]
    pub const fn all(&self) -> SquareSet {
        self.all
    }
}

/// The pieces that are attacked, and those that hang: attacked by a lesser piece, or undefended. Kings are
/// left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threats {
    attacked: SquareSet,
    hanging: SquareSet,
}

impl Threats {
    /// Threats: the pieces of both sides that are in danger, given each side's attacks.
    #[inline(always)]
    pub fn of(pieces: &Bitboards, side: Color, own: &Attacks, other: &Attacks) -> Threats {
        let of_own = Threats::to(pieces, pieces.by(side), own, other);
        of_own | Threats::to(pieces, pieces.by(!side), other, own)
    }

    /// A side's pieces that are in danger from the other side.
    #[inline(always)]
    fn to(pieces: &Bitboards, side: SquareSet, own: &Attacks, other: &Attacks) -> Threats {
        let of = |kind| pieces.kind(kind) & side;
        let minors = of(PieceType::Knight) | of(PieceType::Bishop);
        let by_pawns = other.by(PieceType::Pawn);
        let by_minors = by_pawns | other.by(PieceType::Knight) | other.by(PieceType::Bishop);
        let by_rooks = by_minors | other.by(PieceType::Rook);
        let (rooks, queens) = (of(PieceType::Rook), of(PieceType::Queen));
        let by_lesser = minors & by_pawns | rooks & by_minors | queens & by_rooks;
        let attacked = side & !pieces.kind(PieceType::King) & other.all;
        Threats { attacked, hanging: by_lesser | attacked & !own.all }
    }

    /// The squares on which two boards differ in their threats.
    #[inline(always)]
    pub fn differences(&self, other: &Threats) -> SquareSet {
        (self.attacked ^ other.attacked) | (self.hanging ^ other.hanging)
    }

    /// 0 for a safe piece, 1 for an attacked one, 2 for a hanging one.
    #[inline(always)]
    pub fn danger(&self, square: Square) -> u16 {
        u16::from(self.attacked.contains(square)) + u16::from(self.hanging.contains(square))
    }
}

impl BitOr for Threats {
    type Output = Threats;

    #[inline(always)]
    fn bitor(self, other: Threats) -> Threats {
        Threats { attacked: self.attacked | other.attacked, hanging: self.hanging | other.hanging }
    }
}

/// The shifts that make eight steps, in ascending order, on sets of squares.
struct Steps {
    distances: [i64; 8],
    /// The squares on which each step can end.
    ends: u64x8,
}

impl Steps {
    /// Each step, taken `times` times.
    const fn new(steps: [i8; 8], times: i64) -> Steps {
        let (mut distances, mut ends) = ([0; 8], [0; 8]);
        let mut i = 0;
        while i < 8 {
            let mut index = 0;
            while index < 64 {
                let from = Square::from_index(index);
                if let Some(to) = from.step(steps[i]) {
                    distances[i] = (to.index() as i64 - index as i64) * times;
                    ends[i] |= 1 << to.index();
                }
                index += 1;
            }
            i += 1;
        }
        Steps { distances, ends: u64x8::new(ends) }
    }
}

static ONE: Steps = Steps::new(RAYS, 1);
static TWO: Steps = Steps::new(RAYS, 2);
static FOUR: Steps = Steps::new(RAYS, 4);
static JUMP: Steps = Steps::new(JUMPS, 1);

/// All squares for the directions of a bishop, and for those in which a side's pawns capture; none for the
/// others.
const DIAGONAL: u64x8 = u64x8::new([!0, 0, !0, 0, 0, !0, 0, !0]);
const PAWN: [u64x8; 2] =
    [u64x8::new([0, 0, 0, 0, 0, !0, 0, !0]), u64x8::new([!0, 0, !0, 0, 0, 0, 0, 0])];

/// Each of the eight sets, moved by its own step.
#[inline(always)]
fn step(from: u64x8, steps: &Steps) -> u64x8 {
    native::shift(from, &steps.distances) & steps.ends
}

/// The squares from which sliders take their last step along each ray: their own, and the empty ones ahead of
/// them.
#[inline(always)]
fn slide(sliders: u64x8, empty: SquareSet) -> u64x8 {
    let shift = |sets, steps: &Steps| native::shift(sets, &steps.distances);
    let free = splat(empty) & ONE.ends;
    let reached = sliders | free & shift(sliders, &ONE);
    let free = free & shift(free, &ONE);
    let reached = reached | free & shift(reached, &TWO);
    let free = free & shift(free, &TWO);
    reached | free & shift(reached, &FOUR)
}

/// One set for all eight directions.
#[inline(always)]
fn splat(set: SquareSet) -> u64x8 {
    u64x8::splat(set.bits())
}

/// One set for the directions of a bishop, and another for those of a rook.
#[inline(always)]
fn choose(diagonal: SquareSet, straight: SquareSet) -> u64x8 {
    DIAGONAL.bitselect(splat(diagonal), splat(straight))
}

/// The union of the eight sets.
#[inline(always)]
fn union(sets: u64x8) -> SquareSet {
    let [a, b]: [u64x4; 2] = must_cast(sets);
    let [a, b]: [u64x2; 2] = must_cast(a | b);
    let [a, b]: [u64; 2] = must_cast(a | b);
    SquareSet::from_bits(a | b)
}

/// The squares that a side's pawns attack.
#[inline(always)]
fn by_pawns(pawns: SquareSet, color: Color) -> SquareSet {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    let (west, east) = (pawns.bits() & !FILE_A, pawns.bits() & !(FILE_A << 7));
    SquareSet::from_bits(match color {
        Color::White => west << 7 | east << 9,
        Color::Black => west >> 9 | east >> 7,
    })
}

/// The pieces of one side.
pub(super) struct Army {
    color: Color,
    by_type: [SquareSet; 6],
}

impl Army {
    #[inline(always)]
    pub(super) fn of(pieces: &Bitboards, color: Color) -> Army {
        // `map` would not be inlined.
        let mut by_type = [SquareSet::NONE; 6];
        for kind in PieceType::ALL {
            by_type[kind.index()] = pieces.kind(kind) & pieces.by(color);
        }
        Army { color, by_type }
    }

    /// All squares that the side attacks.
    #[inline(always)]
    pub(super) fn attacked(&self, empty: SquareSet) -> SquareSet {
        let [pawns, knights, bishops, rooks, queens, king] = self.by_type;
        let sliders = slide(choose(bishops | queens, rooks | queens), empty);
        let near = splat(king) | splat(pawns) & PAWN[self.color.index()];
        union(step(sliders | near, &ONE) | step(splat(knights), &JUMP))
    }

    /// Counts the moves of knights and sliders among `movers` to the squares of `to`. Two of them never reach
    /// a square by the same step, because the one in front blocks the other.
    #[inline(always)]
    pub(super) fn count_moves(&self, movers: SquareSet, empty: SquareSet, to: SquareSet) -> u32 {
        let [_, knights, bishops, rooks, queens, _] = self.by_type.map(|kind| kind & movers);
        let ends = step(slide(choose(bishops | queens, rooks | queens), empty), &ONE);
        let jumps = step(splat(knights), &JUMP);
        let count = |sets: u64x8| (sets & splat(to)).to_array().map(u64::count_ones).iter().sum();
        let [ends, jumps]: [u32; 2] = [ends, jumps].map(count);
        ends + jumps
    }

    /// The squares that the side attacks, by piece type.
    #[inline(always)]
    fn attacks(&self, empty: SquareSet) -> Attacks {
        let [pawns, knights, bishops, rooks, queens, king] = self.by_type;
        let both = step(slide(choose(bishops, rooks), empty), &ONE);
        let by_queens = if queens.is_empty() {
            SquareSet::NONE
        } else {
            union(step(slide(splat(queens), empty), &ONE))
        };
        let by_type = [
            by_pawns(pawns, self.color),
            union(step(splat(knights), &JUMP)),
            union(both & DIAGONAL),
            union(both & !DIAGONAL),
            by_queens,
            king.into_iter().next().map_or(SquareSet::NONE, king_attacks),
        ];
        let all = by_type.into_iter().fold(SquareSet::NONE, |all, set| all | set);
        Attacks { by_type, all }
    }
}

impl Bitboards {
    /// All squares that a side attacks. Expensive: call it once per node and keep the result.
    pub fn attacks(&self, by: Color) -> Attacks {
        Army::of(self, by).attacks(!self.occupied())
    }

    /// The squares that pieces of a side would attack from the given squares, by piece type.
    #[inline(always)]
    pub fn attacks_from(&self, by_type: [SquareSet; 6], color: Color) -> Attacks {
        Army { color, by_type }.attacks(!self.occupied())
    }
}

impl Position {
    /// All squares that a side attacks.
    pub fn attacks(&self, by: Color) -> Attacks {
        Bitboards::of(self).attacks(by)
    }

    /// The pieces of both sides that are in danger.
    pub fn threats(&self) -> Threats {
        let pieces = Bitboards::of(self);
        let [white, black] = Color::BOTH.map(|color| pieces.attacks(color));
        Threats::of(&pieces, Color::White, &white, &black)
    }
}
