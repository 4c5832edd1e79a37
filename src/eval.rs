//! The evaluation: an NNUE (efficiently updatable neural network), trained on games of Zebu against
//! itself.

mod accumulator;
mod breakdown;
pub mod features;
pub mod file;
mod network;
mod noise;
mod piece_square_teacher;
mod second_layer;
mod shape;
mod simd;

use std::sync::Arc;

pub use accumulator::AccumulatorStack;
pub use breakdown::Breakdown;
pub use network::{LARGEST_SCORE, Network, NetworkError};
pub use noise::Noise;
pub use piece_square_teacher::teacher_score;
pub use second_layer::activate;
pub use shape::{HIDDEN, KING_BUCKETS, OUTPUT_BUCKETS, SUMS};

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
