//! Which positions of a game are worth learning from.

use zebu::board::Position;

use super::record::Record;
use crate::games::{Game, Ply};

/// Quiet positions are: what a network says of the others is never asked, or soon corrected.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    /// Plies at the beginning of a game to leave out.
    pub skip: usize,
    /// The largest score.
    pub limit: i16,
}

/// A move of a game that is not legal, by the number of its ply.
#[derive(Debug)]
pub struct Illegal(pub usize);

impl Filter {
    fn keeps(&self, number: usize, position: &Position, ply: Ply) -> bool {
        number >= self.skip
            && ply.score.unsigned_abs() <= self.limit.unsigned_abs()
            && !position.is_noisy(ply.mv)
            && !position.in_check()
    }

    /// Gives what is worth learning in a game to `learn`.
    pub fn pass(&self, game: &Game, mut learn: impl FnMut(Record)) -> Result<(), Illegal> {
        let mut position = game.start;
        for (number, &ply) in game.plies.iter().enumerate() {
            if !position.is_legal(ply.mv) {
                return Err(Illegal(number));
            }
            if self.keeps(number, &position, ply) {
                learn(Record::new(&position, ply.score, game.outcome));
            }
            position = position.after(ply.mv);
        }
        Ok(())
    }
}
