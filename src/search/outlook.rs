//! What a quiet move promises at first sight, whatever became of it elsewhere: that a piece leaves
//! or enters danger, or that it gives check.

use super::tuning::{CHECK_EXCHANGE, CHECK_RANK, DANGER_RANK};
use crate::board::lines::{Attacks, Native, exchange_value};
use crate::board::{Checks, Kind, Move, Position, Squares};

pub struct Outlook<'a> {
    position: &'a Position,
    /// The squares where lesser pieces can take a piece, by its kind.
    dangers: [Squares; 6],
    checks: Checks<'a>,
}

impl<'a> Outlook<'a> {
    /// `attacks` is what the opponent attacks.
    pub fn of(position: &'a Position, attacks: &Attacks) -> Outlook<'a> {
        let pawns = attacks.by(Kind::Pawn);
        let minors = pawns | attacks.by(Kind::Knight) | attacks.by(Kind::Bishop);
        let rooks = minors | attacks.by(Kind::Rook);
        let dangers = Kind::ALL.map(|kind| match kind {
            Kind::Knight | Kind::Bishop => pawns,
            Kind::Rook => minors,
            Kind::Queen => rooks,
            Kind::Pawn | Kind::King => Squares::NONE,
        });
        Outlook { position, dangers, checks: Checks::of::<Native>(position) }
    }

    /// What is added to the history of a legal quiet move.
    pub fn rank(&self, mv: Move) -> i32 {
        let Some(piece) = self.position.piece_at(mv.from()) else { return 0 };
        let dangers = self.dangers[piece.kind().index()];
        let gain = i32::from(dangers.contains(mv.from())) - i32::from(dangers.contains(mv.to()));
        let checks =
            self.checks.has::<Native>(mv) && self.position.exchange_reaches(mv, CHECK_EXCHANGE);
        gain * DANGER_RANK * exchange_value(piece.kind()) + i32::from(checks) * CHECK_RANK
    }
}
