//! Noise in the evaluation of a player of limited strength: an error that is the same whenever the
//! position occurs again, nearly normally distributed.

use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;
use serde::{Deserialize, Serialize};

use crate::board::Position;

/// The size of the errors, and the seed that says which positions are misjudged, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noise {
    /// The standard deviation of the errors on a full board, in centipawns.
    pub spread: i32,
    pub seed: u64,
}

/// Uniform numbers whose sum is nearly normally distributed.
const DRAWN: u32 = 4;

/// The standard deviation of their sum: of one number it is 2^16 / √12.
const DEVIATION: i64 = 37_837;

const FULL_BOARD: i64 = 32;

impl Noise {
    /// The error for a position. It shrinks with the number of pieces.
    pub fn error(&self, position: &Position) -> i32 {
        let drawn = SplitMix64::seed_from_u64(position.key() ^ self.seed).next_u64();
        let sum: i64 = (0..DRAWN).map(|i| i64::from((drawn >> (16 * i)) as i16)).sum();
        let pieces = position.occupied().len() as i64;
        (sum * i64::from(self.spread) * pieces / (DEVIATION * FULL_BOARD)) as i32
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn errors_spread_as_they_are_told_to_and_favor_nobody() {
        const COUNT: i32 = 20_000;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let position = Position::start();
        let errors: Vec<i64> = (0..COUNT)
            .map(|_| i64::from(Noise { spread: 100, seed: random.random() }.error(&position)))
            .collect();
        let mean = errors.iter().sum::<i64>() as f64 / f64::from(COUNT);
        let square = errors.iter().map(|error| error * error).sum::<i64>() as f64;
        let deviation = (square / f64::from(COUNT)).sqrt();
        assert!(mean.abs() < 3.0 && (deviation - 100.0).abs() < 3.0, "{mean} ± {deviation}");
    }

    #[test]
    fn an_error_stays_and_shrinks_with_the_board() {
        let bare: Position = "4k3/8/8/8/8/8/8/4K2Q w - - 0 1".parse().expect("a position");
        let largest = (0..1000).map(|seed| Noise { spread: 320, seed }.error(&bare).abs()).max();
        assert!(largest.is_some_and(|largest| (20..110).contains(&largest)), "{largest:?}");
        let noise = Noise { spread: 100, seed: 1 };
        assert_eq!(noise.error(&bare), noise.error(&bare));
    }
}
