//! What many pieces attack, all at once: a compass rose of square sets, one for each direction.
//!
//! Sliders go along all eight directions by Kogge-Stone fills: one step, two, then four, each only
//! where the squares passed are empty.

use super::register::{Register, Rose};
use crate::board::square::{JUMPS, RAYS};
use crate::board::{Attacks, Color, PieceType, Square, SquareSet};

/// How eight steps in ascending order shift sets of squares.
struct Steps {
    distances: [i64; 8],
    /// The squares on which each step can end.
    ends: [u64; 8],
}

impl Steps {
    /// Each of the steps, repeated.
    const fn new(steps: [i8; 8], times: i64) -> Steps {
        let (mut distances, mut ends) = ([0; 8], [0; 8]);
        let mut i = 0;
        while i < 8 {
            let mut index = 0;
            while index < 64 {
                let from = Square::from_dense(index);
                if let Some(to) = from.step(steps[i]) {
                    distances[i] = (to.dense() as i64 - index as i64) * times;
                    ends[i] |= 1 << to.dense();
                }
                index += 1;
            }
            i += 1;
        }
        Steps { distances, ends }
    }
}

static ONE: Steps = Steps::new(RAYS, 1);
static TWO: Steps = Steps::new(RAYS, 2);
static FOUR: Steps = Steps::new(RAYS, 4);
static JUMP: Steps = Steps::new(JUMPS, 1);

/// The directions of a bishop, and those in which the pawns of each side capture, a bit each.
const DIAGONAL: u8 = 0b1010_0101;
const PAWN: [u8; 2] = [0b1010_0000, 0b0000_0101];

/// The squares from which sliders take their last step along each ray: where they stand, and empty
/// ones before them.
#[inline(always)]
fn slide<R: Rose>(sliders: R, empty: SquareSet) -> R {
    let free = R::splat(empty) & R::load(&ONE.ends);
    let reached = sliders | free & sliders.shift(&ONE.distances);
    let free = free & free.shift(&ONE.distances);
    let reached = reached | free & reached.shift(&TWO.distances);
    let free = free & free.shift(&TWO.distances);
    reached | free & reached.shift(&FOUR.distances)
}

#[inline(always)]
fn step<R: Rose>(from: R, steps: &Steps) -> R {
    from.shift(&steps.distances) & R::load(&steps.ends)
}

/// The directions of a bishop, for each set its squares or none.
#[inline(always)]
fn diagonals<R: Rose>() -> R {
    R::choose(DIAGONAL, SquareSet::ALL, SquareSet::NONE)
}

#[inline(always)]
fn straights<R: Rose>() -> R {
    R::choose(DIAGONAL, SquareSet::NONE, SquareSet::ALL)
}

/// A side's pieces.
pub struct Army {
    color: Color,
    by_type: [SquareSet; 6],
}

impl Army {
    /// `squares` are the bytes of the 64 squares.
    #[inline(always)]
    pub fn of<R: Register>(squares: R, color: Color) -> Army {
        let set = |kind: PieceType| SquareSet::from_bits(squares.equals(kind.of(color).byte()));
        Army { color, by_type: PieceType::ALL.map(set) }
    }

    /// The squares that they attack.
    #[inline(always)]
    pub fn attacked<R: Rose>(&self, empty: SquareSet) -> SquareSet {
        let [pawns, knights, bishops, rooks, queens, king] = self.by_type;
        let sliders = slide(R::choose(DIAGONAL, bishops | queens, rooks | queens), empty);
        let near = R::choose(PAWN[self.color.index()], king | pawns, king);
        (step(sliders | near, &ONE) | step(R::splat(knights), &JUMP)).union()
    }

    /// The squares that they attack, by type of piece.
    #[inline(always)]
    pub fn attacks<R: Rose>(&self, empty: SquareSet) -> Attacks {
        let [pawns, knights, bishops, rooks, queens, king] = self.by_type;
        let both = step(slide(R::choose(DIAGONAL, bishops, rooks), empty), &ONE);
        let queens = step(slide(R::splat(queens), empty), &ONE);
        let pawns = R::choose(PAWN[self.color.index()], pawns, SquareSet::NONE);
        Attacks::new([
            step(pawns, &ONE).union(),
            step(R::splat(knights), &JUMP).union(),
            (both & diagonals()).union(),
            (both & straights()).union(),
            queens.union(),
            step(R::splat(king), &ONE).union(),
        ])
    }
}
