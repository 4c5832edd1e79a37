//! Bitboards: pieces and their attacks as sets of squares. The board itself is bytes; bitboards are read off
//! it once per node.
//!
//! Obstruction difference gives a slider's attacks along a line. Subtracting the nearest piece below it from
//! the pieces above it changes exactly the bits from one blocker to the other:
//!
//! ```text
//!   above              0 1 0 0 1 0 0 0 0 0      pieces above the slider
//!   nearest below      0 0 0 0 0 0 0 0 1 0      the highest of those below it
//!   above - nearest    0 1 0 0 0 1 1 1 1 0
//!   changed            0 0 0 0 1 1 1 1 1 0      the slider's own square is not of the line
//! ```

use super::position::Squares;
use super::square::{EAST, JUMPS, NORTH, RAYS, SOUTH, WEST};
use super::{Color, Piece, PieceType, Position, Square, SquareSet};

/// For each of the six bits of a piece's byte, the squares of the pieces that have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bitboards([SquareSet; 6]);

impl Bitboards {
    #[inline(always)]
    pub fn of(position: &Position) -> Bitboards {
        let squares = Squares::of(position);
        // `map` would not be inlined.
        let mut sets = [SquareSet::NONE; 6];
        for (bit, set) in sets.iter_mut().enumerate() {
            *set = squares.with_bits(1 << bit);
        }
        Bitboards(sets)
    }

    #[inline(always)]
    pub const fn by(&self, color: Color) -> SquareSet {
        self.0[4 + color.index()]
    }

    #[inline(always)]
    pub fn occupied(&self) -> SquareSet {
        self.0[4] | self.0[5]
    }

    /// The pieces of a type, of both sides.
    #[inline(always)]
    pub fn kind(&self, kind: PieceType) -> SquareSet {
        let [one, two, straight, diagonal, ..] = self.0;
        match kind {
            PieceType::Pawn => one & !two,
            PieceType::Knight => two & !one,
            PieceType::King => one & two,
            PieceType::Rook => straight & !diagonal,
            PieceType::Bishop => diagonal & !straight,
            PieceType::Queen => straight & diagonal,
        }
    }

    /// Rooks and queens.
    #[inline(always)]
    pub(super) const fn straight(&self) -> SquareSet {
        self.0[2]
    }

    /// Bishops and queens.
    #[inline(always)]
    pub(super) const fn diagonal(&self) -> SquareSet {
        self.0[3]
    }

    /// All pieces except pawns and kings.
    #[inline(always)]
    pub fn officers(&self) -> SquareSet {
        self.occupied() & !self.0[0]
    }

    /// The pieces of both sides that attack a square, given the occupied squares.
    #[inline(always)]
    pub(super) fn attackers(&self, square: Square, occupied: SquareSet) -> SquareSet {
        self.leapers_to(square)
            | self.diagonal() & diagonal_attacks(square, occupied)
            | self.straight() & straight_attacks(square, occupied)
    }

    /// The pawns, knights and kings of both sides that attack a square.
    #[inline(always)]
    pub(super) fn leapers_to(&self, square: Square) -> SquareSet {
        let pawns = Color::BOTH.map(|color| PAWN[(!color).index()][at(square)] & self.by(color));
        self.kind(PieceType::Pawn) & (pawns[0] | pawns[1])
            | self.kind(PieceType::Knight) & KNIGHT[at(square)]
            | self.kind(PieceType::King) & KING[at(square)]
    }

    /// A side's sliders that attack a square, and the blockers that alone keep further ones from it.
    #[inline(always)]
    pub(super) fn sliders_to(&self, square: Square, by: Color) -> (SquareSet, SquareSet) {
        let lines = reach(PieceType::Rook, square) & self.straight()
            | reach(PieceType::Bishop, square) & self.diagonal();
        let (mut attackers, mut shields) = (SquareSet::NONE, SquareSet::NONE);
        for slider in lines & self.by(by) {
            let between = between(square, slider) & self.occupied();
            match between.len() {
                0 => attackers.insert(slider),
                1 => shields |= between,
                _ => {}
            }
        }
        (attackers, shields)
    }
}

/// The squares that a piece attacks, given the occupied squares.
#[inline(always)]
pub(super) fn attacks(piece: Piece, from: Square, occupied: SquareSet) -> SquareSet {
    match piece.kind() {
        PieceType::Pawn => pawn_attacks(piece.color(), from),
        PieceType::Knight => KNIGHT[at(from)],
        PieceType::King => KING[at(from)],
        PieceType::Bishop => diagonal_attacks(from, occupied),
        PieceType::Rook => straight_attacks(from, occupied),
        PieceType::Queen => diagonal_attacks(from, occupied) | straight_attacks(from, occupied),
    }
}

#[inline(always)]
pub(super) fn pawn_attacks(color: Color, from: Square) -> SquareSet {
    PAWN[color.index()][at(from)]
}

#[inline(always)]
pub(super) fn knight_attacks(from: Square) -> SquareSet {
    KNIGHT[at(from)]
}

#[inline(always)]
pub fn king_attacks(from: Square) -> SquareSet {
    KING[at(from)]
}

