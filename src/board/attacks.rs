//! The squares that a side attacks.

use super::{PieceType, SquareSet};

/// Squares attacked by one side, by type of piece. Its own pieces count: they are protected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attacks {
    by_type: [SquareSet; 6],
    all: SquareSet,
}

impl Attacks {
    #[inline(always)]
    pub(super) fn new(by_type: [SquareSet; 6]) -> Attacks {
        Attacks { by_type, all: union(by_type) }
    }

    #[inline(always)]
    pub const fn by(&self, kind: PieceType) -> SquareSet {
        self.by_type[kind.index()]
    }

    #[inline(always)]
    pub const fn all(&self) -> SquareSet {
        self.all
    }
}

#[inline(always)]
fn union(sets: [SquareSet; 6]) -> SquareSet {
    sets.into_iter().fold(SquareSet::NONE, |all, set| all | set)
}
