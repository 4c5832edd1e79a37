//! What a position is worth: a network, trained on games of Zebu against itself.

mod accumulator;
mod breakdown;
pub mod features;
pub mod file;
mod network;
mod noise;
mod piece_square_teacher;
mod simd;

use std::sync::Arc;

pub use accumulator::AccumulatorStack;
pub use breakdown::Breakdown;
pub use network::{HIDDEN, KING_BUCKETS, Network, NetworkError, OUTPUT_BUCKETS};
pub use noise::Noise;
pub use piece_square_teacher::evaluate as teach;

/// Scores that the evaluation gives lie between this and its negative.
pub const LARGEST_SCORE: i32 = 20_000;

/// The source of evaluations. The engine plays with a network; the workshop begins without one.
#[derive(Clone)]
pub enum Evaluator {
    Network(Arc<Network>),
    /// A weaker player's: the network's with an error.
    Noisy(Arc<Network>, Noise),
    Teacher,
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::Network(Network::embedded())
    }
}
