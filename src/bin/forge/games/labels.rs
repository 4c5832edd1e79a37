//! Which positions of games are labels.

use zebu::board::Position;

/// The share of positions whose scores are worth training on: they were searched with more nodes. The
/// position's key chooses, so that a file of games needs no mark for each.
#[derive(Clone, Copy, Debug)]
pub struct Labels(pub f64);

impl Labels {
    pub const ALL: Labels = Labels(1.0);

    pub fn contains(self, position: &Position) -> bool {
        // The low half: other choices by key use the high one.
        f64::from(position.key() as u32) <= self.0 * f64::from(u32::MAX)
    }
}
