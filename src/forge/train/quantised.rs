//! Quantisation to the engine's integers and back, and the unit of the outputs.

use engine::board::Position;
use engine::eval::file::{
    KingBuckets, NEURONS, NetFile, NetFileError, OUTPUT_ONE, QA, QB, SQUARE_SHIFT, layer_size,
};
use engine::eval::teacher_score;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::gradient::layer_forward;
use super::microbatch::{Microbatch, TrainingPosition};
use super::weights::{INPUTS, Shape, THREAT_INPUTS, TILE, Weights};
use crate::games::GameOutcome;

/// The centipawns of an output of 1.
pub const SCORE_ONE: f32 = 400.0;

/// The part of 32 bits that remains for the bias of an output.
const MAX_BIAS: i32 = 64 * OUTPUT_ONE;

/// `factor` multiplies the outputs.
pub fn quantise(weights: &Weights, king_buckets: &KingBuckets, factor: f32) -> NetFile {
    let shape = weights.shape;
    let [features, shared, feature_biases, outputs, output_biases, layers] = weights.parts();
    let one = f32::from(QA);
    let in_255ths = |number: f32| (number * one).round() as i16;
    // Only the first sum of an output is in its unit.
    let sums = 1 + shape.sums;
    let factor_of = |sum: usize| if sum.is_multiple_of(sums) { factor } else { 1.0 };
    let in_512ths = |(place, number): (usize, f32)| {
        (number * factor_of(place / (2 * shape.hidden)) * f32::from(QB)).round() as i16
    };

    // Joins tiles of columns into a whole row.
    let row = |tiles: &[f32], rows: usize, row: usize| -> Vec<f32> {
        tiles.chunks(rows * TILE).flat_map(|tile| &tile[row * TILE..][..TILE]).copied().collect()
    };
    let rows = |tiles: &[f32], rows: usize| -> Vec<f32> {
        (0..rows).flat_map(|number| row(tiles, rows, number)).collect()
    };
    let mut features = rows(features, shape.features());
    let pieces = &mut features[THREAT_INPUTS * shape.hidden..];
    for (weight, shared) in pieces.iter_mut().zip(rows(shared, shape.shared()).iter().cycle()) {
        *weight += shared;
    }
    NetFile {
        hidden: shape.hidden,
        output_buckets: shape.output_buckets,
        sums: shape.sums,
        king_buckets: *king_buckets,
        feature_weights: features.into_iter().map(in_255ths).collect(),
        feature_biases: feature_biases.iter().copied().map(in_255ths).collect(),
        output_weights: rows(outputs, 2 * shape.outputs())
            .into_iter()
            .enumerate()
            .map(in_512ths)
            .collect(),
        output_biases: output_biases
            .iter()
            .enumerate()
            .map(|(sum, bias)| (bias * factor_of(sum) * OUTPUT_ONE as f32).round() as i32)
            .collect(),
        layers: scale_layers(layers, shape.sums, factor),
    }
}

/// Second layers with their last weights multiplied.
fn scale_layers(layers: &[f32], sums: usize, factor: f32) -> Vec<f32> {
    let mut layers = layers.to_vec();
    for layer in layers.chunks_mut(layer_size(sums).max(1)) {
        let last = layer.len() - NEURONS;
        layer[last..].iter_mut().for_each(|weight| *weight *= factor);
    }
    layers
}

