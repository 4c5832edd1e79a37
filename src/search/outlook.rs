//! What a quiet move promises at first sight, whatever became of it elsewhere: that a piece leaves
//! or enters danger, or that it gives check.

use super::tuning::{CHECK_RANK, DANGER_RANK, SAFE_CHECK};
use crate::board::attacks::{Attacks, Native, see_value};
use crate::board::{Checks, Move, PieceType, Position, SquareSet};

pub struct Outlook<'a> {
    position: &'a Position,
    /// The squares where lesser pieces can take a piece, by its kind.
    dangers: [SquareSet; 6],
    checks: Checks<'a>,
}

impl<'a> Outlook<'a> {
    /// `attacks` is what the opponent attacks.
    pub fn of(position: &'a Position, attacks: &Attacks) -> Outlook<'a> {
        let pawns = attacks.by(PieceType::Pawn);
        let minors = pawns | attacks.by(PieceType::Knight) | attacks.by(PieceType::Bishop);
        let rooks = minors | attacks.by(PieceType::Rook);
        let dangers = PieceType::ALL.map(|kind| match kind {
            PieceType::Knight | PieceType::Bishop => pawns,
            PieceType::Rook => minors,
            PieceType::Queen => rooks,
            PieceType::Pawn | PieceType::King => SquareSet::NONE,
        });
        Outlook { position, dangers, checks: Checks::of::<Native>(position) }
    }

    /// What is added to the history of a legal quiet move.
    pub fn rank(&self, mv: Move) -> i32 {
        let Some(piece) = self.position.piece_at(mv.from()) else { return 0 };
        let dangers = self.dangers[piece.kind().index()];
        let gain = i32::from(dangers.contains(mv.from())) - i32::from(dangers.contains(mv.to()));
        let checks = self.checks.has::<Native>(mv) && self.position.see_ge(mv, SAFE_CHECK);
        gain * DANGER_RANK * see_value(piece.kind()) + i32::from(checks) * CHECK_RANK
    }
}
