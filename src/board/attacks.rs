//! What a square sees.
//!
//! From every square run 64 *lanes*: eight rays of up to seven squares, and eight knight's jumps.
//! A ray and a jump share eight lanes, in the order of [`RAYS`] and [`JUMPS`]:
//!
//! ```text
//! lane     8 d + 0 … 8 d + 6          8 d + 7
//! square   1 … 7 steps along RAYS[d]   JUMPS[d]
//! ```
//!
//! The difference of two 0x88 coordinates names the lane from one to the other, and a piece is the
//! set of lanes it may use. So one byte from a table of 240 says whether geometry lets a piece
//! reach a square, and by which step; only then need anybody look at what stands between.
//!
//! There are several bodies of the work on lanes that give the same answers in the same order:
//! [`Scalar`] for every processor, and one that holds all lanes of a square in registers, for AVX2
//! and for AVX-512.

use super::square::{JUMPS, RAYS};
use super::{Color, Move, MoveList, Piece, PieceType, Position, Square, SquareSet, Stage};

mod scalar;
#[cfg(avx2_backend)]
mod vector;

pub use scalar::Scalar;
#[cfg(avx2_backend)]
pub use vector::Avx2;
#[cfg(avx512_backend)]
pub use vector::Avx512;

/// The body that this build uses: the fastest that it may.
#[cfg(avx512_backend)]
pub type Native = Avx512;
#[cfg(all(avx2_backend, not(avx512_backend)))]
pub type Native = Avx2;
#[cfg(not(avx2_backend))]
pub type Native = Scalar;

/// What a body of the board can do. Every body gives the same answers, in the same order.
pub trait Backend {
    const NAME: &'static str;

    /// Adds the legal moves of a stage to the list, in the order that [`Stage`] describes.
    fn generate(position: &Position, stage: Stage, list: &mut MoveList);

    /// The position after a legal move, but for the right to capture en passant
    /// ([`Position::after`]).
    fn moved(position: &Position, mv: Move) -> Position;

    /// The squares on which a side's pieces stand.
    fn occupied_by(position: &Position, color: Color) -> SquareSet;

    /// The squares on which two positions differ.
    fn differences(one: &Position, other: &Position) -> SquareSet;

    /// The pieces that give check to the side to move.
    fn checkers(position: &Position) -> SquareSet;

    /// The pieces of a side that a line binds to their own king.
    fn pinned(position: &Position, color: Color) -> SquareSet;

    /// Whether a side attacks a square.
    fn is_attacked(position: &Position, square: Square, by: Color) -> bool;

    /// [`Backend::is_attacked`] as it will be once the other side's king has left its square.
    fn is_attacked_without_king(position: &Position, square: Square, by: Color) -> bool;

    /// All squares that a side attacks, by kind of piece.
    fn attacks(position: &Position, by: Color) -> Attacks;

    /// The squares that a queen or a knight on a square would attack.
    fn sight(position: &Position, from: Square) -> SquareSet;

    /// Whether a legal move gives check.
    fn gives_check(position: &Position, mv: Move) -> bool;

    /// Whether a legal move and the captures on its square that follow, each side taking with its
    /// least valuable piece and stopping when it likes, bring at least `threshold`.
    fn see_ge(position: &Position, mv: Move, threshold: i32) -> bool;
}

/// Squares attacked by one side, by kind of piece. Its own pieces count: they are protected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attacks {
    by_kind: [SquareSet; 6],
}

impl Attacks {
    #[inline(always)]
    pub const fn by(&self, kind: PieceType) -> SquareSet {
        self.by_kind[kind.index()]
    }

    #[inline(always)]
    pub fn all(&self) -> SquareSet {
        self.by_kind.into_iter().fold(SquareSet::NONE, |all, squares| all | squares)
    }

    #[inline(always)]
    fn add(&mut self, kind: PieceType, squares: SquareSet) {
        self.by_kind[kind.index()] |= squares;
    }
}

/// What pieces count for in an exchange. The king's is more than all others together.
#[inline(always)]
pub const fn see_value(kind: PieceType) -> i32 {
    match kind {
        PieceType::Pawn => 100,
        PieceType::Knight | PieceType::Bishop => 300,
        PieceType::Rook => 500,
        PieceType::Queen => 900,
        PieceType::King => 20_000,
    }
}

/// Plays the captures on a move's square to the end that best suits each side. `series` gives what
/// takes the least valuable attacker of a side out of the series and names it; it is asked only
/// where the move alone does not settle the question.
#[inline(always)]
fn see_ge<F: FnMut(Color) -> Option<PieceType>>(
    position: &Position,
    mv: Move,
    threshold: i32,
    series: impl FnOnce() -> F,
) -> bool {
    if mv.is_castling() {
        return threshold <= 0;
    }
    let value = |piece: Option<Piece>| piece.map_or(0, |piece| see_value(piece.kind()));
    let mover = value(position.piece_at(mv.from()));
    let arrived = mv.promoted().map_or(mover, see_value);
    let gain = value(position.captured(mv)) + arrived - mover;

    // What the side that just moved has above the threshold should the other side stop, and should
    // it take once.
    let above = gain - threshold;
    if above < 0 {
        return false;
    }
    let mut missing = arrived - above;
    if missing <= 0 {
        return true;
    }
    let mut next_attacker = series();
    let mut side = position.side();
    let mut reached = true;
    loop {
        side = !side;
        let Some(attacker) = next_attacker(side) else { return reached };
        reached = !reached;
        missing = see_value(attacker) - missing;
        if missing < reached as i32 {
            return reached;
        }
    }
}