#[inline(always)]
pub(super) fn straight_attacks(from: Square, occupied: SquareSet) -> SquareSet {
    let [file, rank, ..] = &LINES[at(from)];
    file.attacks(occupied) | rank.attacks(occupied)
}

#[inline(always)]
pub(super) fn diagonal_attacks(from: Square, occupied: SquareSet) -> SquareSet {
    let [.., rising, falling] = &LINES[at(from)];
    rising.attacks(occupied) | falling.attacks(occupied)
}

/// The squares that a piece other than a pawn attacks on an empty board.
#[inline(always)]
pub(super) const fn reach(kind: PieceType, from: Square) -> SquareSet {
    let [file, rank, rising, falling] = &LINES[at(from)];
    let straight = file.all.bits() | rank.all.bits();
    let diagonal = rising.all.bits() | falling.all.bits();
    match kind {
        PieceType::Pawn => SquareSet::NONE,
        PieceType::Knight => KNIGHT[at(from)],
        PieceType::King => KING[at(from)],
        PieceType::Bishop => SquareSet::from_bits(diagonal),
        PieceType::Rook => SquareSet::from_bits(straight),
        PieceType::Queen => SquareSet::from_bits(straight | diagonal),
    }
}

/// The squares strictly between two on a common line, or none.
#[inline(always)]
pub(super) fn between(a: Square, b: Square) -> SquareSet {
    BETWEEN[at(a)][at(b)]
}

/// The file, the rank, and the two diagonals through a square, without the square itself.
#[inline(always)]
pub(super) fn lines_through(square: Square) -> [SquareSet; 4] {
    LINES[at(square)].each_ref().map(|line| line.all)
}

/// The line through one square that contains the other, or the empty set.
pub(super) fn line_of(through: Square, other: Square) -> SquareSet {
    let is_on = |line: &SquareSet| line.contains(other);
    lines_through(through).into_iter().find(is_on).unwrap_or(SquareSet::NONE)
}

#[inline(always)]
const fn at(square: Square) -> usize {
    square.index() as usize
}

/// A line through a square, without the square itself.
struct LineMask {
    below: SquareSet,
    above: SquareSet,
    all: SquareSet,
}

impl LineMask {
    /// `up` is the step towards squares with a higher index.
    const fn new(from: Square, up: i8) -> LineMask {
        let (below, above) = (ray(from, -up).bits(), ray(from, up).bits());
        let [below, above, all] = [below, above, below | above];
        LineMask {
            below: SquareSet::from_bits(below),
            above: SquareSet::from_bits(above),
            all: SquareSet::from_bits(all),
        }
    }

    /// Obstruction difference.
    #[inline(always)]
    fn attacks(&self, occupied: SquareSet) -> SquareSet {
        let (below, above) = ((occupied & self.below).bits(), (occupied & self.above).bits());
        let nearest_below = 1 << 63 >> (below | 1).leading_zeros();
        SquareSet::from_bits(above ^ above.wrapping_sub(nearest_below)) & self.all
    }
}

const fn ray(from: Square, step: i8) -> SquareSet {
    let (mut set, mut square) = (0, from);
    while let Some(next) = square.step(step) {
        set |= SquareSet::one(next).bits();
        square = next;
    }
    SquareSet::from_bits(set)
}

/// The destinations of the steps from each square.
const fn leaps<const N: usize>(steps: [i8; N]) -> [SquareSet; 64] {
    let mut table = [SquareSet::NONE; 64];
    let mut i = 0;
    while i < 64 * N {
        let from = i / N;
        if let Some(to) = Square::from_index(from as u8).step(steps[i % N]) {
            table[from] = SquareSet::from_bits(table[from].bits() | SquareSet::one(to).bits());
        }
        i += 1;
    }
    table
}

static PAWN: [[SquareSet; 64]; 2] =
    [leaps([NORTH + WEST, NORTH + EAST]), leaps([SOUTH + WEST, SOUTH + EAST])];
static KNIGHT: [SquareSet; 64] = leaps(JUMPS);
static KING: [SquareSet; 64] = leaps(RAYS);

/// The file, the rank, the rising and the falling diagonal through each square.
static LINES: [[LineMask; 4]; 64] = {
    let mut table = [const {
        [const { LineMask { below: SquareSet::NONE, above: SquareSet::NONE, all: SquareSet::NONE } };
            4]
    }; 64];
    let steps = [NORTH, EAST, NORTH + EAST, NORTH + WEST];
    let mut i = 0;
    while i < 64 * 4 {
        table[i / 4][i % 4] = LineMask::new(Square::from_index((i / 4) as u8), steps[i % 4]);
        i += 1;
    }
    table
};

static BETWEEN: [[SquareSet; 64]; 64] = {
    let mut table = [[SquareSet::NONE; 64]; 64];
    let mut i = 0;
    while i < 64 * 8 {
        let (from, mut passed) = (Square::from_index((i / 8) as u8), 0);
        let mut square = from;
        while let Some(next) = square.step(RAYS[i % 8]) {
            table[i / 8][at(next)] = SquareSet::from_bits(passed);
            passed |= SquareSet::one(next).bits();
            square = next;
        }
        i += 1;
    }
    table
};
