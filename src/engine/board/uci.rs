//! Moves in UCI notation.

use std::fmt;
use std::str::FromStr;

use super::castling::castling_targets;
use super::{Move, PieceType, Position, Square};

/// Why a word is not a move in this position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UciMoveError {
    #[error("it is not written like a move")]
    Malformed,
    #[error("it is the null move")]
    Null,
    #[error("it is not legal here")]
    Illegal,
    #[error("it needs the piece that the pawn becomes: q, r, b or n")]
    NoPiece,
}

/// A move as it was written, legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UciMove {
    pub from: Square,
    pub to: Square,
    pub promotion: Option<PieceType>,
}

impl Position {
    /// The move in UCI notation. Castling is a two-square king move or, in Chess960 mode and wherever king or
    /// rook are not on their standard squares, the king taking its rook.
    pub fn uci(&self, mv: Move, chess960: bool) -> String {
        let is_at_home = mv.from().file() == 4 && matches!(mv.to().file(), 0 | 7);
        if mv.is_castling() && is_at_home && !chess960 {
            format!("{}{}", mv.from(), castling_targets(mv.from(), mv.to()).0)
        } else {
            mv.to_string()
        }
    }

    /// Parses a legal move.
    pub fn parse_uci(&self, word: &str) -> Result<Move, UciMoveError> {
        self.legal_move(word.parse()?)
    }

    /// The legal move for a written one. Castling is accepted in both spellings.
    pub fn legal_move(&self, written: UciMove) -> Result<Move, UciMoveError> {
        let UciMove { from, to, promotion } = written;
        let moves = self.legal_moves();
        let goes = |mv: &&Move| (mv.from(), mv.to(), mv.promoted()) == (from, to, promotion);
        let by_steps = |mv: &&Move| {
            let (king, _) = castling_targets(mv.from(), mv.to());
            mv.is_castling()
                && (mv.from(), king) == (from, to)
                && promotion.is_none()
                && from.file().abs_diff(to.file()) > 1
        };
        moves.iter().find(goes).or_else(|| moves.iter().find(by_steps)).copied().ok_or_else(|| {
            let promotes = |mv: &Move| mv.promoted().is_some();
            let by_pawn = |mv: &Move| (mv.from(), mv.to()) == (from, to) && promotes(mv);
            let lacks_piece = promotion.is_none() && moves.iter().any(by_pawn);
            if lacks_piece { UciMoveError::NoPiece } else { UciMoveError::Illegal }
        })
    }
}

impl From<Move> for UciMove {
    fn from(mv: Move) -> UciMove {
        UciMove { from: mv.from(), to: mv.to(), promotion: mv.promoted() }
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let letter = self.promotion.map(PieceType::letter);
        write!(f, "{}{}{}", self.from, self.to, letter.map_or(String::new(), String::from))
    }
}

impl FromStr for UciMove {
    type Err = UciMoveError;

    fn from_str(word: &str) -> Result<UciMove, UciMoveError> {
        if word == "0000" {
            return Err(UciMoveError::Null);
        }
        let square = |start| word.get(start..start + 2)?.parse().ok();
        let promotion = word.get(4..).and_then(|letter| match letter.as_bytes() {
            [] => Some(None),
            &[letter] => {
                let kind = PieceType::from_letter(letter.into())?;
                PieceType::PROMOTIONS.contains(&kind).then_some(Some(kind))
            }
            _ => None,
        });
        match (square(0), square(2), promotion) {
            (Some(from), Some(to), Some(promotion)) => Ok(UciMove { from, to, promotion }),
            _ => Err(UciMoveError::Malformed),
        }
    }
}