/// A number in the place of a lane for squares that no lane joins. Its low six bits name a jump,
/// which is never part of a set of lanes along rays.
const NO_LANE: u8 = 0x7F;

/// The lanes that are jumps.
const JUMP_LANES: u64 = 0x8080_8080_8080_8080;

/// The step from the origin to each lane's square.
const LANE_STEPS: [i8; 64] = {
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

/// The lane by the difference of two coordinates plus 0x77. The last 16 entries only pad: a
/// vector body reads the lanes from one square to all 128 places of the board at once.
static LANES: [u8; 256] = {
    let mut lanes = [NO_LANE; 256];
    let mut lane = 0;
    while lane < 64 {
        let place = 0x77 + LANE_STEPS[lane] as i32;
        if place >= 0 && place < 240 {
            lanes[place as usize] = lane as u8;
        }
        lane += 1;
    }
    lanes
};

/// The lanes in which each piece attacks, by [`Piece::row`].
static PIECE_LANES: [u64; 32] = {
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

/// The kinds that reach a square, by the difference of the coordinates plus 0x77; one bit for each
/// kind, two for pawns by color.
static REACH: [u8; 240] = {
    let mut table = [0; 240];
    let mut row = 1;
    while row < 32 {
        let mut place = 0;
        while place < 240 {
            let lane = LANES[place];
            if lane != NO_LANE && PIECE_LANES[row] >> lane & 1 != 0 {
                table[place] |= REACHER[row];
            }
            place += 1;
        }
        row += 1;
    }
    table
};

/// The bit of each piece in [`REACH`], by [`Piece::row`].
static REACHER: [u8; 32] = {
    let mut table = [0; 32];
    let mut row = 1;
    while row < 32 {
        let white = row & Color::White.bit() as usize != 0;
        table[row] = match row & 0xF {
            1 if white => 1,
            1 => 2,
            2 => 4,
            3 => 8,
            4 => 16,
            8 => 32,
            12 => 64,
            _ => 0,
        };
        row += 1;
    }
    table
};

#[inline(always)]
fn piece_lanes(piece: Piece) -> u64 {
    PIECE_LANES[piece.row()]
}

/// The lane in which `from` sees `to`, or [`NO_LANE`].
#[inline(always)]
fn lane(from: Square, to: Square) -> u8 {
    LANES[0x77 + to.index() - from.index()]
}

/// Whether geometry lets a piece on `from` attack `to`, whatever stands between.
#[inline(always)]
pub(super) const fn reaches(piece: Piece, from: Square, to: Square) -> bool {
    reaches_by_byte(piece.byte(), from, to)
}

/// [`reaches`] for the byte of the board; an empty square reaches nothing.
#[inline(always)]
const fn reaches_by_byte(piece: u8, from: Square, to: Square) -> bool {
    REACH[0x77 + to.index() - from.index()] & REACHER[piece as usize & 0x1F] != 0
}

/// The step that leads from one square towards another on the same ray.
#[inline(always)]
fn step_between(from: Square, to: Square) -> Option<i8> {
    let lane = lane(from, to);
    (lane != NO_LANE && lane & 7 != 7).then(|| RAYS[lane as usize >> 3])
}

impl Position {
    /// The pieces that give check.
    #[inline(always)]
    pub fn checkers(&self) -> SquareSet {
        Native::checkers(self)
    }

    #[inline(always)]
    pub fn in_check(&self) -> bool {
        Native::is_attacked(self, self.king(self.side()), !self.side())
    }

    /// The pieces of a side that a line binds to their own king.
    #[inline(always)]
    pub fn pinned(&self, color: Color) -> SquareSet {
        Native::pinned(self, color)
    }

    #[inline(always)]
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        Native::is_attacked(self, square, by)
    }

    /// All squares that a side attacks. This is work: ask once a node and keep the answer.
    #[inline(always)]
    pub fn attacks(&self, by: Color) -> Attacks {
        Native::attacks(self, by)
    }

    /// Static exchange evaluation: whether a legal move wins at least `threshold` on its square,
    /// in the units of [`see_value`]. Pins are not looked at.
    // Asked for in many places, and long: one copy, so that the code of the search stays short.
    #[inline(never)]
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        Native::see_ge(self, mv, threshold)
    }

    /// Whether nothing stands between two squares of one ray.
    #[inline(always)]
    pub(super) fn is_clear_between(&self, from: Square, to: Square) -> bool {
        match step_between(from, to) {
            Some(step) => {
                from.ray(step).take_while(|&square| square != to).all(|s| self.is_empty(s))
            }
            None => true,
        }
    }

    /// Whether a piece that stands, or could stand, on `from` attacks `to` on this board.
    #[inline(always)]
    pub(super) fn sees(&self, piece: Piece, from: Square, to: Square) -> bool {
        reaches(piece, from, to) && self.is_clear_between(from, to)
    }
}
