//! The weights of a network in training, and their layout.
//!
//! The hidden layer is cut into tiles of columns, and the weights of a tile are contiguous, so that the
//! current tile stays in the near caches.

use bytemuck::{Zeroable, cast, cast_slice, cast_slice_mut};
use clap::ValueEnum;
pub use engine::eval::file::{INPUTS, THREAT_INPUTS};
use engine::eval::file::{KingBuckets, NEURONS, king_bucket_count, layer_size};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use wide::{f32x16, i16x32, i32x16};

/// Vectors in a row of a tile.
pub const VECTORS: usize = 2;

/// Columns of the hidden layer in a tile.
pub const TILE: usize = 16 * VECTORS;

/// A tile's part of a row: one number per column.
pub type Row = [f32x16; VECTORS];

/// The size of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The width of the hidden layer, a multiple of [`TILE`].
    pub hidden: usize,
    pub king_buckets: usize,
    pub output_buckets: usize,
    /// The further sums of each output, which its second layer reads.
    pub sums: usize,
}

impl Shape {
    pub const fn tiles(self) -> usize {
        self.hidden / TILE
    }

    /// The number of rows of feature weights.
    pub const fn features(self) -> usize {
        THREAT_INPUTS + INPUTS * self.king_buckets
    }

    /// The number of rows of the factoriser, which all king buckets share; none with a single bucket.
    pub const fn shared(self) -> usize {
        if self.king_buckets > 1 { INPUTS } else { 0 }
    }

    /// The number of sums of all outputs.
    pub const fn outputs(self) -> usize {
        self.output_buckets * (1 + self.sums)
    }
}

/// A number for each weight of the network: the weight, its gradient or one of its moments.
#[derive(Clone)]
pub struct Weights {
    pub shape: Shape,
    /// By tile, threats, then king bucket and input.
    features: Vec<Row>,
    /// The factoriser, by tile and input. The weights of a piece are the sum of its own and these. It has no
    /// stored gradient, because that is the sum of the king buckets' gradients.
    shared: Vec<Row>,
    /// By tile.
    feature_biases: Vec<Row>,
    /// By tile, output bucket and sum, for the side to move and the opponent.
    outputs: Vec<[Row; 2]>,
    /// By output bucket and sum.
    pub output_biases: Vec<f32>,
    /// By output bucket, in the order of the file.
    layers: Vec<f32>,
}

/// A tile's part of a gradient.
pub struct TileMut<'a> {
    pub features: &'a mut [Row],
    pub bias: &'a mut Row,
    pub outputs: &'a mut [[Row; 2]],
}

/// The parts of [`Weights`], in the order of [`Weights::parts`].
pub const PARTS: usize = 6;

impl Weights {
    pub fn zero(shape: Shape) -> Weights {
        Weights {
            shared: vec![Row::zeroed(); shape.tiles() * shape.shared()],
            ..Weights::gradient(shape)
        }
    }

    /// He initialisation: uniform with variance 2 / inputs, so that neurons start in the range where they
    /// learn. With a factoriser, all king buckets start alike. The second layers of all outputs start alike
    /// too and, like threats, have no influence yet.
    pub fn random(shape: Shape, seed: u64) -> Weights {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut weights = Weights::zero(shape);
        let [features, shared, _, outputs, ..] = weights.parts_mut();
        let mut fill = |part: &mut [f32], inputs: usize| {
            let bound = (6.0 / inputs as f32).sqrt();
            part.iter_mut().for_each(|weight| *weight = random.random_range(-bound..bound));
        };
        if shared.is_empty() {
            for tile in features.chunks_mut(shape.features() * TILE) {
                fill(&mut tile[THREAT_INPUTS * TILE..], INPUTS);
            }
        }
        fill(shared, INPUTS);
        fill(outputs, 2 * shape.hidden);
        weights.add_layers(&mut random);
        weights
    }

