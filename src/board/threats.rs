//! Pieces in danger.

use std::ops::BitOr;

use super::{Square, SquareSet};

/// Which pieces are attacked, and which of them hang: attacked by a lesser piece, or without a
/// defender. A king is neither: it has check for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threats {
    pub(super) attacked: SquareSet,
    pub(super) hanging: SquareSet,
}

impl Threats {
    /// Where two boards differ in this.
    #[inline(always)]
    pub fn differences(&self, other: &Threats) -> SquareSet {
        (self.attacked ^ other.attacked) | (self.hanging ^ other.hanging)
    }

    /// The danger of a square's piece: 1 if it is attacked, 2 if it hangs, or 0.
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
