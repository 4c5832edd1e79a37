//! Hints, each of which reveals more of a position's best move.

use std::collections::VecDeque;
use std::fmt;

use crate::analysis::{PositionAnalysis, hint};
use engine::board::{Move, PieceType, Position, Square};
use engine::search::Line;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// The motif of the best line: "a fork".
    Motif(String),
    Piece(PieceType, Square),
    /// The move, and its name with its number.
    Move(Move, String),
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Hint::Motif(motif) => write!(f, "Look for {motif}."),
            Hint::Piece(piece, square) => write!(f, "Move the {} on {square}.", piece.name()),
            Hint::Move(_, name) => write!(f, "{name} is good."),
        }
    }
}

/// The hints about a position, in the order in which they are given: the motif, if there is one, the piece,
/// the move.
pub fn hints(position: &Position, best: Move, line: Option<Line>) -> VecDeque<Hint> {
    let analysis = PositionAnalysis::of(line, position.side());
    let motif = analysis.and_then(|analysis| hint(position, &analysis)).map(Hint::Motif);
    let piece = position.piece_at(best.from());
    let piece = piece.map(|piece| Hint::Piece(piece.kind(), best.from()));
    let name = format!("{} {}", position.san_number(), position.san(best));
    motif.into_iter().chain(piece).chain([Hint::Move(best, name)]).collect()
}
