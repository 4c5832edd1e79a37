//! Forward and backward pass over a microbatch.

use bytemuck::Zeroable;
use wide::{f32x16, i16x32};

use super::merged::{Merged, MergedRow, ONE, unpack};
use super::microbatch::Microbatch;
use super::weights::{Row, Weights};
use crate::sigmoid::sigmoid;

/// Buffers of one thread.
#[derive(Default)]
pub struct Workspace {
    /// The clipped sums of the hidden layer, by tile and perspective.
    clipped: Vec<MergedRow>,
    /// The terms of each position's output, by column of a tile.
    terms: Vec<f32x16>,
    /// The network's output for each position: the logit of the expected points.
    pub outputs: Vec<f32>,
    /// By position, of the loss as a function of the output.
    slopes: Vec<f32>,
    /// By perspective, of the loss as a function of the hidden sums of a tile.
    hidden_slopes: Vec<Row>,
}

/// The outputs of all positions.
pub fn forward(weights: &Weights, merged: &Merged, batch: &Microbatch, work: &mut Workspace) {
    work.clipped.clear();
    work.terms.clear();
    work.terms.resize(batch.len(), f32x16::ZERO);
    for tile in 0..weights.shape.tiles() {
        let (rows, bias) = merged.tile(tile);
        let start = work.clipped.len();
        let sums = batch.perspective_features().map(|features| sum(bias, rows, features));
        work.clipped.extend(sums.map(clip));
        let (clipped, outputs) = (&work.clipped[start..], weights.outputs(tile));
        for ((perspectives, &bucket), terms) in
            batch.perspectives.iter().zip(&batch.output_buckets).zip(&mut work.terms)
        {
            for (&perspective, weights) in perspectives.iter().zip(&outputs[usize::from(bucket)]) {
                for (x, &weight) in
                    unpack(clipped[usize::from(perspective)]).into_iter().zip(weights)
                {
                    *terms = (x * x).mul_add(weight, *terms);
                }
            }
        }
    }
    let bias = |&bucket: &u8| weights.output_biases[usize::from(bucket)];
    let biases = batch.output_buckets.iter().map(bias);
    let outputs =
        biases.zip(&work.terms).map(|(bias, terms)| bias + terms.reduce_add() / (ONE * ONE));
    work.outputs.clear();
    work.outputs.extend(outputs);
}

/// Adds the gradient of the squared errors to `gradient`, and returns their sum.
pub fn backward(
    weights: &Weights,
    merged: &Merged,
    batch: &Microbatch,
    work: &mut Workspace,
    gradient: &mut Weights,
) -> f32 {
    forward(weights, merged, batch, work);
    let mut loss = 0.0;
    work.slopes.clear();
    for ((&output, &target), &bucket) in
        work.outputs.iter().zip(&batch.targets).zip(&batch.output_buckets)
    {
        let expected = sigmoid(output);
        let error = expected - target;
        let slope = 2.0 * error * expected * (1.0 - expected);
        loss += error * error;
        gradient.output_biases[usize::from(bucket)] += slope;
        work.slopes.push(slope);
    }
    let rows = &mut work.hidden_slopes;
    rows.clear();
    rows.resize(2 * batch.len() + 1, Row::zeroed());
    for (tile, clipped) in work.clipped.chunks_exact(2 * batch.len()).enumerate() {
        let (outputs, gradient) = (weights.outputs(tile), gradient.tile_mut(tile));
        let mut bias = *gradient.bias;
        for ((perspectives, &bucket), &slope) in
            batch.perspectives.iter().zip(&batch.output_buckets).zip(&work.slopes)
        {
            let bucket = usize::from(bucket);
            let weights = outputs[bucket].iter().zip(&mut gradient.outputs[bucket]);
            for (&perspective, (weights, gradient)) in perspectives.iter().zip(weights) {
                let perspective = usize::from(perspective);
                let row = backpropagate(clipped[perspective], weights, slope, gradient);
                add(&mut bias, &row);
                rows[perspective] = row;
            }
        }
        *gradient.bias = bias;
        for (&feature, users) in batch.user_features.iter().zip(&batch.users) {
            let [a, b, c, d] = users.map(|user| &rows[usize::from(user)]);
            for (column, gradient) in gradient.features[usize::from(feature)].iter_mut().enumerate()
            {
                *gradient += (a[column] + b[column]) + (c[column] + d[column]);
            }
        }
    }
    loss
}

