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

/// The number of the ply whose move is illegal.
#[derive(Debug)]
pub struct Illegal(pub usize);

impl Filter {
    fn keeps(&self, number: usize, position: &Position, ply: ScoredPly) -> bool {
        number >= self.skip
            && ply.score.unsigned_abs() <= self.limit.unsigned_abs()
            && !position.is_noisy(ply.mv)
            && !position.in_check()
    }

    /// Gives the positions that are kept to `sink`.
    pub fn pass(
        &self,
        game: &GameRecord,
        mut sink: impl FnMut(TrainingPosition),
    ) -> Result<(), Illegal> {
        let mut position = game.start;
        for (number, &ply) in game.plies.iter().enumerate() {
            if !position.is_legal(ply.mv) {
                return Err(Illegal(number));
            }
            if self.keeps(number, &position, ply) {
                sink(TrainingPosition::new(&position, ply.score, game.outcome));
            }
            position = position.after(ply.mv);
        }
        Ok(())
    }
}