/// Why training cannot continue from a network.
#[derive(Debug, thiserror::Error)]
pub enum FromError {
    #[error(transparent)]
    File(#[from] NetFileError),
    #[error("it has {0} neurons, and training goes on with as many or more")]
    Narrower(usize),
    #[error("it has {0} outputs")]
    Outputs(usize),
    #[error("it has outputs of {0} sums more")]
    Sums(usize),
}

/// The weights of a network to continue from. New neurons start at random without influence, and new king
/// buckets start like the old ones at the same squares.
pub fn dequantise(
    file: &NetFile,
    shape: Shape,
    king_buckets: &KingBuckets,
    seed: u64,
) -> Result<Weights, FromError> {
    if file.hidden > shape.hidden {
        return Err(FromError::Narrower(file.hidden));
    }
    if file.output_buckets != shape.output_buckets {
        return Err(FromError::Outputs(file.output_buckets));
    }
    if file.sums != 0 && file.sums != shape.sums {
        return Err(FromError::Sums(file.sums));
    }
    let mut weights = Weights::random(shape, seed);
    let [features, shared, biases, outputs, output_biases, layers] = weights.parts_mut();
    // The index in a part that is stored by tile, with so many rows each.
    let place = |rows: usize, row: usize, neuron: usize| {
        (neuron / TILE * rows + row) * TILE + neuron % TILE
    };
    let old_buckets: Vec<usize> = (0..shape.king_buckets)
        .map(|bucket| {
            let square = king_buckets.iter().position(|&b| usize::from(b) == bucket);
            usize::from(file.king_buckets[square.unwrap_or(0)])
        })
        .collect();
    let weight = |row: usize, neuron| {
        f32::from(file.feature_weights[row * file.hidden + neuron]) / f32::from(QA)
    };
    for row in 0..THREAT_INPUTS {
        for neuron in 0..file.hidden {
            features[place(shape.features(), row, neuron)] = weight(row, neuron);
        }
    }
    for input in 0..INPUTS {
        for neuron in 0..file.hidden {
            let of_bucket = |old: &usize| weight(THREAT_INPUTS + old * INPUTS + input, neuron);
            let of_buckets: Vec<f32> = old_buckets.iter().map(of_bucket).collect();
            let mean = of_buckets.iter().sum::<f32>() / of_buckets.len() as f32;
            let common = if shared.is_empty() { 0.0 } else { mean };
            for (bucket, weight) in of_buckets.into_iter().enumerate() {
                let row = THREAT_INPUTS + bucket * INPUTS + input;
                features[place(shape.features(), row, neuron)] = weight - common;
            }
            if let Some(shared) = shared.get_mut(place(shape.shared(), input, neuron)) {
                *shared = common;
            }
        }
    }
    for (to, &bias) in biases.iter_mut().zip(&file.feature_biases) {
        *to = f32::from(bias) / f32::from(QA);
    }
    // A new second layer reads sums of its own.
    let new_sum = |sum: usize| sum / (1 + file.sums) * (1 + shape.sums) + sum % (1 + file.sums);
    for (row, old) in file.output_weights.chunks(file.hidden).enumerate() {
        let row = 2 * new_sum(row / 2) + row % 2;
        for neuron in 0..shape.hidden {
            let weight = old.get(neuron).map_or(0.0, |&weight| f32::from(weight) / f32::from(QB));
            outputs[place(2 * shape.outputs(), row, neuron)] = weight;
        }
    }
    for (sum, &bias) in file.output_biases.iter().enumerate() {
        output_biases[new_sum(sum)] = bias as f32 / OUTPUT_ONE as f32;
    }
    for (to, &weight) in layers.iter_mut().zip(&file.layers) {
        *to = weight;
    }
    Ok(weights)
}

/// The largest factor for the outputs with which the quantised network fits the engine's integers.
pub fn largest_factor(weights: &Weights) -> f32 {
    let shape = weights.shape;
    // Rounding up may add a half to each weight.
    let rounding = shape.hidden as f32;
    let most = ((i32::MAX - MAX_BIAS) / (i32::from(QA).pow(2) >> SQUARE_SHIFT)) as f32 - rounding;
    let (mut largest, mut sum) = (0.0f32, 0.0f32);
    for bucket in 0..shape.output_buckets {
        let first = bucket * (1 + shape.sums);
        let rows = (0..shape.tiles()).flat_map(|tile| weights.outputs(tile)[first].as_flattened());
        let terms: Vec<f32> = rows.flat_map(|columns| columns.to_array()).collect();
        let part = |sign: f32| terms.iter().map(|term| (sign * term).max(0.0)).sum::<f32>();
        largest = terms.iter().fold(largest, |largest, term| largest.max(term.abs()));
        sum = sum.max(part(1.0)).max(part(-1.0));
    }
    (f32::from(i16::MAX) / largest).min(most / sum) / f32::from(QB)
}

/// The engine's evaluations, as logits like those of the trainer.
pub fn outputs(file: &NetFile, batch: &Microbatch) -> Vec<f32> {
    let rows: Vec<&[i16]> = file.output_weights.chunks(file.hidden).collect();
    let active: Vec<Vec<i16>> =
        batch.perspective_features().map(|features| activations(file, features)).collect();
    let output = |(perspectives, &bucket): (&[u16; 2], &u8)| {
        let (bucket, sums) = (usize::from(bucket), 1 + file.sums);
        let sum = |number: usize| {
            let of_sides = [0, 1].map(|side| {
                let terms =
                    active[usize::from(perspectives[side])].iter().zip(rows[2 * number + side]);
                terms.map(|(&active, &weight)| i32::from(active) * i32::from(weight)).sum::<i32>()
            });
            of_sides[0] + of_sides[1] + file.output_biases[number]
        };
        let first = sum(bucket * sums);
        let further: Vec<f32> = (1..sums)
            .map(|further| sum(bucket * sums + further) as f32 / OUTPUT_ONE as f32)
            .collect();
        let layer = file.layers.chunks(layer_size(file.sums).max(1)).nth(bucket).unwrap_or(&[]);
        let more = (layer_forward(layer, &further) * OUTPUT_ONE as f32) as i64;
        let score = (i64::from(first) + more) * SCORE_ONE as i64 / i64::from(OUTPUT_ONE);
        score as f32 / SCORE_ONE
    };
    batch.perspectives.iter().zip(&batch.output_buckets).map(output).collect()
}

/// A side's squared activations.
fn activations(file: &NetFile, features: &[u16]) -> Vec<i16> {
    let mut sums = file.feature_biases.clone();
    for &feature in features {
        let row = &file.feature_weights[usize::from(feature) * file.hidden..][..file.hidden];
        for (sum, weight) in sums.iter_mut().zip(row) {
            *sum += weight;
        }
    }
    for sum in &mut sums {
        let active = i32::from((*sum).clamp(0, QA));
        *sum = ((active * active) >> SQUARE_SHIFT) as i16;
    }
    sums
}

/// The mean absolute evaluation of the twelfth network, in centipawns.
///
/// A network learns to predict points, so its own scale depends on how decided the games were. The search's
/// margins are in centipawns. Before a network is written, its outputs are therefore multiplied so that the
/// mean absolute evaluation of fixed positions equals this.
pub const MEAN_EVALUATION: f64 = 256.1;

const BENCHMARK: &str = include_str!("../../engine/bench.fens");

/// Random playouts from each position of the benchmark, and their plies.
const PLAYOUTS: usize = 64;
const MOST_PLIES: usize = 6;

/// The largest evaluation by the teacher. More decided positions would dominate the mean.
const MOST_UNEVEN: i32 = 300;

/// The fixed positions.
pub fn fixed_positions() -> Vec<TrainingPosition> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(12);
    let mut positions = Vec::new();
    for start in BENCHMARK.lines().filter_map(|fen| fen.parse::<Position>().ok()) {
        for _ in 0..PLAYOUTS {
            let mut position = start;
            for _ in 0..random.random_range(0..=MOST_PLIES) {
                let Some(&mv) = position.legal_moves().choose(&mut random) else { break };
                position = position.after(mv);
            }
            if position.ending().is_none()
                && !position.in_check()
                && teacher_score(&position).abs() <= MOST_UNEVEN
            {
                positions.push(TrainingPosition::new(&position, 0, GameOutcome::Draw));
            }
        }
    }
    positions
}

