//! The unit of evaluations, which stays the same from network to network: the search has margins in it.
//!
//! A network is trained to predict points, so that its own scale depends on how decided the games were.
//! Before it is written, its outputs are multiplied so that the mean absolute evaluation of fixed
//! positions is what it was with the twelfth network.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use zebu::board::Position;
use zebu::eval::teacher_score;

use super::quantised::{SCORE_ONE, largest_factor};
use super::training_position::TrainingPosition;
use super::weights::Weights;
use crate::games::GameOutcome;

/// What the twelfth network says on average.
pub const MEAN_EVALUATION: f64 = 256.1;

const BENCHMARK: &str = include_str!("../../../bench.fens");

/// Random playouts from each position of the benchmark, and their plies.
const PLAYOUTS: usize = 64;
const MOST_PLIES: usize = 6;

/// The largest evaluation by the teacher: decided positions would count for most.
const MOST_UNEVEN: i32 = 300;

/// The fixed positions.
pub fn positions() -> Vec<TrainingPosition> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(12);
    let mut positions = Vec::new();
    for start in BENCHMARK.lines().filter_map(|fen| fen.parse::<Position>().ok()) {
        for _ in 0..PLAYOUTS {
            let mut position = start;
            for _ in 0..random.random_range(0..=MOST_PLIES) {
                let Some(&mv) = position.legal_moves().choose(&mut random) else { break };
                position = position.after(mv);
            }
            if position.ending().is_none()
                && !position.in_check()
                && teacher_score(&position).abs() <= MOST_UNEVEN
            {
                positions.push(TrainingPosition::new(&position, 0, GameOutcome::Draw));
            }
        }
    }
    positions
}

/// The mean absolute evaluation by these outputs, in centipawns.
pub fn mean_evaluation(outputs: &[f32]) -> f64 {
    let sum: f64 = outputs.iter().map(|&output| f64::from(output * SCORE_ONE).abs()).sum();
    sum / outputs.len() as f64
}

/// The factor by which the outputs of a network come to the unit, and whether it fits the network's
/// integers; if not, it is the largest that does.
pub fn factor(weights: &Weights, mean: f64) -> (f32, bool) {
    let (wanted, largest) = ((MEAN_EVALUATION / mean) as f32, largest_factor(weights));
    if wanted <= largest { (wanted, true) } else { (largest, false) }
}

#[cfg(test)]
mod tests {
    use zebu::eval::file::NetFile;

    use super::*;
    use crate::train::microbatch::{Buckets, Microbatch};
    use crate::train::quantised::{outputs, quantise};
    use crate::train::weights::Shape;

    #[test]
    fn the_network_in_the_repository_has_the_unit() {
        let file = NetFile::parse(include_bytes!("../../../eval/zebu.net")).unwrap();
        let buckets = Buckets { king: file.king_buckets, outputs: file.output_buckets };
        let mut batch = Microbatch::default();
        batch.fill(&positions(), &buckets, 0.0);
        let mean = mean_evaluation(&outputs(&file, &batch));
        assert!((mean / MEAN_EVALUATION - 1.0).abs() < 0.02, "{mean}");
    }

    #[test]
    fn factors_fit_the_integers() {
        let shape = Shape { hidden: 256, king_buckets: 1, output_buckets: 2, sums: 1 };
        let mut weights = Weights::random(shape, 1);
        for size in [0.01, 1.0, 1.9] {
            weights.parts_mut()[3].fill(size);
            let largest = largest_factor(&weights);
            let file = quantise(&weights, &[0; 32], largest);
            assert!(NetFile::parse(&file.to_bytes()).is_ok());
            assert!(!factor(&weights, MEAN_EVALUATION / f64::from(2.0 * largest)).1);
            assert!(factor(&weights, MEAN_EVALUATION / f64::from(0.5 * largest)).1);
        }
    }
}
