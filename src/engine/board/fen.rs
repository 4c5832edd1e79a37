//! FEN, the text form of positions. All its dialects are read, two are written.
//!
//! Reading takes six fields, or at least three if the en-passant square or the counters are missing,
//! separated by any white space. Castling rights may be `KQkq` or the files of X-FEN and Shredder-FEN. An
//! en-passant square is kept only if a pawn just passed it and a capture there is legal, castling rights only
//! if king and rook are in place. Move number 0 is read as 1.
//!
//! [`Position::fen`] writes `KQkq`, and a file only where that letter would name another rook;
//! [`Position::shredder_fen`] always writes files.

use std::fmt;
use std::str::FromStr;

use super::{CastlingSide, Color, Piece, PieceType, Position, Setup, SetupError, Square};
use crate::system::text::shortened;

/// The starting position of chess.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Higher counters are refused.
const MOST_MOVES: u16 = 9999;

/// An error in a FEN, with its field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("FEN field {field} ({}): {problem}", FIELDS[.field - 1])]
pub struct FenError {
    /// Counted from 1.
    pub field: usize,
    pub problem: FenProblem,
}

const FIELDS: [&str; 7] = [
    "pieces",
    "side to move",
    "castling",
    "en passant",
    "half moves",
    "move number",
    "after the last",
];

/// An error in a single field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenProblem {
    #[error("it is missing")]
    Missing,
    #[error("there is no such field, but '{0}' stands there")]
    Surplus(String),
    #[error("it needs 8 ranks, not {0}")]
    Ranks(usize),
    #[error("rank {rank} needs 8 files, not {files}")]
    Files { rank: usize, files: usize },
    #[error("{letter:?} in rank {rank} is neither a piece nor a number of empty squares")]
    Letter { rank: usize, letter: char },
    #[error("'{0}' is neither 'w' nor 'b'")]
    Side(String),
    #[error("{0:?} is neither K, Q, k, q nor a file")]
    CastlingLetter(char),
    #[error("{0:?} names a right that was named before")]
    CastlingTwice(char),
    #[error("'{0}' is neither a square nor '-'")]
    Square(String),
    #[error("'{0}' is not a number from 0 to {MOST_MOVES}")]
    Number(String),
    #[error(transparent)]
    Setup(SetupError),
}

impl From<SetupError> for FenError {
    fn from(error: SetupError) -> FenError {
        FenError { field: error.fen_field(), problem: FenProblem::Setup(error) }
    }
}

/// A FEN that has been read.
#[derive(Clone, Debug)]
pub struct Fen {
    pub position: Position,
    /// The parts that were dropped because they contradict the position.
    pub left_out: Vec<LeftOut>,
}

/// A part of a FEN that can be dropped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeftOut {
    #[error("castling rights {0} are left out: king or rook is elsewhere")]
    Rights(String),
    #[error("en passant {0} is left out: no pawn just passed it")]
    EnPassant(Square),
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Position, FenError> {
        Ok(text.parse::<Fen>()?.position)
    }
}

impl FromStr for Fen {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Fen, FenError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let field = |number: usize| {
            let missing = FenError { field: number, problem: FenProblem::Missing };
            fields.get(number - 1).copied().ok_or(missing)
        };
        let within = |field: usize| move |problem: FenProblem| FenError { field, problem };

        let mut setup = Setup::empty();
        read_pieces(&mut setup, field(1)?).map_err(within(1))?;
        setup.set_side(read_side(field(2)?).map_err(within(2))?);
        let mut left_out = Vec::new();
        let rights = read_castling(&mut setup, field(3)?)?;
        if !rights.is_empty() {
            left_out.push(LeftOut::Rights(rights));
        }
        match field(4) {
            Ok("-") | Err(_) => {}
            Ok(name) => {
                let unknown = |_| within(4)(FenProblem::Square(shortened(name)));
                setup.set_en_passant(name.parse().map_err(unknown)?);
            }
        }
        let counter = |number: usize, default: u16| match fields.get(number - 1) {
            None => Ok(default),
            Some(text) => read_number(text).map_err(within(number)),
        };
        setup.set_counters(counter(5, 0)?, counter(6, 1)?.max(1));
        if let Some(surplus) = fields.get(6) {
            return Err(within(7)(FenProblem::Surplus(shortened(surplus))));
        }
        let position = match setup.finish() {
            Err(SetupError::EnPassant(target)) => {
                setup.clear_en_passant();
                left_out.push(LeftOut::EnPassant(target));
                setup.finish()?
            }
            finished => finished?,
        };
        Ok(Fen { position, left_out })
    }
}

