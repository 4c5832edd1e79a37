//! Which positions of a game are trained on.

use zebu::board::Position;

use super::blended_scores::blended_scores;
use super::training_position::TrainingPosition;
use crate::games::{GameRecord, Labels, ScoredPly};

/// Quiet ones: quiescence search resolves the others.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    /// Plies to leave out at the start of a game.
    pub skip: usize,
    /// The largest score, to either side.
    pub limit: i16,
    /// See [`blended_scores`].
    pub lambda: f32,
    pub labels: Labels,
}

impl Filter {
    pub fn positions(self, game: &GameRecord) -> impl Iterator<Item = TrainingPosition> + '_ {
        let scores = blended_scores(&game.plies, self.lambda);
        let kept = game
            .positions()
            .zip(scores)
            .skip(self.skip)
            .filter(move |((position, ply), _)| self.keeps(position, *ply));
        kept.map(move |((position, _), score)| {
            TrainingPosition::new(&position, score.clamp(-self.limit, self.limit), game.outcome)
        })
    }

    fn keeps(self, position: &Position, ply: ScoredPly) -> bool {
        ply.score.unsigned_abs() <= self.limit.unsigned_abs()
            && !position.is_noisy(ply.mv)
            && !position.in_check()
            && self.labels.contains(position)
    }
}
