//! Which positions of a game are trained on.

use zebu::board::Position;

use super::training_position::TrainingPosition;
use crate::games::{GameRecord, ScoredPly};

/// Quiet ones: quiescence search resolves the others.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    /// Plies to leave out at the start of a game.
    pub skip: usize,
    /// The largest score, to either side.
    pub limit: i16,
}

impl Filter {
    pub fn positions(self, game: &GameRecord) -> impl Iterator<Item = TrainingPosition> + '_ {
        let kept = game
            .positions()
            .skip(self.skip)
            .filter(move |&(ref position, ply)| self.keeps(position, ply));
        kept.map(|(position, ply)| TrainingPosition::new(&position, ply.score, game.outcome))
    }

    fn keeps(self, position: &Position, ply: ScoredPly) -> bool {
        ply.score.unsigned_abs() <= self.limit.unsigned_abs()
            && !position.is_noisy(ply.mv)
            && !position.in_check()
    }
}
