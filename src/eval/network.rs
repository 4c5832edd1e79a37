//! The network: a hidden layer for each side's perspective, squared clipped ReLU, and a few outputs,
//! of which the number of pieces chooses one.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use wide::i16x32;

use super::features::{Perspective, output_bucket};
use super::file::{NetFile, NetFileError, QA, king_bucket_count};
use super::shape::{HIDDEN, KING_BUCKET_COUNT, KING_BUCKETS, OUTPUT_BUCKETS};
use super::simd::{self, Accumulator};
use crate::board::{Color, Piece, Position, Square};
use crate::files;

/// Scores that the evaluation gives lie between this and its negative.
pub const LARGEST_SCORE: i32 = 20_000;

static EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/zebu.net"));

/// The centipawns of an output of 1, which by its logistic curve is 73 % of the points.
const SCALE: i64 = 400;

/// Quantisation of the output weights: what counts as 1.
const QB: i16 = 64;

/// Why a file is no network for this engine.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    #[error(transparent)]
    Unreadable(#[from] std::io::Error),
    #[error(transparent)]
    Wrong(#[from] NetFileError),
    #[error(
        "it has {0} neurons, {1} king buckets and {2} outputs, and this engine is built for {HIDDEN}, \
         {KING_BUCKET_COUNT} and {OUTPUT_BUCKETS}"
    )]
    Shape(usize, usize, usize),
    #[error("its king buckets lie elsewhere than those of this engine's network")]
    KingBuckets,
}

pub struct Network {
    /// For each input.
    pub(super) feature_weights: Vec<Accumulator>,
    feature_biases: Accumulator,
    /// For each output bucket, for the perspectives of the side to move and of the other side.
    output_weights: Vec<[Accumulator; 2]>,
    output_biases: Vec<i32>,
}

impl Network {
    /// The network that is part of the program.
    pub fn embedded() -> Arc<Network> {
        static NETWORK: OnceLock<Arc<Network>> = OnceLock::new();
        let network = NETWORK.get_or_init(|| {
            let file = NetFile::read(EMBEDDED).expect("the build has checked it");
            Arc::new(Network::new(&file).expect("the build has taken its sizes from it"))
        });
        Arc::clone(network)
    }

    /// The same, if there is memory for it: what it takes to read it is asked for first.
    pub fn try_embedded() -> Option<Arc<Network>> {
        const COPIES: usize = 4;
        Vec::<u8>::new().try_reserve_exact(COPIES * EMBEDDED.len()).ok()?;
        Some(Network::embedded())
    }

    /// The network of a file, or without a path the one that is built in.
    pub fn load(path: Option<&Path>) -> Result<Arc<Network>, NetworkError> {
        let Some(path) = path else { return Ok(Network::embedded()) };
        Ok(Arc::new(Network::new(&NetFile::parse(&files::read(path)?)?)?))
    }

    pub fn new(file: &NetFile) -> Result<Network, NetworkError> {
        let king_buckets = king_bucket_count(&file.king_buckets);
        let shape = (file.hidden, king_buckets, file.output_buckets);
        if shape != (HIDDEN, KING_BUCKET_COUNT, OUTPUT_BUCKETS) {
            return Err(NetworkError::Shape(shape.0, shape.1, shape.2));
        }
        if file.king_buckets != KING_BUCKETS {
            return Err(NetworkError::KingBuckets);
        }
        let rows = |numbers: &[i16]| -> Vec<Accumulator> {
            let vectors: Vec<i16x32> =
                numbers.as_chunks().0.iter().map(|&lanes| i16x32::new(lanes)).collect();
            vectors.as_chunks().0.iter().map(|&vectors| Accumulator(vectors)).collect()
        };
        let output_weights = rows(&file.output_weights);
        Ok(Network {
            feature_weights: rows(&file.feature_weights),
            feature_biases: rows(&file.feature_biases)[0],
            output_weights: output_weights.as_chunks().0.to_vec(),
            output_biases: file.output_biases.clone(),
        })
    }

    /// The accumulator of some pieces, computed from nothing.
    pub fn accumulator(
        &self,
        pieces: impl Iterator<Item = (Square, Piece)>,
        perspective: Perspective,
    ) -> Accumulator {
        let mut accumulator = self.feature_biases;
        for (square, piece) in pieces {
            let input = perspective.input(piece, square);
            simd::update(&mut accumulator, None, &self.feature_weights, (&[], &[input]));
        }
        accumulator
    }

    /// The evaluation of a position for the side to move, computed from nothing.
    pub fn evaluate(&self, position: &Position) -> i32 {
        let accumulators = Color::BOTH.map(|color| {
            let perspective = Perspective::of(position, color, &KING_BUCKETS);
            self.accumulator(position.pieces(), perspective)
        });
        let bucket = Network::output_bucket(position);
        self.output(accumulators.each_ref(), position.side(), bucket)
    }

    #[inline(always)]
    pub(super) fn output_bucket(position: &Position) -> usize {
        output_bucket(position.occupied().len() as usize, OUTPUT_BUCKETS)
    }

    /// The forward pass from both sides' accumulators to an output, in centipawns.
    #[inline(always)]
    pub(super) fn output(
        &self,
        accumulators: [&Accumulator; 2],
        side: Color,
        bucket: usize,
    ) -> i32 {
        let [us, them] = [side, !side].map(|color| accumulators[color.index()]);
        let weights = &self.output_weights[bucket];
        let sum = simd::screlu(us, &weights[0]) + simd::screlu(them, &weights[1]);
        let (qa, qb) = (i64::from(QA), i64::from(QB));
        let output = i64::from(sum) / qa + i64::from(self.output_biases[bucket]);
        let score = (output * SCALE / (qa * qb)) as i32;
        score.clamp(1 - LARGEST_SCORE, LARGEST_SCORE - 1)
    }
}
