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
const VECTORS: usize = 2;

/// Columns of the hidden layer in a tile.
pub const TILE: usize = 16 * VECTORS;

/// A tile's part of a row: one number for each column.
pub type Row = [f32x16; VECTORS];

/// The size of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Width of the hidden layer, a multiple of [`TILE`].
    pub hidden: usize,
    pub buckets: usize,
}

impl Shape {
    pub const fn tiles(self) -> usize {
        self.hidden / TILE
    }
}

/// A number for each weight of the network: the weight, its gradient or one of its moments.
#[derive(Clone)]
pub struct Weights {
    pub shape: Shape,
    /// By tile and feature.
    features: Vec<Row>,
    /// By tile.
    feature_biases: Vec<Row>,
    /// By tile and bucket, for the side to move and the opponent.
    outputs: Vec<[Row; 2]>,
    /// By bucket.
    pub output_biases: Vec<f32>,
}

/// A tile's part of the weights.
pub struct Tile<'a> {
    pub features: &'a [Row],
    pub bias: &'a Row,
    pub outputs: &'a [[Row; 2]],
}

/// A tile's part of a gradient.
pub struct TileMut<'a> {
    pub features: &'a mut [Row],
    pub bias: &'a mut Row,
    pub outputs: &'a mut [[Row; 2]],
}

impl Weights {
    pub fn zero(shape: Shape) -> Weights {
        let zero = Row::zeroed();
        Weights {
            shape,
            features: vec![zero; shape.tiles() * INPUTS],
            feature_biases: vec![zero; shape.tiles()],
            outputs: vec![[zero; 2]; shape.tiles() * shape.buckets],
            output_biases: vec![0.0; shape.buckets],
        }
    }

    /// He initialisation: uniform with variance 2 / inputs, so that neurons start in the range where
    /// they learn.
    pub fn random(shape: Shape, seed: u64) -> Weights {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut weights = Weights::zero(shape);
        let [features, _, outputs, _] = weights.parts_mut();
        for (part, inputs) in [(features, INPUTS), (outputs, 2 * shape.hidden)] {
            let bound = (6.0 / inputs as f32).sqrt();
            part.iter_mut().for_each(|weight| *weight = random.random_range(-bound..bound));
        }
        weights
    }

    pub fn clear(&mut self) {
        self.parts_mut().into_iter().for_each(|part| part.fill(0.0));
    }

    pub fn tile(&self, tile: usize) -> Tile<'_> {
        Tile {
            features: &self.features[tile * INPUTS..][..INPUTS],
            bias: &self.feature_biases[tile],
            outputs: &self.outputs[tile * self.shape.buckets..][..self.shape.buckets],
        }
    }

    pub fn tile_mut(&mut self, tile: usize) -> TileMut<'_> {
        TileMut {
            features: &mut self.features[tile * INPUTS..][..INPUTS],
            bias: &mut self.feature_biases[tile],
            outputs: &mut self.outputs[tile * self.shape.buckets..][..self.shape.buckets],
        }
    }

    /// Feature weights and biases, output weights and biases.
    pub fn parts(&self) -> [&[f32]; 4] {
        [
            cast_slice(&self.features),
            cast_slice(&self.feature_biases),
            cast_slice(&self.outputs),
            &self.output_biases,
        ]
    }

    pub fn parts_mut(&mut self) -> [&mut [f32]; 4] {
        [
            cast_slice_mut(&mut self.features),
            cast_slice_mut(&mut self.feature_biases),
            cast_slice_mut(&mut self.outputs),
            &mut self.output_biases,
        ]
    }
}
