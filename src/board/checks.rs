//! Checks and pins: who gives check, who is pinned, and which moves give check.

use super::lanes::{Board, NO_LANE, lane_between, pseudo_attacks, squares_on, unblocked};
use super::{Color, Move, Piece, PieceType, Position, Square, SquareSet};

impl Position {
    /// Whether a side attacks a square.
    #[inline(always)]
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        Board::of(self).lanes(square).attackers(by) != 0
    }

    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.is_attacked(self.king(self.side()), !self.side())
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> SquareSet {
        let (us, king) = (self.side(), self.king(self.side()));
        squares_on(king, Board::of(self).lanes(king).checks_and_pins(us).checkers)
    }

    /// The pieces of a side that are pinned to their own king.
    pub fn pinned(&self, color: Color) -> SquareSet {
        let king = self.king(color);
        squares_on(king, Board::of(self).lanes(king).checks_and_pins(color).pinned)
    }

    /// Whether a lane joins two squares and no piece stands between them.
    #[inline(always)]
    pub(super) fn has_clear_lane(&self, from: Square, to: Square) -> bool {
        let lane = lane_between(from, to);
        lane != NO_LANE && unblocked(Board::of(self).lanes(from).occupied) >> (lane & 63) & 1 != 0
    }

    /// Whether a legal move gives check: it is made, on the board alone.
    // Few moves need this: it stays out of the code of the search.
    #[inline(never)]
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side();
        let king = self.king(!us);
        if !mv.is_normal() {
            return self.after(mv).is_attacked(king, us);
        }
        let moved = Board::of(self).with(mv.from(), 0).with(mv.to(), self.byte_at(mv.from()));
        moved.lanes(king).attackers(us) != 0
    }
}

/// Which moves of a position give check, where many are asked about.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// The squares from which a piece of each type would give check.
    from: [SquareSet; 6],
    /// The pieces that stand between the enemy's king and a slider of their own.
    discoverers: SquareSet,
}

impl Position {
    /// This is work: ask once a node and keep the answer.
    pub fn checks(&self) -> Checks {
        let us = self.side();
        let king = self.king(!us);
        let lanes = Board::of(self).lanes(king);
        let superpiece_attacks = squares_on(king, lanes.superpiece_attacks());
        let from = |kind: PieceType| {
            let on_empty_board = ATTACKERS[kind.of(us).index()][king.index() as usize];
            superpiece_attacks & SquareSet::from_bits(on_empty_board)
        };
        let discoverers = squares_on(king, lanes.shields(us) & lanes.of(us));
        Checks { from: PieceType::ALL.map(from), discoverers }
    }
}

impl Checks {
    /// Whether a legal move of the position gives check.
    #[inline(always)]
    pub fn has(&self, position: &Position, mv: Move) -> bool {
        position.piece_at(mv.from()).is_some_and(|piece| self.has_by(position, mv, piece))
    }

    /// The same of the move of a piece.
    #[inline(always)]
    pub fn has_by(&self, position: &Position, mv: Move, piece: Piece) -> bool {
        if !mv.is_normal() || self.discoverers.contains(mv.from()) {
            return position.gives_check(mv);
        }
        self.from[piece.kind().index()].contains(mv.to())
    }
}

/// The squares from which a piece, by [`Piece::index`], attacks each square on an empty board; none for
/// kings, which never give check.
static ATTACKERS: [[u64; 64]; 12] = {
    let mut table = [[0; 64]; 12];
    let mut i = 0;
    while i < 12 * 64 * 64 {
        let (kind, to, from) = (PieceType::ALL[i / 4096 % 6], i / 64 % 64, i % 64);
        let piece = kind.of(Color::BOTH[i / 4096 / 6]);
        let (square, king) = (Square::from_index(from as u8), Square::from_index(to as u8));
        if !piece.is(PieceType::King) && pseudo_attacks(piece, square, king) {
            table[piece.index()][to] |= 1 << from;
        }
        i += 1;
    }
    table
};