fn read_pieces(setup: &mut Setup, field: &str) -> Result<(), FenProblem> {
    let ranks = field.split('/').count();
    if ranks != 8 {
        return Err(FenProblem::Ranks(ranks));
    }
    for (row, text) in (0..8u8).rev().zip(field.split('/')) {
        let rank = row as usize + 1;
        let mut files = 0;
        for letter in text.chars() {
            match letter.to_digit(10) {
                Some(empty @ 1..=8) => files += empty as usize,
                _ => {
                    let piece =
                        Piece::from_letter(letter).ok_or(FenProblem::Letter { rank, letter })?;
                    if let Some(square) = u8::try_from(files).ok().and_then(|f| Square::new(f, row))
                    {
                        setup.put(piece, square);
                    }
                    files += 1;
                }
            }
        }
        if files != 8 {
            return Err(FenProblem::Files { rank, files });
        }
    }
    Ok(())
}

fn read_side(field: &str) -> Result<Color, FenProblem> {
    match field {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenProblem::Side(shortened(field))),
    }
}

/// Returns the impossible castling rights, each once.
fn read_castling(setup: &mut Setup, field: &str) -> Result<String, FenError> {
    let mut lost = String::new();
    if field == "-" {
        return Ok(lost);
    }
    for letter in field.chars() {
        let wrong =
            |problem: fn(char) -> FenProblem| FenError { field: 3, problem: problem(letter) };
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let king = setup.king(color)?;
        let rook = match letter.to_ascii_lowercase() {
            'k' => outermost_rook(setup, color, king, CastlingSide::King),
            'q' => outermost_rook(setup, color, king, CastlingSide::Queen),
            file @ 'a'..='h' => Square::new(file as u8 - b'a', color.home_rank()),
            _ => return Err(wrong(FenProblem::CastlingLetter)),
        };
        let has_rook = |&square: &Square| setup.piece_at(square) == Some(PieceType::Rook.of(color));
        let is_home = king.rank() == color.home_rank();
        let Some(rook) = rook.filter(has_rook).filter(|_| is_home) else {
            if !lost.contains(letter) {
                lost.push(letter);
            }
            continue;
        };
        let side = CastlingSide::of(king, rook);
        if setup.castling_rook(color, side).is_some() {
            return Err(wrong(FenProblem::CastlingTwice));
        }
        setup.set_castling_rook(color, side, rook);
    }
    Ok(lost)
}

/// A side's rook on its home rank that is nearest to the edge of the board, on the given side of the king.
fn outermost_rook(setup: &Setup, color: Color, king: Square, side: CastlingSide) -> Option<Square> {
    let mut files: [u8; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
    if side == CastlingSide::King {
        files.reverse();
    }
    files
        .into_iter()
        .filter_map(|file| Square::new(file, color.home_rank()))
        .filter(|&square| CastlingSide::of(king, square) == side)
        .find(|&square| setup.piece_at(square) == Some(PieceType::Rook.of(color)))
}

fn read_number(field: &str) -> Result<u16, FenProblem> {
    let digits = field.bytes().all(|byte| byte.is_ascii_digit());
    let number = field.parse().ok().filter(|&number| digits && number <= MOST_MOVES);
    number.ok_or_else(|| FenProblem::Number(shortened(field)))
}

impl Position {
    /// The starting position of chess.
    pub fn start() -> Position {
        START.parse().expect("the starting position is legal")
    }

    /// The FEN that most programs read, Chess960 included.
    pub fn fen(&self) -> String {
        self.write_fen(|color, side, rook| {
            let farther = (0..8)
                .filter_map(|file| Square::new(file, rook.rank()))
                .filter(|&square| CastlingSide::of(rook, square) == side && square != rook)
                .any(|square| self.piece_at(square) == Some(PieceType::Rook.of(color)));
            match side {
                _ if farther => rook.file_letter(),
                CastlingSide::King => 'k',
                CastlingSide::Queen => 'q',
            }
        })
    }

    /// The FEN with the files of the castling rooks, as Shredder writes it.
    pub fn shredder_fen(&self) -> String {
        self.write_fen(|_, _, rook| rook.file_letter())
    }

    fn write_fen(&self, right: impl Fn(Color, CastlingSide, Square) -> char) -> String {
        let mut fen = String::with_capacity(90);
        for rank in (0..8).rev() {
            let mut empty = 0;
            for square in (0..8).filter_map(|file| Square::new(file, rank)) {
                match self.piece_at(square) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            fen.push_str(&empty.to_string());
                            empty = 0;
                        }
                        fen.push(piece.letter());
                    }
                }
            }
            if empty > 0 {
                fen.push_str(&empty.to_string());
            }
            if rank > 0 {
                fen.push('/');
            }
        }
        fen.push_str(if self.side() == Color::White { " w " } else { " b " });
        let before = fen.len();
        for color in Color::BOTH {
            for side in CastlingSide::BOTH {
                if let Some(rook) = self.castling_rook(color, side) {
                    let letter = right(color, side, rook);
                    fen.push(if color == Color::White {
                        letter.to_ascii_uppercase()
                    } else {
                        letter
                    });
                }
            }
        }
        if fen.len() == before {
            fen.push('-');
        }
        let target = self.en_passant().map_or("-".to_string(), |square| square.to_string());
        fen.push_str(&format!(" {target} {} {}", self.halfmoves(), self.move_number()));
        fen
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.shredder_fen())
    }
}
