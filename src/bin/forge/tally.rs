//! How many games there are and how they ended.

use std::fmt;

use crate::games::{Game, Outcome};

#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// By [`Outcome`].
    pub outcomes: [u64; 3],
    pub positions: u64,
}

impl Tally {
    pub fn count(&mut self, game: &Game) {
        self.outcomes[game.outcome as usize] += 1;
        self.positions += game.plies.len() as u64;
    }

    pub fn games(&self) -> u64 {
        self.outcomes.iter().sum()
    }

    /// The share of games with an outcome, in percent.
    pub fn percent(&self, outcome: Outcome) -> f64 {
        100.0 * self.outcomes[outcome as usize] as f64 / self.games().max(1) as f64
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "{} games (White {:.0} %, draws {:.0} %, Black {:.0} %), {} positions",
            self.games(),
            self.percent(Outcome::WhiteWins),
            self.percent(Outcome::Draw),
            self.percent(Outcome::BlackWins),
            self.positions,
        )
    }
}
