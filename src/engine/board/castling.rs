//! Castling, written for Chess960, of which standard chess is a special case.

use super::{Square, SquareSet};

/// The side of the board to which the king castles, as the king sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastlingSide {
    King,
    Queen,
}

impl CastlingSide {
    pub const BOTH: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];

    /// The side for a king and a rook on the same rank.
    #[inline(always)]
    pub const fn of(king: Square, rook: Square) -> CastlingSide {
        if rook.file() > king.file() { CastlingSide::King } else { CastlingSide::Queen }
    }
}

/// The destinations of king and rook.
#[inline(always)]
pub(super) fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let (king_file, rook_file) = match CastlingSide::of(king, rook) {
        CastlingSide::King => (6, 5),
        CastlingSide::Queen => (2, 3),
    };
    let on = |file| Square::known(king.rank() << 4 | file);
    (on(king_file), on(rook_file))
}

/// Whether a king that is not in check can castle with a rook to which it has the right. A rook that shields
/// the king from an attacker on its far side may not move.
#[inline(always)]
pub(super) fn can_castle(
    king: Square,
    rook: Square,
    occupied: SquareSet,
    is_pinned: impl Fn(Square) -> bool,
    is_safe: impl Fn(Square) -> bool,
) -> bool {
    let (king_to, rook_to) = castling_targets(king, rook);
    let path = span(king, king_to);
    let others = occupied & !SquareSet::one(king) & !SquareSet::one(rook);
    ((path | span(rook, rook_to)) & others).is_empty()
        && !is_pinned(rook)
        && (path & !SquareSet::one(king)).into_iter().all(is_safe)
}

/// The files from one to another, both included, one bit each.
static SPANS: [[u8; 8]; 8] = {
    let mut spans = [[0; 8]; 8];
    let mut a = 0;
    while a < 8 {
        let mut b = 0;
        while b < 8 {
            let (first, last) = if a < b { (a, b) } else { (b, a) };
            spans[a][b] = (0xFF << first) & (0xFF >> (7 - last));
            b += 1;
        }
        a += 1;
    }
    spans
};

/// The squares from one to another on the same rank, both included.
#[inline(always)]
fn span(a: Square, b: Square) -> SquareSet {
    SquareSet::from_bits((SPANS[a.file() as usize][b.file() as usize] as u64) << (8 * a.rank()))
}
