//! The network: the pieces as each side sees them, a layer of neurons for each view, and a few
//! outputs, of which the number of pieces chooses one.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::LARGEST_SCORE;
use super::features::{Perspective, bucket};
use super::file::{NetFile, NetFileError, ONE};
use super::simd;
use crate::board::{Color, Piece, Position, Square};

// The sizes of the network that is built in.
include!(concat!(env!("OUT_DIR"), "/net_shape.rs"));

static EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/zebu.net"));

/// The output that counts as 1, by its logistic curve 73 % of the points, in centipawns.
const SCALE: i64 = 400;

/// An output's weight that counts as 1.
const OUTPUT_ONE: i64 = 64;

/// A number for each neuron of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Neurons(pub [i16; HIDDEN]);

/// Why a file is no network for this engine.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    #[error(transparent)]
    Unreadable(#[from] std::io::Error),
    #[error(transparent)]
    Wrong(#[from] NetFileError),
    #[error(
        "it has {0} neurons and {1} outputs, and this engine is built for {HIDDEN} and {BUCKETS}"
    )]
    Shape(usize, usize),
}

pub struct Network {
    /// For each input.
    pub(super) weights: Vec<Neurons>,
    biases: Neurons,
    /// For each bucket, for the side to move's neurons and the other's.
    output_weights: Vec<[Neurons; 2]>,
    output_biases: Vec<i32>,
}

impl Network {
    /// The network that is part of the program.
    pub fn embedded() -> Arc<Network> {
        static NETWORK: OnceLock<Arc<Network>> = OnceLock::new();
        let network = NETWORK.get_or_init(|| {
            let file = NetFile::parse(EMBEDDED).expect("the build has checked it");
            Arc::new(Network::new(&file).expect("the build has taken its sizes from it"))
        });
        Arc::clone(network)
    }

    /// The network of a file, or without one that of the program.
    pub fn load(path: Option<&Path>) -> Result<Arc<Network>, NetworkError> {
        let Some(path) = path else { return Ok(Network::embedded()) };
        Ok(Arc::new(Network::new(&NetFile::parse(&std::fs::read(path)?)?)?))
    }

    pub fn new(file: &NetFile) -> Result<Network, NetworkError> {
        if (file.hidden, file.buckets) != (HIDDEN, BUCKETS) {
            return Err(NetworkError::Shape(file.hidden, file.buckets));
        }
        let rows = |numbers: &[i16]| -> Vec<Neurons> {
            numbers.as_chunks().0.iter().map(|&numbers| Neurons(numbers)).collect()
        };
        let output_weights = rows(&file.output_weights);
        Ok(Network {
            weights: rows(&file.feature_weights),
            biases: rows(&file.feature_biases)[0],
            output_weights: output_weights.as_chunks().0.to_vec(),
            output_biases: file.output_biases.clone(),
        })
    }

    /// The neurons of a view of some pieces, computed from nothing.
    pub fn neurons(
        &self,
        pieces: impl Iterator<Item = (Square, Piece)>,
        view: Perspective,
    ) -> Neurons {
        pieces.fold(self.biases, |neurons, (square, piece)| {
            simd::updated(&neurons, &self.weights, &[], &[view.input(piece, square)])
        })
    }

    /// The worth of a position for the side to move, computed from nothing.
    pub fn evaluate(&self, position: &Position) -> i32 {
        let neurons = Color::BOTH
            .map(|color| self.neurons(position.pieces(), Perspective::of(position, color)));
        self.score(neurons.each_ref(), position.side(), Network::bucket(position))
    }

    /// The output that is made for as many pieces as there are.
    #[inline(always)]
    pub(super) fn bucket(position: &Position) -> usize {
        bucket(position.occupied().len() as usize, BUCKETS)
    }

    /// What an output says about both sides' neurons.
    #[inline(always)]
    pub(super) fn score(&self, neurons: [&Neurons; 2], side: Color, bucket: usize) -> i32 {
        let [own, other] = [side, !side].map(|color| neurons[color.index()]);
        let weights = &self.output_weights[bucket];
        let sum = simd::activate(own, &weights[0]) + simd::activate(other, &weights[1]);
        let one = i64::from(ONE);
        let output = i64::from(sum) / one + i64::from(self.output_biases[bucket]);
        let score = (output * SCALE / (one * OUTPUT_ONE)) as i32;
        score.clamp(1 - LARGEST_SCORE, LARGEST_SCORE - 1)
    }
}
