//! Quantisation: the network in the integers of the engine.

use zebu::eval::file::{KingBuckets, MAX_OUTPUT_WEIGHT, NetFile, QA};

use super::microbatch::Microbatch;
use super::weights::{TILE, Weights};

/// An output weight, and a score, of 1.
const OUTPUT_ONE: f32 = 64.0;
pub const SCORE_ONE: f32 = 400.0;

/// `factor` multiplies the outputs.
pub fn quantise(weights: &Weights, king_buckets: &KingBuckets, factor: f32) -> NetFile {
    let shape = weights.shape;
    let [features, shared, feature_biases, outputs, output_biases] = weights.parts();
    let one = f32::from(QA);
    let in_255ths = |number: f32| (number * one).round() as i16;
    let largest = f32::from(MAX_OUTPUT_WEIGHT);
    let in_64ths =
        |number: f32| (number * factor * OUTPUT_ONE).round().clamp(-largest, largest) as i16;

    // From tiles of columns to whole rows.
    let row = |tiles: &[f32], rows: usize, row: usize| -> Vec<f32> {
        tiles.chunks(rows * TILE).flat_map(|tile| &tile[row * TILE..][..TILE]).copied().collect()
    };
    let rows = |tiles: &[f32], rows: usize| -> Vec<f32> {
        (0..rows).flat_map(|number| row(tiles, rows, number)).collect()
    };
    let mut features = rows(features, shape.features());
    for (weight, shared) in features.iter_mut().zip(rows(shared, shape.shared()).iter().cycle()) {
        *weight += shared;
    }
    NetFile {
        hidden: shape.hidden,
        output_buckets: shape.output_buckets,
        king_buckets: *king_buckets,
        feature_weights: features.into_iter().map(in_255ths).collect(),
        feature_biases: feature_biases.iter().copied().map(in_255ths).collect(),
        output_weights: rows(outputs, 2 * shape.output_buckets).into_iter().map(in_64ths).collect(),
        output_biases: output_biases
            .iter()
            .map(|bias| (bias * factor * one * OUTPUT_ONE).round() as i32)
            .collect(),
    }
}

/// The largest factor of the outputs with which the quantised network fits the engine's integers.
pub fn largest_factor(weights: &Weights) -> f32 {
    let shape = weights.shape;
    let [.., outputs, _] = weights.parts();
    let largest = outputs.iter().map(|weight| weight.abs()).fold(0.0, f32::max);
    // Rounding up may add a half to each weight.
    let rounding = shape.hidden as f32;
    let most = i32::MAX as f32 / f32::from(QA).powi(2) - rounding;
    let sums = (0..shape.output_buckets).map(|bucket| {
        let rows = (0..shape.tiles()).flat_map(|tile| weights.outputs(tile)[bucket].as_flattened());
        let terms: Vec<f32> = rows.flat_map(|columns| columns.to_array()).collect();
        let part = |sign: f32| terms.iter().map(|term| (sign * term).max(0.0)).sum::<f32>();
        part(1.0).max(part(-1.0))
    });
    let sum = sums.fold(0.0, f32::max);
    (f32::from(MAX_OUTPUT_WEIGHT) / largest).min(most / sum) / OUTPUT_ONE
}

/// What the engine will evaluate, as logits like those of the trainer.
pub fn outputs(file: &NetFile, batch: &Microbatch) -> Vec<f32> {
    let sides = file.output_weights.chunks(file.hidden);
    let sides: Vec<&[i16]> = sides.collect();
    let features: Vec<&[u16]> = batch.perspective_features().collect();
    let output = |(perspectives, &bucket): (&[u16; 2], &u8)| {
        let bucket = usize::from(bucket);
        let sums = [0, 1].map(|side| {
            let features = features[usize::from(perspectives[side])];
            activate(file, features, sides[2 * bucket + side])
        });
        let one = i64::from(QA);
        let sum = i64::from(sums[0] + sums[1]) / one + i64::from(file.output_biases[bucket]);
        (sum * SCORE_ONE as i64 / (one * OUTPUT_ONE as i64)) as f32 / SCORE_ONE
    };
    batch.perspectives.iter().zip(&batch.output_buckets).map(output).collect()
}

/// The weighted sum of a side's squared activations, in 255 * 255 * 64ths.
fn activate(file: &NetFile, features: &[u16], weights: &[i16]) -> i32 {
    let mut sums = file.feature_biases.clone();
    for &feature in features {
        let row = &file.feature_weights[usize::from(feature) * file.hidden..][..file.hidden];
        for (sum, weight) in sums.iter_mut().zip(row) {
            *sum += weight;
        }
    }
    let terms = sums.iter().zip(weights).map(|(&sum, &weight)| {
        let active = i32::from(sum.clamp(0, QA));
        active * active * i32::from(weight)
    });
    terms.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::gradient::tests::random_batch;
    use crate::train::gradient::{Workspace, forward};
    use crate::train::king_layout::KingLayout;
    use crate::train::merged::Merged;
    use crate::train::weights::Shape;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn quantised_outputs_are_nearly_the_same() {
        for layout in [KingLayout::One, KingLayout::Four] {
            let king_buckets = layout.count();
            let shape = Shape { hidden: 3 * TILE, king_buckets, output_buckets: 4 };
            let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
            let mut weights = Weights::random(shape, 1);
            // With a factoriser the king buckets start at nothing.
            for weight in weights.parts_mut()[0].iter_mut() {
                *weight += random.random_range(-0.03..0.03);
            }
            let file = quantise(&weights, &layout.squares(), 1.0);
            assert_eq!(NetFile::parse(&file.to_bytes()).as_ref(), Ok(&file));
            assert_eq!(NetFile::parse(&file.to_bytes()).unwrap().king_buckets, layout.squares());
            let batch = random_batch(&mut random, shape);
            let mut work = Workspace::default();
            forward(&weights, &Merged::new(&weights), &batch, &mut work);
            for (exact, rounded) in work.outputs.iter().zip(outputs(&file, &batch)) {
                assert!((exact - rounded).abs() < 0.1, "{exact} {rounded}");
            }
        }
    }
}
