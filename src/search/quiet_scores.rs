//! What is added to the history of a quiet move to order it: for leaving or entering danger, and for
//! giving check.

use super::tunables::Tunables;
use crate::board::{Attacks, Checks, Move, PieceType, Position, SquareSet, see_value};

pub struct QuietScores<'a> {
    position: &'a Position,
    tunables: Tunables,
    /// The squares where a lesser piece attacks a piece, and what the piece counts for, by
    /// [`crate::board::Piece::index`]: in tables, for a branch would often be guessed wrong.
    attacked_by_lesser: [SquareSet; 12],
    threat_scores: [i32; 12],
    checks: Checks<'a>,
}

impl<'a> QuietScores<'a> {
    /// `attacks` is what the opponent attacks.
    pub fn new(position: &'a Position, attacks: &Attacks, tunables: Tunables) -> QuietScores<'a> {
        let pawns = attacks.by(PieceType::Pawn);
        let minors = pawns | attacks.by(PieceType::Knight) | attacks.by(PieceType::Bishop);
        let rooks = minors | attacks.by(PieceType::Rook);
        let kinds = || PieceType::ALL.into_iter().chain(PieceType::ALL);
        let mut attacked_by_lesser = [SquareSet::NONE; 12];
        let mut threat_scores = [0; 12];
        for (kind, (attacked, score)) in
            kinds().zip(attacked_by_lesser.iter_mut().zip(&mut threat_scores))
        {
            *attacked = match kind {
                PieceType::Knight | PieceType::Bishop => pawns,
                PieceType::Rook => minors,
                PieceType::Queen => rooks,
                PieceType::Pawn | PieceType::King => SquareSet::NONE,
            };
            *score = tunables.threat_score() * see_value(kind);
        }
        let checks = Checks::of(position);
        QuietScores { position, tunables, attacked_by_lesser, threat_scores, checks }
    }

    /// What is added for a legal quiet move.
    pub fn score(&self, mv: Move) -> i32 {
        let Some(piece) = self.position.piece_at(mv.from()) else { return 0 };
        let danger = self.attacked_by_lesser[piece.index()];
        let escapes = i32::from(danger.contains(mv.from())) - i32::from(danger.contains(mv.to()));
        let mut score = escapes * self.threat_scores[piece.index()];
        if self.checks.has(mv) && self.position.see_ge(mv, self.tunables.check_see()) {
            score += self.tunables.check_score();
        }
        score
    }
}
