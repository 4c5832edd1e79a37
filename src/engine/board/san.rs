//! Standard algebraic notation, as on score sheets.

use super::{CastlingSide, Color, Move, PieceType, Position, Square};

/// Why a word is not a move in this position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SanError {
    #[error("it is not written like a move")]
    Malformed,
    #[error("no such move is legal here")]
    Illegal,
    #[error("it needs the piece that the pawn becomes: =Q, =R, =B or =N")]
    NoPiece,
    #[error("more than one legal move is written so")]
    Ambiguous,
}

impl Position {
    /// A legal move, with the origin disambiguated only as far as needed, and with `+` or `#`.
    pub fn san(&self, mv: Move) -> String {
        let mut text = self.san_without_check(mv);
        let next = self.after(mv);
        if next.in_check() {
            text.push(if next.legal_moves().is_empty() { '#' } else { '+' });
        }
        text
    }

    /// `12.` or `12...`, the number before the next move.
    pub fn san_number(&self) -> String {
        let dots = if self.side() == Color::White { "." } else { "..." };
        format!("{}{dots}", self.move_number())
    }

    /// A line of legal moves, with numbers before the first move and before White's moves.
    pub fn san_line(&self, moves: &[Move]) -> Vec<String> {
        let mut position = *self;
        let mut line = Vec::new();
        for &mv in moves {
            let san = position.san(mv);
            let numbered = line.is_empty() || position.side() == Color::White;
            line.push(if numbered { format!("{} {san}", position.san_number()) } else { san });
            position = position.after(mv);
        }
        line
    }

    fn san_without_check(&self, mv: Move) -> String {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castling() {
            return match CastlingSide::of(from, to) {
                CastlingSide::King => "O-O".to_string(),
                CastlingSide::Queen => "O-O-O".to_string(),
            };
        }
        let Some(mover) = self.piece_at(from) else { return mv.to_string() };
        let mut text = String::new();
        if mover.is(PieceType::Pawn) {
            if self.captured(mv).is_some() {
                text.push(from.file_letter());
            }
        } else {
            text.push(mover.kind().letter().to_ascii_uppercase());
            text.push_str(&self.origin_needed(mv));
        }
        if self.captured(mv).is_some() {
            text.push('x');
        }
        text.push_str(&to.to_string());
        if let Some(kind) = mv.promoted() {
            text.push('=');
            text.push(kind.letter().to_ascii_uppercase());
        }
        text
    }

    /// The disambiguation of a move's origin: nothing, the file, the rank, or both, whichever suffices first.
    fn origin_needed(&self, mv: Move) -> String {
        let (from, to) = (mv.from(), mv.to());
        let rivals: Vec<Square> = self
            .legal_moves()
            .iter()
            .filter(|other| other.to() == to && other.from() != from && !other.is_castling())
            .map(|other| other.from())
            .filter(|&square| self.piece_at(square) == self.piece_at(from))
            .collect();
        if rivals.is_empty() {
            String::new()
        } else if rivals.iter().all(|rival| rival.file() != from.file()) {
            from.file_letter().to_string()
        } else if rivals.iter().all(|rival| rival.rank() != from.rank()) {
            from.rank_digit().to_string()
        } else {
            from.to_string()
        }
    }

    /// Parses a move. Zeros for castling, a missing `=`, missing or superfluous check and capture signs, and
    /// annotations like `!?` are accepted.
    pub fn parse_san(&self, word: &str) -> Result<Move, SanError> {
        let word = word.trim_end_matches(['+', '#', '!', '?']);
        let word = word.strip_suffix("e.p.").unwrap_or(word);
        let moves = self.legal_moves();
        let side = match word {
            "O-O" | "0-0" | "o-o" => Some(CastlingSide::King),
            "O-O-O" | "0-0-0" | "o-o-o" => Some(CastlingSide::Queen),
            _ => None,
        };
        if let Some(side) = side {
            let castles =
                |mv: &&Move| mv.is_castling() && CastlingSide::of(mv.from(), mv.to()) == side;
            return moves.iter().find(castles).copied().ok_or(SanError::Illegal);
        }
        let mut san = SanMove::read(word).ok_or(SanError::Malformed)?;
        let mut fitting = moves.iter().filter(|mv| san.fits(self, **mv));
        match (fitting.next(), fitting.next()) {
            (Some(&mv), None) => Ok(mv),
            (None, _) if san.promotes.is_none() => {
                san.promotes = Some(PieceType::Queen);
                let lacks_piece = moves.iter().any(|mv| san.fits(self, *mv));
                Err(if lacks_piece { SanError::NoPiece } else { SanError::Illegal })
            }
            (None, _) => Err(SanError::Illegal),
            (Some(_), Some(_)) => Err(SanError::Ambiguous),
        }
    }
}

/// The parts of a SAN move.
struct SanMove {
    kind: PieceType,
    file: Option<u8>,
    rank: Option<u8>,
    to: Square,
    promotes: Option<PieceType>,
}

impl SanMove {
    fn read(word: &str) -> Option<SanMove> {
        let (kind, rest) = match word.chars().next()? {
            letter @ ('K' | 'Q' | 'R' | 'B' | 'N' | 'P') => {
                (PieceType::from_letter(letter)?, word.get(1..)?)
            }
            _ => (PieceType::Pawn, word),
        };
        let (rest, promotes) = split_promotion(rest)?;
        let (origin, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let origin = origin.strip_suffix(['x', ':', '-']).unwrap_or(origin);
        let mut letters = origin.chars().peekable();
        let file = letters.next_if(|letter| ('a'..='h').contains(letter));
        let rank = letters.next_if(|letter| ('1'..='8').contains(letter));
        letters.next().is_none().then_some(SanMove {
            kind,
            file: file.map(|letter| letter as u8 - b'a'),
            rank: rank.map(|digit| digit as u8 - b'1'),
            to: to.parse().ok()?,
            promotes,
        })
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        mv.to() == self.to
            && !mv.is_castling()
            && mv.promoted() == self.promotes
            && self.file.is_none_or(|file| file == mv.from().file())
            && self.rank.is_none_or(|rank| rank == mv.from().rank())
            && position.piece_at(mv.from()).is_some_and(|piece| piece.is(self.kind))
    }
}

/// Splits `=Q`, `Q`, `(Q)` or the like off the end of a move.
fn split_promotion(word: &str) -> Option<(&str, Option<PieceType>)> {
    let bare = word.strip_suffix(')').unwrap_or(word);
    let last = bare.chars().next_back()?;
    let Some(kind) = PieceType::from_letter(last) else {
        return Some((word, None));
    };
    let rest = &bare[..bare.len() - last.len_utf8()];
    let rest = rest.strip_suffix(['=', '(']).unwrap_or(rest);
    PieceType::PROMOTIONS.contains(&kind).then_some((rest, Some(kind)))
}