/// The mean absolute evaluation, in centipawns.
pub fn mean_evaluation(outputs: &[f32]) -> f64 {
    let sum: f64 = outputs.iter().map(|&output| f64::from(output * SCORE_ONE).abs()).sum();
    sum / outputs.len() as f64
}

/// The factor that brings the outputs of a network to the unit, and whether the network's integers allow it;
/// otherwise the largest that they allow.
pub fn factor_of_unit(weights: &Weights, mean: f64) -> (f32, bool) {
    let (wanted, largest) = ((MEAN_EVALUATION / mean) as f32, largest_factor(weights));
    if wanted <= largest { (wanted, true) } else { (largest, false) }
}

#[cfg(test)]
mod tests {
    use super::super::gradient::tests::random_batch;
    use super::super::gradient::{Workspace, forward};
    use super::super::microbatch::Buckets;
    use super::super::weights::{KingLayout, Merged};
    use super::*;

    #[test]
    fn training_goes_on_from_integers() {
        let layout = KingLayout::Four.squares();
        let shape = Shape { hidden: 2 * TILE, king_buckets: 4, output_buckets: 3, sums: 2 };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut weights = Weights::random(shape, 1);
        for weight in weights.parts_mut()[0].iter_mut() {
            *weight += random.random_range(-0.03..0.03);
        }
        let file = quantise(&weights, &layout, 1.0);
        let same = dequantise(&file, shape, &layout, 2).unwrap();
        assert_eq!(quantise(&same, &layout, 1.0), file);

        // A larger network evaluates alike at first.
        let finer = KingLayout::Eight.squares();
        let wide = Shape { hidden: 3 * TILE, king_buckets: 8, ..shape };
        let wide = quantise(&dequantise(&file, wide, &finer, 2).unwrap(), &finer, 1.0);
        assert_eq!(wide.output_biases, file.output_biases);
        let of = |file: &NetFile, row: usize| {
            file.output_weights[row * file.hidden..][..2 * TILE].to_vec()
        };
        assert!((0..18).all(|row| of(&wide, row) == of(&file, row)));
        assert_eq!(wide.layers, file.layers);

        // So does one with a second layer.
        let plain = Shape { sums: 0, ..shape };
        let file = quantise(&Weights::random(plain, 1), &layout, 1.0);
        let more = quantise(&dequantise(&file, shape, &layout, 2).unwrap(), &layout, 1.0);
        assert!((0..6).all(|row| of(&more, row / 2 * 6 + row % 2) == of(&file, row)));
        let last = more.layers.chunks(layer_size(2)).map(|layer| &layer[layer.len() - NEURONS..]);
        assert!(last.flatten().all(|&weight| weight == 0.0));
        let other = Shape { sums: 1, ..shape };
        assert!(matches!(dequantise(&more, other, &layout, 2), Err(FromError::Sums(2))));

        let narrow = Shape { hidden: TILE, ..shape };
        assert!(matches!(dequantise(&file, narrow, &layout, 2), Err(FromError::Narrower(64))));
        let other = Shape { output_buckets: 2, ..shape };
        assert!(matches!(dequantise(&file, other, &layout, 2), Err(FromError::Outputs(3))));
    }