#[inline(always)]
fn add(to: &mut Row, row: &Row) {
    for (to, row) in to.iter_mut().zip(row) {
        *to += *row;
    }
}

/// The sums of the hidden layer for these features.
#[inline(always)]
fn sum(bias: MergedRow, rows: &[MergedRow], features: &[u16]) -> MergedRow {
    let (fours, rest) = features.as_chunks::<4>();
    let row = |feature: u16| rows[usize::from(feature)];
    let sum = fours.iter().fold(bias, |sum, four| {
        four.iter().fold(sum, |sum, &feature| sum.saturating_add(row(feature)))
    });
    rest.iter().fold(sum, |sum, &feature| sum.saturating_add(row(feature)))
}

#[inline(always)]
fn clip(row: MergedRow) -> MergedRow {
    row.max(i16x32::ZERO).min(i16x32::splat(ONE as i16))
}

/// Adds to the gradient of the output weights, and returns the slopes of the hidden sums.
#[inline(always)]
fn backpropagate(clipped: MergedRow, weights: &Row, slope: f32, gradient: &mut Row) -> Row {
    let (of_square, of_sum) =
        (f32x16::splat(slope / (ONE * ONE)), f32x16::splat(2.0 * slope / ONE));
    let clipped = unpack(clipped);
    std::array::from_fn(|i| {
        let x = clipped[i];
        gradient[i] = (x * x).mul_add(of_square, gradient[i]);
        let inside = x.simd_lt(f32x16::splat(ONE));
        inside & (x * (weights[i] * of_sum))
    })
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::train::optimiser::{Optimiser, Rates};
    use crate::train::weights::{INPUTS, Shape, TILE};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    const SHAPES: [Shape; 2] = [
        Shape { hidden: 2 * TILE, king_buckets: 1, output_buckets: 3 },
        Shape { hidden: 2 * TILE, king_buckets: 3, output_buckets: 2 },
    ];

    /// Any features: the passes do not care whether a position can have them.
    pub fn random_batch(random: &mut impl RngExt, shape: Shape) -> Microbatch {
        let mut batch = Microbatch::default();
        for position in 0..50 {
            for _ in 0..2 {
                for _ in 0..random.random_range(2..=32) {
                    batch.features.push(random.random_range(0..shape.features() as u16));
                }
                batch.ends.push(batch.features.len());
            }
            // The order of perspectives is free.
            batch.perspectives.push([99 - position, position]);
            batch.output_buckets.push(random.random_range(0..shape.output_buckets as u8));
            batch.targets.push(random.random_range(0.0..1.0));
        }
        batch.transpose(shape.features());
        batch
    }

    /// Random weights that the passes read exactly.
    fn random_weights(shape: Shape, random: &mut impl RngExt) -> Weights {
        let mut weights = Weights::random(shape, 2);
        let [features, shared, biases, ..] = weights.parts_mut();
        for weight in features.iter_mut().chain(shared).chain(biases) {
            *weight += random.random_range(-0.05..0.05);
            *weight = (*weight * ONE).round() / ONE;
        }
        weights
    }

    /// The same in plain code. In the parts of `Weights` the rows of a tile are contiguous.
    fn reference(weights: &Weights, batch: &Microbatch) -> (f64, [Vec<f64>; 5]) {
        let shape = weights.shape;
        let parts = weights.parts().map(|part| part.iter().map(|&x| f64::from(x)).collect());
        let [features, shared, biases, outputs, output_biases]: [Vec<f64>; 5] = parts;
        let mut slopes = weights.parts().map(|part| vec![0.0; part.len()]);
        let mut loss = 0.0;
        let place = |rows: usize, row: usize, column: usize| {
            (column / TILE * rows + row) * TILE + column % TILE
        };
        let places = |feature: u16, column: usize| {
            let feature = usize::from(feature);
            let shared = place(INPUTS, feature % INPUTS, column);
            (place(shape.features(), feature, column), (shape.shared() > 0).then_some(shared))
        };
        let all_features: Vec<&[u16]> = batch.perspective_features().collect();
        for (number, perspectives) in batch.perspectives.iter().enumerate() {
            let sides = perspectives.map(|perspective| all_features[usize::from(perspective)]);
            let bucket = usize::from(batch.output_buckets[number]);
            let neuron = |side: usize, column: usize| {
                let weights = sides[side].iter().map(|&feature| {
                    let (own, common) = places(feature, column);
                    features[own] + common.map_or(0.0, |common| shared[common])
                });
                biases[column] + weights.sum::<f64>()
            };
            let output_place =
                |side, column| place(2 * shape.output_buckets, 2 * bucket + side, column);
            let mut output = output_biases[bucket];
            for side in 0..2 {
                for column in 0..shape.hidden {
                    let active = neuron(side, column).clamp(0.0, 1.0);
                    output += active * active * outputs[output_place(side, column)];
                }
            }
            let chance = 1.0 / (1.0 + (-output).exp());
            let error = chance - f64::from(batch.targets[number]);
            let slope = 2.0 * error * chance * (1.0 - chance);
            loss += error * error;
            slopes[4][bucket] += slope;
            for (side, features) in sides.iter().enumerate() {
                for column in 0..shape.hidden {
                    let sum = neuron(side, column);
                    let active = sum.clamp(0.0, 1.0);
                    let weight = output_place(side, column);
                    slopes[3][weight] += slope * active * active;
                    if (0.0..1.0).contains(&sum) {
                        let slope = slope * outputs[weight] * 2.0 * active;
                        slopes[2][column] += slope;
                        for &feature in *features {
                            let (own, common) = places(feature, column);
                            slopes[0][own] += slope;
                            if let Some(common) = common {
                                slopes[1][common] += slope;
                            }
                        }
                    }
                }
            }
        }
        (loss, slopes)
    }

    fn assert_close(found: &[f32], reference: &[f64]) {
        let difference = found.iter().zip(reference).map(|(&x, y)| (f64::from(x) - y).powi(2));
        let size: f64 = reference.iter().map(|x| x * x).sum();
        let error = (difference.sum::<f64>() / size).sqrt();
        assert!(error < 1e-5, "the gradient is off by {error}");
    }

    #[test]
    fn the_gradient_is_that_of_plain_code() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for shape in SHAPES {
            let weights = random_weights(shape, &mut random);
            let batch = random_batch(&mut random, shape);
            let mut gradient = Weights::gradient(shape);
            let mut work = Workspace::default();
            let merged = Merged::new(&weights);
            let loss = backward(&weights, &merged, &batch, &mut work, &mut gradient);
            let (reference_loss, reference_gradient) = reference(&weights, &batch);
            assert!((f64::from(loss) / reference_loss - 1.0).abs() < 1e-5);
            for (number, (found, reference)) in
                gradient.parts().into_iter().zip(&reference_gradient).enumerate()
            {
                if number != 1 {
                    assert_close(found, reference);
                }
            }
            // The optimiser makes the factoriser's gradient. After a step the first moments are its tenth.
            let mut optimiser = Optimiser::new(shape);
            let rates = Rates { learning_rate: 0.0, weight_decay: 0.0 };
            let (mut weights, mut merged) = (weights, merged);
            optimiser.step(&mut weights, &mut merged, &mut [&mut gradient], 1, rates);
            for (found, reference) in
                optimiser.moments[0].parts().into_iter().zip(reference_gradient)
            {
                let found: Vec<f32> = found.iter().map(|moment| moment / 0.1).collect();
                if !found.is_empty() {
                    assert_close(&found, &reference);
                }
            }
        }
    }

    #[test]
    fn the_plain_gradient_matches_finite_differences() {
        const STEP: f32 = 1.0 / 1024.0;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        for shape in SHAPES {
            let weights = random_weights(shape, &mut random);
            let batch = random_batch(&mut random, shape);
            let (_, slopes) = reference(&weights, &batch);
            for (part, slopes) in slopes.iter().enumerate().filter(|(_, part)| !part.is_empty()) {
                let steepest = slopes.iter().map(|slope| slope.abs()).fold(0.0, f64::max);
                for _ in 0..10 {
                    let place = random.random_range(0..slopes.len());
                    let loss_at = |step: f32| {
                        let mut weights = weights.clone();
                        let weight = &mut weights.parts_mut()[part][place];
                        let before = *weight;
                        *weight += step;
                        let moved = f64::from(*weight) - f64::from(before);
                        (reference(&weights, &batch).0, moved)
                    };
                    let ((above, up), (below, down)) = (loss_at(STEP), loss_at(-STEP));
                    let slope = (above - below) / (up - down);
                    assert!((slope - slopes[place]).abs() < 1e-3 * steepest);
                }
            }
        }
    }
}
