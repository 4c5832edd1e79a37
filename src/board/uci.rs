//! Moves as UCI writes them.

use super::position::castled;
use super::{Move, PieceType, Position, Square};

/// Why a word is not a move here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UciMoveError {
    #[error("it is not written like a move")]
    Malformed,
    #[error("it is the null move")]
    Null,
    #[error("it is not legal here")]
    Illegal,
}

impl Position {
    /// The move as UCI writes it: castling as the king's two steps or, in Chess960 mode, as the
    /// king taking its rook.
    pub fn uci(&self, mv: Move, chess960: bool) -> String {
        if mv.is_castling() && !chess960 {
            format!("{}{}", mv.from(), castled(mv.from(), mv.to()).0)
        } else {
            mv.to_string()
        }
    }

    /// The legal move that a word of UCI means. Castling is understood in both spellings.
    pub fn parse_uci(&self, word: &str) -> Result<Move, UciMoveError> {
        if word == "0000" {
            return Err(UciMoveError::Null);
        }
        let (from, to, promotes) = split(word).ok_or(UciMoveError::Malformed)?;
        let moves = self.legal_moves();
        let goes = |mv: &&Move| (mv.from(), mv.to(), mv.promoted()) == (from, to, promotes);
        let by_steps = |mv: &&Move| {
            let (king, _) = castled(mv.from(), mv.to());
            mv.is_castling()
                && (mv.from(), king) == (from, to)
                && promotes.is_none()
                && from.file().abs_diff(to.file()) > 1
        };
        moves
            .iter()
            .find(goes)
            .or_else(|| moves.iter().find(by_steps))
            .copied()
            .ok_or(UciMoveError::Illegal)
    }
}

/// Origin, destination and promotion of a word like `e2e4` or `e7e8q`.
fn split(word: &str) -> Option<(Square, Square, Option<PieceType>)> {
    let from = word.get(0..2)?.parse().ok()?;
    let to = word.get(2..4)?.parse().ok()?;
    let promotes = match word.get(4..)? {
        "" => None,
        letter => {
            let mut letters = letter.chars();
            let kind = PieceType::from_letter(letters.next()?)?;
            let promotes = PieceType::PROMOTIONS.contains(&kind) && letters.next().is_none();
            promotes.then_some(Some(kind))?
        }
    };
    Some((from, to, promotes))
}