    #[test]
    fn quantised_outputs_are_nearly_the_same() {
        for (layout, sums) in [(KingLayout::One, 0), (KingLayout::Four, 3)] {
            let king_buckets = layout.count();
            let shape = Shape { hidden: 3 * TILE, king_buckets, output_buckets: 4, sums };
            let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
            let mut weights = Weights::random(shape, 1);
            // With a factoriser, the king buckets start at zero.
            for weight in weights.parts_mut()[0].iter_mut() {
                *weight += random.random_range(-0.03..0.03);
            }
            // A second layer adds nothing at first.
            let [.., layers] = weights.parts_mut();
            layers.iter_mut().for_each(|weight| *weight += random.random_range(-0.3..0.3));
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

    #[test]
    fn the_network_in_the_repository_has_the_unit() {
        let file = NetFile::parse(include_bytes!("../../engine/eval/zebu.net")).unwrap();
        let buckets = Buckets::of(&file);
        let mut batch = Microbatch::default();
        batch.fill(&fixed_positions(), &buckets, 0.0);
        let mean = mean_evaluation(&outputs(&file, &batch));
        assert!((mean / MEAN_EVALUATION - 1.0).abs() < 0.02, "{mean}");
    }

    #[test]
    fn factors_fit_the_integers() {
        let shape = Shape { hidden: 256, king_buckets: 1, output_buckets: 2, sums: 1 };
        let mut weights = Weights::random(shape, 1);
        for size in [0.01, 1.0, 1.9] {
            weights.parts_mut()[3].fill(size);
            let largest = largest_factor(&weights);
            let file = quantise(&weights, &[0; 32], largest);
            assert!(NetFile::parse(&file.to_bytes()).is_ok());
            assert!(!factor_of_unit(&weights, MEAN_EVALUATION / f64::from(2.0 * largest)).1);
            assert!(factor_of_unit(&weights, MEAN_EVALUATION / f64::from(0.5 * largest)).1);
        }
    }

    /// Weights read from a network are finite, and quantising them gives the network back.
    #[test]
    fn network_to_go_on_from() {
        let layout = KingLayout::One.squares();
        let shape = Shape { hidden: TILE, king_buckets: 1, output_buckets: 2, sums: 1 };
        let finer = KingLayout::Four.squares();
        let larger = Shape { hidden: 2 * TILE, king_buckets: 4, ..shape };
        let whole = quantise(&Weights::random(shape, 1), &layout, 1.0).to_bytes();
        let corpus = vec![whole.clone(), whole[..64].to_vec(), whole[..whole.len() - 1].to_vec()];
        crate::fuzzer::fuzz("network_to_go_on_from", corpus, |bytes| {
            // The checksum would hide damage behind it.
            let read = NetFile::read(bytes).and_then(|file| NetFile::parse(&file.to_bytes()));
            let file = match read {
                Ok(file) => file,
                Err(error) => return error.to_string(),
            };
            for (shape, layout) in [(shape, layout), (larger, finer)] {
                match dequantise(&file, shape, &layout, 1) {
                    Ok(weights) => {
                        assert!(
                            weights.parts().iter().all(|part| part.iter().all(|n| n.is_finite()))
                        );
                        assert!(largest_factor(&weights) > 0.0);
                        let again = quantise(&weights, &layout, 1.0);
                        assert!(shape == larger || again.feature_weights == file.feature_weights);
                    }
                    Err(error) => return error.to_string(),
                }
            }
            "a network".to_string()
        });
    }
}