    /// Random second layers, whose sums are in the range in which they are not clipped.
    pub fn add_layers(&mut self, random: &mut impl RngExt) {
        let Shape { sums, output_buckets, .. } = self.shape;
        if sums == 0 {
            return;
        }
        for tile in 0..self.shape.tiles() {
            let rows = &mut self.outputs[tile * output_buckets * (1 + sums)..];
            for sum in 1..=sums {
                let columns = || f32x16::new([(); 16].map(|()| random.random_range(-0.15..0.15)));
                let row = std::iter::repeat_with(columns).take(2 * VECTORS).collect::<Vec<_>>();
                for bucket in 0..output_buckets {
                    let rows = rows[bucket * (1 + sums) + sum].as_flattened_mut();
                    rows.copy_from_slice(&row);
                }
            }
        }
        let biases: Vec<f32> = (0..sums).map(|_| random.random_range(0.0..0.5)).collect();
        for all in self.output_biases.chunks_mut(1 + sums) {
            all[1..].copy_from_slice(&biases);
        }
        let mut layer = vec![0.0; layer_size(sums)];
        let (weights, rest) = layer.split_at_mut(2 * sums * NEURONS);
        weights.iter_mut().for_each(|weight| *weight = random.random_range(-0.4..0.4));
        rest[..NEURONS].iter_mut().for_each(|bias| *bias = random.random_range(0.0..0.4));
        for all in self.layers.chunks_mut(layer_size(sums)) {
            all.copy_from_slice(&layer);
        }
    }

    /// A zero gradient.
    pub fn gradient(shape: Shape) -> Weights {
        let zero = Row::zeroed();
        Weights {
            shape,
            features: vec![zero; shape.tiles() * shape.features()],
            shared: Vec::new(),
            feature_biases: vec![zero; shape.tiles()],
            outputs: vec![[zero; 2]; shape.tiles() * shape.outputs()],
            output_biases: vec![0.0; shape.outputs()],
            layers: vec![0.0; shape.output_buckets * layer_size(shape.sums)],
        }
    }

    /// Moves a share of the way to other weights.
    pub fn approach(&mut self, others: &Weights, share: f32) {
        for (part, others) in self.parts_mut().into_iter().zip(others.parts()) {
            let pairs = part.par_iter_mut().zip(others).with_min_len(1 << 14);
            pairs.for_each(|(weight, other)| *weight += share * (other - *weight));
        }
    }

    /// The output weights of a tile, by output bucket and sum.
    pub fn outputs(&self, tile: usize) -> &[[Row; 2]] {
        let outputs = self.shape.outputs();
        &self.outputs[tile * outputs..][..outputs]
    }

    /// The second layer of an output.
    pub fn layer(&self, bucket: usize) -> &[f32] {
        let size = layer_size(self.shape.sums);
        &self.layers[bucket * size..][..size]
    }

    pub fn layer_mut(&mut self, bucket: usize) -> &mut [f32] {
        let size = layer_size(self.shape.sums);
        &mut self.layers[bucket * size..][..size]
    }

    pub fn tile_mut(&mut self, tile: usize) -> TileMut<'_> {
        let (features, outputs) = (self.shape.features(), self.shape.outputs());
        TileMut {
            features: &mut self.features[tile * features..][..features],
            bias: &mut self.feature_biases[tile],
            outputs: &mut self.outputs[tile * outputs..][..outputs],
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

    /// Feature weights, factoriser and biases, output weights and biases, second layers.
    pub fn parts(&self) -> [&[f32]; PARTS] {
        [
            cast_slice(&self.features),
            cast_slice(&self.shared),
            cast_slice(&self.feature_biases),
            cast_slice(&self.outputs),
            &self.output_biases,
            &self.layers,
        ]
    }

    pub fn parts_mut(&mut self) -> [&mut [f32]; PARTS] {
        [
            cast_slice_mut(&mut self.features),
            cast_slice_mut(&mut self.shared),
            cast_slice_mut(&mut self.feature_biases),
            cast_slice_mut(&mut self.outputs),
            &mut self.output_biases,
            &mut self.layers,
        ]
    }
}

/// The value of 1. Sums saturate at 16.
pub const ONE: f32 = 2048.0;

/// A tile's part of a row. The halves of 32 bits are columns 16 apart.
pub type MergedRow = i16x32;

/// The feature weights as the passes read them: those of each king bucket plus the factoriser's, in 16 bits.
/// This halves the data to load, and is eight times finer than the network's own quantisation.
pub struct Merged {
    shape: Shape,
    /// By tile, threats, then king bucket and input.
    features: Vec<MergedRow>,
    /// By tile.
    biases: Vec<MergedRow>,
}

impl Merged {
    pub fn new(weights: &Weights) -> Merged {
        let shape = weights.shape;
        let zero = MergedRow::ZERO;
        let mut merged = Merged {
            shape,
            features: vec![zero; shape.tiles() * shape.features()],
            biases: vec![zero; shape.tiles()],
        };
        for (merged, (features, shared)) in merged.tiles_mut().zip(weights.feature_tiles()) {
            let (threats, pieces) = merged.split_at_mut(THREAT_INPUTS);
            let (of_threats, of_pieces) = features.split_at(THREAT_INPUTS);
            merge(threats, of_threats, &[]);
            merge(pieces, of_pieces, shared);
        }
        merged.merge_biases(weights);
        merged
    }

