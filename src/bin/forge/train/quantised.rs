//! Quantisation: the network in the integers of the engine.

use zebu::eval::KING_BUCKETS;
use zebu::eval::file::{INPUTS, MAX_OUTPUT_WEIGHT, NetFile, QA};

use super::gradient::Microbatch;
use super::weights::{TILE, Weights};

/// An output weight, and a score, of 1.
const OUTPUT_ONE: f32 = 64.0;
const SCORE_ONE: f32 = 400.0;

pub fn quantise(weights: &Weights) -> NetFile {
    let shape = weights.shape;
    let [features, feature_biases, outputs, output_biases] = weights.parts();
    let one = f32::from(QA);
    let in_255ths = |&number: &f32| (number * one).round() as i16;
    let largest = f32::from(MAX_OUTPUT_WEIGHT);
    let in_64ths = |&number: &f32| (number * OUTPUT_ONE).round().clamp(-largest, largest) as i16;

    // From tiles of columns to whole rows.
    let row = |tiles: &[f32], rows: usize, row: usize| -> Vec<f32> {
        tiles.chunks(rows * TILE).flat_map(|tile| &tile[row * TILE..][..TILE]).copied().collect()
    };
    let rows = |tiles: &[f32], rows: usize| -> Vec<f32> {
        (0..rows).flat_map(|number| row(tiles, rows, number)).collect()
    };
    NetFile {
        hidden: shape.hidden,
        output_buckets: shape.buckets,
        king_buckets: KING_BUCKETS,
        feature_weights: rows(features, INPUTS).iter().map(in_255ths).collect(),
        feature_biases: feature_biases.iter().map(in_255ths).collect(),
        output_weights: rows(outputs, 2 * shape.buckets).iter().map(in_64ths).collect(),
        output_biases: output_biases
            .iter()
            .map(|bias| (bias * one * OUTPUT_ONE).round() as i32)
            .collect(),
    }
}

/// What the engine will evaluate, as logits like those of the trainer.
pub fn outputs(file: &NetFile, batch: &Microbatch) -> Vec<f32> {
    let sides = file.output_weights.chunks(file.hidden);
    let sides: Vec<&[i16]> = sides.collect();
    let output = |(features, &bucket): ([&[u16]; 2], &u8)| {
        let bucket = usize::from(bucket);
        let sums = [0, 1].map(|side| activate(file, features[side], sides[2 * bucket + side]));
        let one = i64::from(QA);
        let sum = i64::from(sums[0] + sums[1]) / one + i64::from(file.output_biases[bucket]);
        (sum * SCORE_ONE as i64 / (one * OUTPUT_ONE as i64)) as f32 / SCORE_ONE
    };
    batch.features().zip(&batch.buckets).map(output).collect()
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
    use crate::train::gradient::{Workspace, forward};
    use crate::train::weights::Shape;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn quantised_outputs_are_nearly_the_same() {
        let weights = Weights::random(Shape { hidden: 3 * TILE, buckets: 4 }, 1);
        let file = quantise(&weights);
        assert_eq!(NetFile::parse(&file.to_bytes()).as_ref(), Ok(&file));
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut batch = Microbatch::default();
        for _ in 0..100 {
            for _ in 0..random.random_range(2..=32) {
                batch.own.push(random.random_range(0..INPUTS as u16));
                batch.other.push(random.random_range(0..INPUTS as u16));
            }
            batch.ends.push(batch.own.len());
            batch.buckets.push(random.random_range(0..4));
        }
        let mut work = Workspace::default();
        forward(&weights, &batch, &mut work);
        for (exact, rounded) in work.outputs.iter().zip(outputs(&file, &batch)) {
            assert!((exact - rounded).abs() < 0.1, "{exact} {rounded}");
        }
    }
}
