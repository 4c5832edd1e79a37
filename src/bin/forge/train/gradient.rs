//! Forward and backward pass over a microbatch.

use bytemuck::Zeroable;
use wide::{f32x16, i16x32};

use super::merged::{Merged, MergedRow, ONE, unpack};
use super::microbatch::Microbatch;
use super::second_layer;
use super::weights::{Row, Weights};
use crate::sigmoid::sigmoid;

/// Buffers of one thread.
#[derive(Default)]
pub struct Workspace {
    /// The clipped sums of the hidden layer, by tile and perspective.
    clipped: Vec<MergedRow>,
    /// The terms of each sum of each position's output, by column of a tile.
    terms: Vec<f32x16>,
    /// These sums.
    sums: Vec<f32>,
    /// The network's output for each position: the logit of the expected points.
    pub outputs: Vec<f32>,
    /// By position and sum, of the loss as a function of the sum.
    slopes: Vec<f32>,
    /// By perspective, of the loss as a function of the hidden sums of a tile.
    hidden_slopes: Vec<Row>,
}

/// The outputs of all positions.
pub fn forward(weights: &Weights, merged: &Merged, batch: &Microbatch, work: &mut Workspace) {
    work.clipped.clear();
    work.terms.clear();
    let sums = 1 + weights.shape.sums;
    work.terms.resize(batch.len() * sums, f32x16::ZERO);
    for tile in 0..weights.shape.tiles() {
        let (rows, bias) = merged.tile(tile);
        let start = work.clipped.len();
        let hidden = batch.perspective_features().map(|features| sum(bias, rows, features));
        work.clipped.extend(hidden.map(clip));
        let (clipped, outputs) = (&work.clipped[start..], weights.outputs(tile));
        for ((perspectives, &bucket), terms) in
            batch.perspectives.iter().zip(&batch.output_buckets).zip(work.terms.chunks_mut(sums))
        {
            let outputs = &outputs[usize::from(bucket) * sums..][..sums];
            for (side, &perspective) in perspectives.iter().enumerate() {
                let squares = unpack(clipped[usize::from(perspective)]).map(|x| x * x);
                for (terms, weights) in terms.iter_mut().zip(outputs) {
                    for (&square, &weight) in squares.iter().zip(&weights[side]) {
                        *terms = square.mul_add(weight, *terms);
                    }
                }
            }
        }
    }
    work.sums.clear();
    work.outputs.clear();
    for (terms, &bucket) in work.terms.chunks(sums).zip(&batch.output_buckets) {
        let bucket = usize::from(bucket);
        let start = work.sums.len();
        let biases = &weights.output_biases[bucket * sums..][..sums];
        let all = terms.iter().zip(biases);
        work.sums.extend(all.map(|(terms, bias)| bias + terms.reduce_add() / (ONE * ONE)));
        let further = &work.sums[start + 1..];
        work.outputs.push(work.sums[start] + second_layer::forward(weights.layer(bucket), further));
    }
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
    let sums = 1 + weights.shape.sums;
    work.slopes.clear();
    work.slopes.resize(batch.len() * sums, 0.0);
    let of_positions = work.slopes.chunks_mut(sums).zip(work.sums.chunks(sums));
    for ((&output, (slopes, sums)), (&target, &bucket)) in
        work.outputs.iter().zip(of_positions).zip(batch.targets.iter().zip(&batch.output_buckets))
    {
        let bucket = usize::from(bucket);
        let expected = sigmoid(output);
        let error = expected - target;
        let slope = 2.0 * error * expected * (1.0 - expected);
        loss += error * error;
        slopes[0] = slope;
        let (layer, of_layer) = (weights.layer(bucket), gradient.layer_mut(bucket));
        second_layer::backward(layer, &sums[1..], slope, of_layer, &mut slopes[1..]);
        let biases = &mut gradient.output_biases[bucket * sums.len()..][..sums.len()];
        biases.iter_mut().zip(&*slopes).for_each(|(bias, slope)| *bias += slope);
    }
    let rows = &mut work.hidden_slopes;
    rows.clear();
    rows.resize(2 * batch.len() + 1, Row::zeroed());
    for (tile, clipped) in work.clipped.chunks_exact(2 * batch.len()).enumerate() {
        let (outputs, gradient) = (weights.outputs(tile), gradient.tile_mut(tile));
        let mut bias = *gradient.bias;
        for ((perspectives, &bucket), slopes) in
            batch.perspectives.iter().zip(&batch.output_buckets).zip(work.slopes.chunks(sums))
        {
            let first = usize::from(bucket) * sums;
            let (weights, gradient) = (&outputs[first..], &mut gradient.outputs[first..]);
            for (side, &perspective) in perspectives.iter().enumerate() {
                let perspective = usize::from(perspective);
                let weights = weights.iter().zip(gradient.iter_mut()).zip(slopes);
                let weights = weights.map(|((weights, gradient), &slope)| {
                    (&weights[side], &mut gradient[side], slope)
                });
                let row = backpropagate(clipped[perspective], weights);
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

/// Adds to the gradients of the output weights, each with its slope, and returns the slopes of the
/// hidden sums.
#[inline(always)]
fn backpropagate<'a>(
    clipped: MergedRow,
    weights: impl Iterator<Item = (&'a Row, &'a mut Row, f32)>,
) -> Row {
    let clipped = unpack(clipped);
    let mut of_squares = Row::zeroed();
    for (weights, gradient, slope) in weights {
        let of_square = f32x16::splat(slope / (ONE * ONE));
        let of_sum = f32x16::splat(2.0 * slope / ONE);
        for i in 0..clipped.len() {
            let x = clipped[i];
            gradient[i] = (x * x).mul_add(of_square, gradient[i]);
            of_squares[i] = weights[i].mul_add(of_sum, of_squares[i]);
        }
    }
    std::array::from_fn(|i| {
        let x = clipped[i];
        x.simd_lt(f32x16::splat(ONE)) & (x * of_squares[i])
    })
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::train::optimiser::{Optimiser, Rates};
    use crate::train::weights::{INPUTS, PARTS, Shape, THREAT_INPUTS, TILE};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use zebu::eval::file::{NEURONS, layer_size};

    const SHAPES: [Shape; 2] = [
        Shape { hidden: 2 * TILE, king_buckets: 1, output_buckets: 3, sums: 0 },
        Shape { hidden: 2 * TILE, king_buckets: 3, output_buckets: 2, sums: 2 },
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
        let [features, shared, biases, .., layers] = weights.parts_mut();
        for weight in features.iter_mut().chain(shared).chain(biases) {
            *weight += random.random_range(-0.05..0.05);
            *weight = (*weight * ONE).round() / ONE;
        }
        layers.iter_mut().for_each(|weight| *weight += random.random_range(-0.3..0.3));
        weights
    }

    /// The same in plain code. In the parts of `Weights` the rows of a tile are contiguous.
    fn reference(weights: &Weights, batch: &Microbatch) -> (f64, [Vec<f64>; PARTS]) {
        let shape = weights.shape;
        let parts = weights.parts().map(|part| part.iter().map(|&x| f64::from(x)).collect());
        let [features, shared, biases, outputs, output_biases, layers]: [Vec<f64>; PARTS] = parts;
        let mut slopes = weights.parts().map(|part| vec![0.0; part.len()]);
        let mut loss = 0.0;
        let place = |rows: usize, row: usize, column: usize| {
            (column / TILE * rows + row) * TILE + column % TILE
        };
        let places = |feature: u16, column: usize| {
            let feature = usize::from(feature);
            let shared = place(INPUTS, feature % INPUTS, column);
            let has_shared = shape.shared() > 0 && feature >= THREAT_INPUTS;
            (place(shape.features(), feature, column), has_shared.then_some(shared))
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
            let output_place = |side, column, sum| {
                let rows = 2 * shape.outputs();
                place(rows, 2 * (bucket * (1 + shape.sums) + sum) + side, column)
            };
            let neurons: Vec<(usize, usize, f64)> = (0..2)
                .flat_map(|side| (0..shape.hidden).map(move |column| (side, column)))
                .map(|(side, column)| (side, column, neuron(side, column)))
                .collect();
            let first_sum = bucket * (1 + shape.sums);
            let sums: Vec<f64> = (0..=shape.sums)
                .map(|sum| {
                    let terms = neurons.iter().map(|&(side, column, x)| {
                        x.clamp(0.0, 1.0).powi(2) * outputs[output_place(side, column, sum)]
                    });
                    output_biases[first_sum + sum] + terms.sum::<f64>()
                })
                .collect();
            let first = bucket * layer_size(shape.sums);
            let (more, of_sums, of_layer) = reference_layer(&layers[first..], &sums[1..]);
            let chance = 1.0 / (1.0 + (-sums[0] - more).exp());
            let error = chance - f64::from(batch.targets[number]);
            let slope = 2.0 * error * chance * (1.0 - chance);
            loss += error * error;
            for (to, of_layer) in slopes[5][first..].iter_mut().zip(of_layer) {
                *to += slope * of_layer;
            }
            for (sum, of_sum) in std::iter::once(1.0).chain(of_sums).enumerate() {
                let slope = slope * of_sum;
                slopes[4][first_sum + sum] += slope;
                for &(side, column, sum_of_hidden) in &neurons {
                    let active = sum_of_hidden.clamp(0.0, 1.0);
                    let weight = output_place(side, column, sum);
                    slopes[3][weight] += slope * active * active;
                    if (0.0..1.0).contains(&sum_of_hidden) {
                        let slope = slope * outputs[weight] * 2.0 * active;
                        slopes[2][column] += slope;
                        for &feature in sides[side] {
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

    /// A second layer's output, and its derivatives by the sums and by the layer's numbers.
    fn reference_layer(layer: &[f64], sums: &[f64]) -> (f64, Vec<f64>, Vec<f64>) {
        let active = |sum: f64| {
            [(sum.clamp(0.0, 1.0), f64::from((0.0..1.0).contains(&sum))), {
                let inside = if sum.abs() < 1.0 { 2.0 * sum } else { 0.0 };
                ((sum * sum).min(1.0), inside)
            }]
        };
        let inputs: Vec<(f64, f64)> = sums.iter().flat_map(|&sum| active(sum)).collect();
        let (biases, outputs) = (inputs.len() * NEURONS, (inputs.len() + 1) * NEURONS);
        let (mut output, mut of_sums) = (0.0, vec![0.0; sums.len()]);
        let mut of_layer = vec![0.0; layer_size(sums.len())];
        for neuron in (0..NEURONS).take(of_layer.len()) {
            let terms = inputs.iter().enumerate();
            let terms = terms.map(|(place, (input, _))| input * layer[place * NEURONS + neuron]);
            let sum = layer[biases + neuron] + terms.sum::<f64>();
            let clipped = sum.clamp(0.0, 1.0);
            output += clipped * clipped * layer[outputs + neuron];
            of_layer[outputs + neuron] = clipped * clipped;
            let slope = if sum < 1.0 { 2.0 * clipped * layer[outputs + neuron] } else { 0.0 };
            of_layer[biases + neuron] = slope;
            for (place, (input, inside)) in inputs.iter().enumerate() {
                of_layer[place * NEURONS + neuron] = slope * input;
                of_sums[place / 2] += slope * layer[place * NEURONS + neuron] * inside;
            }
        }
        (output, of_sums, of_layer)
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
                if number != 1 && !found.is_empty() {
                    assert_close(found, reference);
                }
            }
            // The optimiser makes the factoriser's gradient. After a step the first moments are its tenth.
            let mut optimiser = Optimiser::new(shape);
            let (learning_rate, weight_decay) = (0.0, 0.0);
            let rates =
                Rates { learning_rate, feature_share: 1.0, threat_share: 1.0, weight_decay };
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
        // Small, so that hardly a sum passes the end of its range.
        const STEP: f32 = 1.0 / 16384.0;
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
