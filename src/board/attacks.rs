//! The squares that a side attacks.

use super::{PieceType, SquareSet};

/// Squares attacked by one side, by type of piece. Its own pieces count: they are protected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attacks {
    by_type: [SquareSet; 6],
}

impl Attacks {
    #[inline(always)]
    pub(super) const fn new(by_type: [SquareSet; 6]) -> Attacks {
        Attacks { by_type }
    }

    #[inline(always)]
    pub const fn by(&self, kind: PieceType) -> SquareSet {
        self.by_type[kind.index()]
    }

    #[inline(always)]
    pub fn all(&self) -> SquareSet {
        self.by_type.into_iter().fold(SquareSet::NONE, |all, squares| all | squares)
    }
}
