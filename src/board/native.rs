//! The backend of this build, and what a position can tell by it.

use super::{Attacks, Backend, Color, Move, MoveList, Piece, Position, Square, SquareSet, Stage};

/// The fastest backend that this build may use.
#[cfg(avx512_backend)]
pub type Native = super::Avx512;
#[cfg(all(avx2_backend, not(avx512_backend)))]
pub type Native = super::Avx2;
#[cfg(not(avx2_backend))]
pub type Native = super::Scalar;

impl Position {
    /// The squares on which a side's pieces stand.
    #[inline(always)]
    pub fn occupied_by(&self, color: Color) -> SquareSet {
        Native::occupied_by(self, color)
    }

    /// The squares on which pieces stand.
    #[inline(always)]
    pub fn occupied(&self) -> SquareSet {
        self.occupied_by(Color::White) | self.occupied_by(Color::Black)
    }

    /// All pieces with their squares, from a1 to h8.
    #[inline(always)]
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// The squares on which two positions differ.
    #[inline(always)]
    pub fn differences(&self, other: &Position) -> SquareSet {
        Native::differences(self, other)
    }

    /// Copy-make: the position after a legal move.
    #[inline(always)]
    pub fn after(&self, mv: Move) -> Position {
        Native::after(self, mv)
    }

    /// Whether any 16 bits, from a hash table say, are a legal move here.
    #[inline(always)]
    pub fn is_legal(&self, mv: Move) -> bool {
        Native::is_legal(self, mv)
    }

    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Stage::All, &mut list);
        list
    }

    /// Adds the legal moves of a stage to the list, in a fixed order.
    #[inline(always)]
    pub fn generate(&self, stage: Stage, list: &mut MoveList) {
        match stage {
            Stage::Noisy => self.generate_noisy(list),
            Stage::Quiet => self.generate_quiet(list),
            Stage::All => self.generate_all(list),
        }
    }

    // Each stage is compiled for itself, but only once: the code is long, and the instruction cache
    // small.

    #[inline(never)]
    fn generate_noisy(&self, list: &mut MoveList) {
        Native::generate(self, Stage::Noisy, list);
    }

    #[inline(never)]
    fn generate_quiet(&self, list: &mut MoveList) {
        Native::generate(self, Stage::Quiet, list);
    }

    #[inline(never)]
    fn generate_all(&self, list: &mut MoveList) {
        Native::generate(self, Stage::All, list);
    }

    /// The pieces that give check.
    #[inline(always)]
    pub fn checkers(&self) -> SquareSet {
        Native::checkers(self)
    }

    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.is_attacked(self.king(self.side()), !self.side())
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

    /// The squares that a queen or a knight on a square would attack.
    #[inline(always)]
    pub fn sight(&self, from: Square) -> SquareSet {
        Native::sight(self, from)
    }

    /// Whether a legal move gives check.
    #[inline(always)]
    pub fn gives_check(&self, mv: Move) -> bool {
        Native::gives_check(self, mv)
    }

    /// Static exchange evaluation: whether a legal move wins at least `threshold` on its square,
    /// in the units of [`super::see_value`]. Pins are not considered.
    // Called from many places, and long: one copy, so that the code of the search stays short.
    #[inline(never)]
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        Native::see_ge(self, mv, threshold)
    }
}
