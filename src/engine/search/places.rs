//! Indices into the history tables.

use crate::board::{Color, Move, Piece, Position, Square, SquareSet};

const SQUARES: usize = 64;

/// A move that was made, with its indices in the histories.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    pub piece_to: PieceTo,
    /// The row of following moves in the continuation histories: by the piece and its destination, whether it
    /// was made in check, and whether it was noisy.
    row: u16,
    pub place: Place,
}

impl Moved {
    /// The number of rows in the continuation histories.
    pub const ROWS: usize = 4 * PieceTo::COUNT + 1;

    /// A null move, or no move.
    pub const NULL: Moved =
        Moved { piece_to: PieceTo::NONE, row: Moved::ROWS as u16 - 1, place: Place::Untaught };

    #[inline(always)]
    pub fn new(piece_to: PieceTo, place: Place, in_check: bool, is_noisy: bool) -> Moved {
        let kind = usize::from(in_check) * 2 + usize::from(is_noisy);
        Moved { piece_to, place, row: (kind * PieceTo::COUNT + piece_to.index()) as u16 }
    }

    #[inline(always)]
    pub fn is_null(&self) -> bool {
        self.piece_to == PieceTo::NONE
    }

    #[inline(always)]
    pub fn is_quiet(&self) -> bool {
        matches!(self.place, Place::Quiet(_))
    }

    #[inline(always)]
    pub fn row(&self) -> usize {
        usize::from(self.row)
    }

    /// The move, protected from changes to its own history by later nodes.
    pub fn untaught(self) -> Moved {
        Moved { place: Place::Untaught, ..self }
    }
}

/// The index of a move in its own history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Quiet(QuietPlace),
    Noisy(NoisyPlace),
    Untaught,
}

/// The index of a quiet move in the butterfly history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietPlace(u16);

impl QuietPlace {
    pub const COUNT: usize = 2 * 4 * SQUARES * SQUARES;

    /// By side to move, whether origin and destination are attacked, and both squares.
    #[inline(always)]
    pub fn new(side: Color, attacked: SquareSet, mv: Move) -> QuietPlace {
        let from = usize::from(attacked.contains(mv.from()));
        let to = usize::from(attacked.contains(mv.to()));
        let table = side.index() * 4 + from * 2 + to;
        QuietPlace((table * SQUARES * SQUARES + mv.squares()) as u16)
    }

    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A victim of any type or none, on a defended square or not.
const CAPTURE_TARGETS: usize = 7 * 2;

/// The index of a noisy move in the capture history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoisyPlace(u16);

impl NoisyPlace {
    pub const COUNT: usize = PieceTo::COUNT * CAPTURE_TARGETS;

    /// By piece, destination, victim, if any, and whether the destination is defended.
    #[inline(always)]
    pub fn new(
        attacked: SquareSet,
        piece_to: PieceTo,
        mv: Move,
        victim: Option<Piece>,
    ) -> NoisyPlace {
        let victim = victim.map_or(6, Piece::kind_index);
        let target = victim * 2 + usize::from(attacked.contains(mv.to()));
        NoisyPlace((piece_to.index() * CAPTURE_TARGETS + target) as u16)
    }

    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A piece and its destination, or no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    /// Pieces times squares.
    pub const COUNT: usize = 12 * SQUARES;
    pub const NONE: PieceTo = PieceTo(PieceTo::COUNT as u16);

    /// The piece that a move moves, and its destination.
    #[inline(always)]
    pub fn of(position: &Position, mv: Move) -> PieceTo {
        position.piece_at(mv.from()).map_or(PieceTo::NONE, |piece| PieceTo::new(piece, mv.to()))
    }

    #[inline(always)]
    pub fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo((piece.index() * SQUARES) as u16 + u16::from(to.index()))
    }

    pub fn to(self) -> Option<Square> {
        (self != PieceTo::NONE).then(|| Square::from_index((self.index() % SQUARES) as u8))
    }

    /// Whether the piece's destination is this square.
    pub fn goes_to(self, square: Square) -> bool {
        self != PieceTo::NONE && self.index() % SQUARES == usize::from(square.index())
    }

    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}
