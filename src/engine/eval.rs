//! The evaluation: an efficiently updatable neural network (NNUE), trained on games that Zebu played against
//! itself.

mod accumulator;
mod breakdown;
pub mod features;
pub mod file;
mod network;
mod piece_square_teacher;
mod second_layer;
mod shape;
mod simd;
mod taste;

use std::sync::Arc;

pub use accumulator::AccumulatorStack;
pub use breakdown::Breakdown;
pub use network::{EMBEDDED_FILE, LARGEST_SCORE, Network, NetworkError};
pub use piece_square_teacher::teacher_score;
pub use second_layer::activate;
pub use shape::{HIDDEN, KING_BUCKETS, OUTPUT_BUCKETS, SUMS};
pub use taste::{Taste, deviation, is_middlegame};

/// The source of evaluations. The engine plays with a network; training from scratch begins with the teacher.
#[derive(Clone)]
pub enum Evaluator {
    Network(Arc<Network>),
    /// For limited strength: a network's evaluation, changed by the player's taste.
    Tasted(Arc<Network>, Taste),
    Teacher,
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::Network(Network::embedded())
    }
}
