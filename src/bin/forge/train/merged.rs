//! The feature weights as forward and backward pass read them: each king bucket's with the factoriser
//! added, in 16 bits. That halves what the passes load, and is eight times finer than the network's
//! own quantisation.

use bytemuck::cast;
use wide::{f32x16, i16x32, i32x16};

use super::weights::{Row, Shape, THREAT_INPUTS, Weights};

/// What counts as 1. Sums saturate at 16.
pub const ONE: f32 = 2048.0;

/// A tile's part of a row. The halves of 32 bits are columns 16 apart.
pub type MergedRow = i16x32;

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

/// Merges rows of king buckets with the factoriser's, if there is one.
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
