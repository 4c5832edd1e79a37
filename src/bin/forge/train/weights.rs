//! The numbers of a network while it learns, and where they stand.
//!
//! The hidden layer is cut into tiles of columns, and what belongs to a tile stands together, so that
//! the part of the network which is being worked on stays in the near caches.

use bytemuck::{Zeroable, cast_slice, cast_slice_mut};
use wide::f32x16;
pub use zebu::eval::file::INPUTS;

/// Vectors in a row of a tile.
const VECTORS: usize = 2;

/// Columns of the hidden layer in a tile.
pub const TILE: usize = 16 * VECTORS;

/// A tile's part of a row of numbers, one for each column.
pub type Row = [f32x16; VECTORS];

/// How large a network is.
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

/// One number for each that the network has: its weights, their gradient, or what the optimiser
/// remembers of them.
#[derive(Clone)]
pub struct Weights {
    pub shape: Shape,
    /// By tile and feature.
    features: Vec<Row>,
    /// By tile.
    feature_biases: Vec<Row>,
    /// By tile, bucket and side: the side to move's, then the other's.
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

    /// All numbers, by kind: feature weights, their biases, output weights, their biases.
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
