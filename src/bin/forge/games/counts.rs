//! Games by outcome, and their positions.

use std::fmt;

use super::{GameOutcome, GameRecord};

#[derive(Clone, Debug, Default)]
pub struct GameCounts {
    /// By [`GameOutcome`].
    outcomes: [u64; 3],
    pub positions: u64,
}

impl GameCounts {
    pub fn add(&mut self, game: &GameRecord) {
        self.outcomes[game.outcome as usize] += 1;
        self.positions += game.plies.len() as u64;
    }

    pub fn games(&self) -> u64 {
        self.outcomes.iter().sum()
    }

    /// The share of an outcome in percent.
    pub fn percent(&self, outcome: GameOutcome) -> f64 {
        100.0 * self.outcomes[outcome as usize] as f64 / self.games().max(1) as f64
    }
}

impl fmt::Display for GameCounts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "{} games (White {:.0} %, draws {:.0} %, Black {:.0} %), {} positions",
            self.games(),
            self.percent(GameOutcome::WhiteWins),
            self.percent(GameOutcome::Draw),
            self.percent(GameOutcome::BlackWins),
            self.positions,
        )
    }
}
