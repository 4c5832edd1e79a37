//! What is added to the history of a quiet move to order it: for leaving or entering danger, and for
//! giving check.

use super::tunables::Tunables;
use crate::board::{Attacks, Checks, Move, PieceType, Position, SquareSet, see_value};

pub struct QuietScores<'a> {
    position: &'a Position,
    tunables: Tunables,
    /// The squares where a lesser piece attacks a piece, by its type.
    attacked_by_lesser: [SquareSet; 6],
    checks: Checks<'a>,
}

impl<'a> QuietScores<'a> {
    /// `attacks` is what the opponent attacks.
    pub fn new(position: &'a Position, attacks: &Attacks, tunables: Tunables) -> QuietScores<'a> {
        let pawns = attacks.by(PieceType::Pawn);
        let minors = pawns | attacks.by(PieceType::Knight) | attacks.by(PieceType::Bishop);
        let rooks = minors | attacks.by(PieceType::Rook);
        let attacked_by_lesser = PieceType::ALL.map(|piece| match piece {
            PieceType::Knight | PieceType::Bishop => pawns,
            PieceType::Rook => minors,
            PieceType::Queen => rooks,
            PieceType::Pawn | PieceType::King => SquareSet::NONE,
        });
        let checks = Checks::of(position);
        QuietScores { position, tunables, attacked_by_lesser, checks }
    }

    /// What is added for a legal quiet move.
    pub fn score(&self, mv: Move) -> i32 {
        let Some(piece) = self.position.piece_at(mv.from()) else { return 0 };
        let danger = self.attacked_by_lesser[piece.kind().index()];
        let escapes = i32::from(danger.contains(mv.from())) - i32::from(danger.contains(mv.to()));
        let mut score = escapes * self.tunables.threat_score() * see_value(piece.kind());
        if self.checks.has(mv) && self.position.see_ge(mv, self.tunables.check_see()) {
            score += self.tunables.check_score();
        }
        score
    }
}
