//! Moves in 16 bits, and lists of them on the stack.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{MAX_PIECES, PieceType, Square};

/// The kinds of move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    Normal,
    /// Stored as the king taking its own rook, which is unambiguous in Chess960.
    Castling,
    EnPassant,
    Promotion(PieceType),
}

const NORMAL: u16 = 0;
const CASTLING: u16 = 1;
const EN_PASSANT: u16 = 2;
const PROMOTIONS: [u16; 4] = [4, 5, 6, 7];

/// A move: six bits of origin, six of destination, four of kind. Any 16 bits are a `Move`, legal or not (see
/// [`super::Position::is_legal`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Move(u16);

impl Move {
    /// No move. It is never legal.
    pub const NONE: Move = Move(0);

    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    #[inline(always)]
    const fn coded(from: Square, to: Square, code: u16) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 6 | code << 12)
    }

    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::coded(from, to, NORMAL)
    }

    #[inline(always)]
    pub const fn castling(king: Square, rook: Square) -> Move {
        Move::coded(king, rook, CASTLING)
    }

    #[inline(always)]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move::coded(from, to, EN_PASSANT)
    }

    /// A promotion. `kind` is one of [`PieceType::PROMOTIONS`]; any other type counts as the queen.
    #[inline(always)]
    pub const fn promotion(from: Square, to: Square, kind: PieceType) -> Move {
        let code = match kind {
            PieceType::Knight => PROMOTIONS[0],
            PieceType::Bishop => PROMOTIONS[1],
            PieceType::Rook => PROMOTIONS[2],
            _ => PROMOTIONS[3],
        };
        Move::coded(from, to, code)
    }

    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_index(self.0 as u8)
    }

    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_index((self.0 >> 6) as u8)
    }

    /// Origin and destination as one number below 64 squared.
    #[inline(always)]
    pub const fn squares(self) -> usize {
        self.0 as usize & 0xFFF
    }

    /// The kind, or `None` for the nine unused codes.
    #[inline(always)]
    pub const fn kind(self) -> Option<MoveKind> {
        match (self.0 >> 12, self.promoted()) {
            (NORMAL, _) => Some(MoveKind::Normal),
            (CASTLING, _) => Some(MoveKind::Castling),
            (EN_PASSANT, _) => Some(MoveKind::EnPassant),
            (_, Some(kind)) => Some(MoveKind::Promotion(kind)),
            _ => None,
        }
    }

    #[inline(always)]
    pub const fn is_normal(self) -> bool {
        self.0 >> 12 == NORMAL
    }

    #[inline(always)]
    pub const fn is_castling(self) -> bool {
        self.0 >> 12 == CASTLING
    }

    #[inline(always)]
    pub const fn is_en_passant(self) -> bool {
        self.0 >> 12 == EN_PASSANT
    }

    #[inline(always)]
    pub const fn is_promotion(self) -> bool {
        self.0 >> 14 == 1
    }

    #[inline(always)]
    pub const fn promoted(self) -> Option<PieceType> {
        /// By the last two bits of the code.
        const KINDS: [PieceType; 4] =
            [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];
        if self.is_promotion() { Some(KINDS[(self.0 >> 12 & 3) as usize]) } else { None }
    }
}

/// In the Chess960 notation of UCI: castling is the king taking its rook.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promoted() {
            Some(kind) => write!(f, "{}", kind.letter()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.kind() {
            Some(MoveKind::Normal | MoveKind::Promotion(_)) => fmt::Display::fmt(self, f),
            kind => write!(f, "{self} {kind:?}"),
        }
    }
}

/// The number of moves that a vector store may write beyond the end of the list.
pub const SLACK: usize = 32;

/// The legal moves of a position. There is always room for one more store of `SLACK` moves, whatever pieces
/// were promoted.
pub type MoveList = arrayvec::ArrayVec<Move, 512>;

const _: () = assert!(most_moves() + SLACK <= 512);

/// An upper bound on the number of moves in a position of [`MAX_PIECES`] with both kings. At most one slider
/// reaches a square along each of its eight rays, and a slider reaches 27 squares; a knight has 8 moves, a
/// promoting pawn 12, a king 8 and two castlings.
const fn most_moves() -> usize {
    const PAWNS: usize = 8;
    let mut most = 0;
    let mut own = 1;
    while own < MAX_PIECES {
        let mut sliders = 0;
        while sliders < own {
            let others = own - 1 - sliders;
            let pawns = if others < PAWNS { others } else { PAWNS };
            let reached = 8 * (64 - own);
            let slides = if 27 * sliders < reached { 27 * sliders } else { reached };
            let moves = 10 + slides + 8 * (others - pawns) + 12 * pawns;
            most = if moves > most { moves } else { most };
            sliders += 1;
        }
        own += 1;
    }
    most
}