    /// The rows and the biases of a tile.
    pub fn tile(&self, tile: usize) -> (&[MergedRow], MergedRow) {
        let features = self.shape.features();
        (&self.features[tile * features..][..features], self.biases[tile])
    }

    pub fn tiles_mut(&mut self) -> impl Iterator<Item = &mut [MergedRow]> {
        self.features.chunks_mut(self.shape.features())
    }

    pub fn merge_biases(&mut self, weights: &Weights) {
        let [_, _, biases, ..] = weights.parts();
        let columns = biases.as_chunks().0.iter().map(|&columns| f32x16::new(columns));
        let columns: Vec<f32x16> = columns.collect();
        for (merged, row) in self.biases.iter_mut().zip(columns.as_chunks().0) {
            *merged = pack(row);
        }
    }
}

/// Adds the factoriser's rows, if there is one, to those of king buckets.
#[inline(always)]
pub fn merge(merged: &mut [MergedRow], features: &[Row], shared: &[Row]) {
    if shared.is_empty() {
        for (merged, row) in merged.iter_mut().zip(features) {
            *merged = pack(row);
        }
    } else {
        for ((merged, row), shared) in merged.iter_mut().zip(features).zip(shared.iter().cycle()) {
            *merged = pack(&[row[0] + shared[0], row[1] + shared[1]]);
        }
    }
}

#[inline(always)]
fn pack(row: &Row) -> MergedRow {
    let largest = f32x16::splat(f32::from(i16::MAX));
    let [low, high] = row.map(|columns| {
        let columns = columns * f32x16::splat(ONE);
        columns.fast_max(-largest).fast_min(largest).fast_round_int()
    });
    cast((high << 16) | (low & i32x16::splat(0xFFFF)))
}

/// The columns of a row, in [`ONE`]ths.
#[inline(always)]
pub fn unpack(row: MergedRow) -> Row {
    let row: i32x16 = cast(row);
    [(row << 16) >> 16, row >> 16].map(|columns: i32x16| columns.round_float())
}

/// A layout of king buckets on the left half of the board, a1 to d8; boards with the king on the right are
/// mirrored. It is finer where kings are most of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum KingLayout {
    #[value(name = "1")]
    One,
    #[value(name = "4")]
    Four,
    #[value(name = "8")]
    Eight,
    #[value(name = "16")]
    Sixteen,
}

impl KingLayout {
    /// The king bucket of each square.
    #[rustfmt::skip]
    pub const fn squares(self) -> KingBuckets {
        match self {
            KingLayout::One => [0; 32],
            KingLayout::Four => [
                0, 0, 1, 1,
                2, 2, 2, 2,
                3, 3, 3, 3,
                3, 3, 3, 3,
                3, 3, 3, 3,
                3, 3, 3, 3,
                3, 3, 3, 3,
                3, 3, 3, 3,
            ],
            KingLayout::Eight => [
                0, 1, 2, 3,
                4, 4, 5, 5,
                6, 6, 6, 6,
                6, 6, 6, 6,
                7, 7, 7, 7,
                7, 7, 7, 7,
                7, 7, 7, 7,
                7, 7, 7, 7,
            ],
            KingLayout::Sixteen => [
                 0,  1,  2,  3,
                 4,  5,  6,  7,
                 8,  8,  9,  9,
                10, 10, 11, 11,
                12, 12, 13, 13,
                12, 12, 13, 13,
                14, 14, 15, 15,
                14, 14, 15, 15,
            ],
        }
    }

    pub const fn count(self) -> usize {
        king_bucket_count(&self.squares())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_named_by_their_count() {
        for layout in KingLayout::value_variants() {
            let name = layout.to_possible_value().unwrap();
            assert_eq!(name.get_name(), layout.count().to_string());
        }
    }
}
