//! The network: a hidden layer per perspective, squared clipped ReLU, and a few outputs, of which one is
//! chosen by the number of pieces. Each output is a weighted sum, to which a second layer may add its result
//! for further sums.

use std::borrow::Cow;
use std::io;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use bytemuck::allocation::pod_collect_to_vec;
use bytemuck::{cast, cast_slice};

use super::features::{Perspective, output_bucket};
use super::file::{INPUTS, NetFile, NetFileError, OUTPUT_ONE, THREAT_INPUTS, king_bucket_count};
use super::second_layer::SecondLayer;
use super::shape::{
    HIDDEN, KING_BUCKET_COUNT, KING_BUCKETS, LAYERS, OUTPUT_BIASES, OUTPUT_BUCKETS, SUMS,
};
use super::simd::{self, Accumulator, SumWeights};
use crate::board::{Color, Piece, Position, Square, Threats};
use crate::system::files;

/// Evaluations lie between this and its negative.
pub const LARGEST_SCORE: i32 = 20_000;

/// The rows of the embedded network, aligned for any vector register.
static EMBEDDED_ROWS: &Aligned<[u8]> =
    &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/net_rows")));

/// The file of the embedded network.
pub const EMBEDDED_FILE: &[u8] = include_bytes!(env!("ZEBU_NET_FILE"));

#[repr(align(64))]
struct Aligned<T: ?Sized>(T);

/// The centipawns of an output of 1, which the logistic curve maps to 73 % of the points.
const SCALE: i64 = 400;

/// Why a file is not a network for this engine.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    #[error(transparent)]
    Wrong(#[from] NetFileError),
    #[error(
        "it has {0} neurons, {1} king buckets and {2} outputs of {3} sums, and this engine is built for \
         {HIDDEN}, {KING_BUCKET_COUNT} and {OUTPUT_BUCKETS} of {SUMS}"
    )]
    Shape(usize, usize, usize, usize),
    #[error("its king buckets lie elsewhere than those of this engine's network")]
    KingBuckets,
}

pub struct Network {
    rows: Cow<'static, [Accumulator]>,
    output_biases: [[i32; SUMS]; OUTPUT_BUCKETS],
    /// One per output, or none at all.
    layers: Vec<SecondLayer>,
}

/// The weights of a network by purpose.
pub(super) struct Weights<'a> {
    /// One row per input.
    pub features: &'a [Accumulator],
    biases: &'a Accumulator,
    /// For each output bucket, the weights for the perspective of the side to move and for the opponent's.
    outputs: &'a [[SumWeights<SUMS>; 2]],
}

impl Network {
    /// The network embedded in the program.
    pub fn embedded() -> Arc<Network> {
        static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let rows = Cow::Borrowed(cast_slice(&EMBEDDED_ROWS.0));
            let layers = pod_collect_to_vec(&LAYERS);
            Arc::new(Network { rows, output_biases: cast(OUTPUT_BIASES), layers })
        });
        Arc::clone(&NETWORK)
    }

    /// Loads a network file, or the embedded network if there is no path.
    pub fn load(path: Option<&Path>) -> Result<Arc<Network>, NetworkError> {
        let Some(path) = path else { return Ok(Network::embedded()) };
        Ok(Arc::new(Network::new(&NetFile::parse(&Network::read(path)?)?)?))
    }

    /// Reads a file whose size is plausible for a network.
    pub fn read(path: &Path) -> io::Result<Vec<u8>> {
        /// Far larger than any network.
        const MOST_BYTES: u64 = 64 << 20;
        files::read(path, MOST_BYTES)
    }

    pub fn new(file: &NetFile) -> Result<Network, NetworkError> {
        let king_buckets = king_bucket_count(&file.king_buckets);
        let shape = (file.hidden, king_buckets, file.output_buckets, 1 + file.sums);
        if shape != (HIDDEN, KING_BUCKET_COUNT, OUTPUT_BUCKETS, SUMS) {
            return Err(NetworkError::Shape(shape.0, shape.1, shape.2, shape.3));
        }
        if file.king_buckets != KING_BUCKETS {
            return Err(NetworkError::KingBuckets);
        }
        let outputs = file.interleaved_output_weights();
        let numbers = [&file.feature_weights, &file.feature_biases, &outputs]
            .map(|row| row.as_slice())
            .concat();
        let rows = numbers.as_chunks::<HIDDEN>().0.iter().map(|&row| cast(row)).collect();
        let mut output_biases = [[0; SUMS]; OUTPUT_BUCKETS];
        output_biases.as_flattened_mut().copy_from_slice(&file.output_biases);
        let layers = pod_collect_to_vec(&file.layers);
        Ok(Network { rows: Cow::Owned(rows), output_biases, layers })
    }

    /// The rows of the inputs, and everything that follows them in memory.
    #[inline(always)]
    pub(super) fn rows(&self) -> &[Accumulator] {
        &self.rows
    }

    #[inline(always)]
    pub(super) fn weights(&self) -> Weights<'_> {
        let (features, rest) = self.rows.split_at(THREAT_INPUTS + KING_BUCKET_COUNT * INPUTS);
        Weights { features, biases: &rest[0], outputs: cast_slice(&rest[1..]) }
    }

    /// Computes the accumulator of some pieces from scratch.
    pub fn accumulator(
        &self,
        pieces: impl Iterator<Item = (Square, Piece)>,
        threats: &Threats,
        perspective: Perspective,
    ) -> Accumulator {
        let weights = self.weights();
        let mut accumulator = *weights.biases;
        let mut add = |input| {
            simd::update(&mut accumulator, None, weights.features, [&[], &[[input; 2]]], 0);
        };
        for (square, piece) in pieces {
            add(perspective.input(piece, square));
            let danger = threats.danger(square);
            if danger > 0 {
                add(perspective.threat_input(piece, square, danger));
            }
        }
        accumulator
    }

    /// Evaluates a position from scratch, for the side to move.
    pub fn evaluate(&self, position: &Position) -> i32 {
        let threats = position.threats();
        let accumulators = Color::BOTH.map(|color| {
            let perspective = Perspective::of(position, color, &KING_BUCKETS);
            self.accumulator(position.pieces(), &threats, perspective)
        });
        let bucket = Network::output_bucket(position);
        self.output(accumulators.each_ref(), position.side(), bucket)
    }

    #[inline(always)]
    pub(super) fn output_bucket(position: &Position) -> usize {
        output_bucket(position.occupied().len() as usize, OUTPUT_BUCKETS)
    }

    /// The forward pass from both accumulators to an output, in centipawns.
    #[inline(always)]
    pub(super) fn output(
        &self,
        accumulators: [&Accumulator; 2],
        side: Color,
        bucket: usize,
    ) -> i32 {
        let [us, them] = [side, !side].map(|color| accumulators[color.index()]);
        let mut sums = simd::screlu([us, them], &self.weights().outputs[bucket]);
        for (sum, bias) in sums.iter_mut().zip(&self.output_biases[bucket]) {
            *sum += bias;
        }
        let [output, further @ ..] = &sums;
        let more = self.layers.get(bucket).map_or(0, |layer| layer.output(further));
        let output = i64::from(*output) + i64::from(more);
        let score = (output * SCALE / i64::from(OUTPUT_ONE)) as i32;
        score.clamp(1 - LARGEST_SCORE, LARGEST_SCORE - 1)
    }
}
