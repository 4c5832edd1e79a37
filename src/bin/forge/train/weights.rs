//! The weights of a network in training, and their layout.
//!
//! The hidden layer is cut into tiles of columns, and the weights of a tile are contiguous, so that the
//! tile in work stays in the near caches.

use bytemuck::{Zeroable, cast_slice, cast_slice_mut};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use wide::f32x16;
pub use zebu::eval::file::INPUTS;

/// Vectors in a row of a tile.
pub const VECTORS: usize = 2;

/// Columns of the hidden layer in a tile.
pub const TILE: usize = 16 * VECTORS;

/// A tile's part of a row: one number for each column.
pub type Row = [f32x16; VECTORS];

/// The size of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Width of the hidden layer, a multiple of [`TILE`].
    pub hidden: usize,
    pub king_buckets: usize,
    pub output_buckets: usize,
}

impl Shape {
    pub const fn tiles(self) -> usize {
        self.hidden / TILE
    }

    /// Rows of feature weights.
    pub const fn features(self) -> usize {
        INPUTS * self.king_buckets
    }

    /// With king buckets, a factoriser: rows of weights that all buckets share.
    pub const fn shared(self) -> usize {
        if self.king_buckets > 1 { INPUTS } else { 0 }
    }
}

/// A number for each weight of the network: the weight, its gradient or one of its moments.
#[derive(Clone)]
pub struct Weights {
    pub shape: Shape,
    /// By tile, king bucket and input.
    features: Vec<Row>,
    /// The factoriser, by tile and input. A feature's weights are its own and these. There is no
    /// gradient, because it is the sum of the king buckets'.
    shared: Vec<Row>,
    /// By tile.
    feature_biases: Vec<Row>,
    /// By tile and output bucket, for the side to move and the opponent.
    outputs: Vec<[Row; 2]>,
    /// By output bucket.
    pub output_biases: Vec<f32>,
}

/// A tile's part of a gradient.
pub struct TileMut<'a> {
    pub features: &'a mut [Row],
    pub bias: &'a mut Row,
    pub outputs: &'a mut [[Row; 2]],
}

/// The parts of [`Weights`], in the order of [`Weights::parts`].
pub const PARTS: usize = 5;

impl Weights {
    pub fn zero(shape: Shape) -> Weights {
        Weights {
            shared: vec![Row::zeroed(); shape.tiles() * shape.shared()],
            ..Weights::gradient(shape)
        }
    }

    /// He initialisation: uniform with variance 2 / inputs, so that neurons start in the range where
    /// they learn. With a factoriser all king buckets start alike.
    pub fn random(shape: Shape, seed: u64) -> Weights {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut weights = Weights::zero(shape);
        let [features, shared, _, outputs, _] = weights.parts_mut();
        let features: &mut [f32] = if shared.is_empty() { features } else { shared };
        for (part, inputs) in [(features, INPUTS), (outputs, 2 * shape.hidden)] {
            let bound = (6.0 / inputs as f32).sqrt();
            part.iter_mut().for_each(|weight| *weight = random.random_range(-bound..bound));
        }
        weights
    }

    /// A gradient of nothing.
    pub fn gradient(shape: Shape) -> Weights {
        let zero = Row::zeroed();
        Weights {
            shape,
            features: vec![zero; shape.tiles() * shape.features()],
            shared: Vec::new(),
            feature_biases: vec![zero; shape.tiles()],
            outputs: vec![[zero; 2]; shape.tiles() * shape.output_buckets],
            output_biases: vec![0.0; shape.output_buckets],
        }
    }

    /// The output weights of a tile.
    pub fn outputs(&self, tile: usize) -> &[[Row; 2]] {
        let buckets = self.shape.output_buckets;
        &self.outputs[tile * buckets..][..buckets]
    }

    pub fn tile_mut(&mut self, tile: usize) -> TileMut<'_> {
        let (features, buckets) = (self.shape.features(), self.shape.output_buckets);
        TileMut {
            features: &mut self.features[tile * features..][..features],
            bias: &mut self.feature_biases[tile],
            outputs: &mut self.outputs[tile * buckets..][..buckets],
        }
    }

    /// Feature weights by tile, each with its part of the factoriser.
    pub fn feature_tiles(&self) -> impl Iterator<Item = (&[Row], &[Row])> {
        let (features, shared) = (self.shape.features(), self.shape.shared());
        (0..self.shape.tiles()).map(move |tile| {
            (&self.features[tile * features..][..features], &self.shared[tile * shared..][..shared])
        })
    }

    pub fn feature_tiles_mut(&mut self) -> impl Iterator<Item = (&mut [Row], &mut [Row])> {
        let shared = self.shape.shared();
        let mut rest = self.shared.as_mut_slice();
        let tiles = self.features.chunks_mut(self.shape.features());
        tiles.map(move |features| {
            let count = shared.min(rest.len());
            let (now, later) = std::mem::take(&mut rest).split_at_mut(count);
            rest = later;
            (features, now)
        })
    }

    /// Feature weights, factoriser and biases, output weights and biases.
    pub fn parts(&self) -> [&[f32]; PARTS] {
        [
            cast_slice(&self.features),
            cast_slice(&self.shared),
            cast_slice(&self.feature_biases),
            cast_slice(&self.outputs),
            &self.output_biases,
        ]
    }

    pub fn parts_mut(&mut self) -> [&mut [f32]; PARTS] {
        [
            cast_slice_mut(&mut self.features),
            cast_slice_mut(&mut self.shared),
            cast_slice_mut(&mut self.feature_biases),
            cast_slice_mut(&mut self.outputs),
            &mut self.output_biases,
        ]
    }
}
