//! What a position is worth: a network, trained on games of Zebu against itself.

mod accumulators;
mod breakdown;
pub mod features;
pub mod file;
mod network;
mod noise;
mod simd;
mod teacher;

use std::sync::Arc;

pub use accumulators::Accumulators;
pub use breakdown::Breakdown;
pub use network::{BUCKETS, HIDDEN, Network, NetworkError};
pub use noise::Noise;
pub use teacher::evaluate as teach;

/// Scores that the evaluation gives lie between this and its negative.
pub const LARGEST_SCORE: i32 = 20_000;

/// Who judges positions. The engine plays with a network; the workshop begins without one.
#[derive(Clone)]
pub enum Evaluator {
    Network(Arc<Network>),
    /// A weaker player, who errs about what the network says.
    Noisy(Arc<Network>, Noise),
    Teacher,
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::Network(Network::embedded())
    }
}
