//! The forward and backward pass over a microbatch.

use bytemuck::Zeroable;
use engine::eval::activate;
use engine::eval::file::NEURONS;
use wide::{f32x16, i16x32};

use super::microbatch::Microbatch;
use super::weights::{Merged, MergedRow, ONE, Row, Weights, unpack};
use crate::sigmoid::sigmoid;

/// The buffers of one thread.
#[derive(Default)]
pub struct Workspace {
    /// The clipped sums of the hidden layer, by tile and perspective.
    clipped: Vec<MergedRow>,
    /// The terms of each sum of each position's output, by column of a tile.
    terms: Vec<f32x16>,
    /// The sums of the outputs.
    sums: Vec<f32>,
    /// The network's output for each position: the logit of the expected points.
    pub outputs: Vec<f32>,
    /// The derivatives of the loss by each sum, by position and sum.
    slopes: Vec<f32>,
    /// The derivatives of the loss by the hidden sums of a tile, by perspective.
    hidden_slopes: Vec<Row>,
}

/// Computes the outputs of all positions.
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
        work.outputs.push(work.sums[start] + layer_forward(weights.layer(bucket), further));
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
        layer_backward(layer, &sums[1..], slope, of_layer, &mut slopes[1..]);
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

/// Adds to the gradients of the output weights, each with its slope, and returns the slopes of the hidden
/// sums.
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

/// An output's second layer in the order of the file: the neurons' weights for each clipped sum and for its
/// square; the neurons' biases; their weights for the output.
struct SecondLayer<'a> {
    weights: &'a [[[f32; NEURONS]; 2]],
    biases: &'a [f32; NEURONS],
    outputs: &'a [f32; NEURONS],
}

impl SecondLayer<'_> {
    fn of(layer: &[f32]) -> Option<SecondLayer<'_>> {
        let [weights @ .., biases, outputs] = layer.as_chunks().0 else { return None };
        Some(SecondLayer { weights: weights.as_chunks().0, biases, outputs })
    }

    /// Added in the engine's order.
    fn neurons(&self, sums: &[f32]) -> [f32; NEURONS] {
        let mut parts = [*self.biases, [0.0; NEURONS]];
        for (&sum, weights) in sums.iter().zip(self.weights) {
            for ((part, active), weights) in parts.iter_mut().zip(activate(sum)).zip(weights) {
                for (neuron, weight) in part.iter_mut().zip(weights) {
                    *neuron += active * weight;
                }
            }
        }
        let [neurons, of_squares] = parts;
        std::array::from_fn(|number| neurons[number] + of_squares[number])
    }
}

/// The second layer's addition to the output.
pub fn layer_forward(layer: &[f32], sums: &[f32]) -> f32 {
    let Some(parts) = SecondLayer::of(layer) else { return 0.0 };
    let terms = parts.neurons(sums).into_iter().zip(parts.outputs);
    terms.map(|(neuron, weight)| neuron.clamp(0.0, 1.0).powi(2) * weight).sum()
}

/// Adds to the layer's gradient, given the slope of the loss by the output, and writes the slopes by the
/// sums.
fn layer_backward(
    layer: &[f32],
    sums: &[f32],
    slope: f32,
    gradient: &mut [f32],
    slopes: &mut [f32],
) {
    let Some(parts) = SecondLayer::of(layer) else { return };
    let neurons = parts.neurons(sums);
    let mut of_neurons = [0.0; NEURONS];
    let ([of_weights @ .., of_biases, of_outputs], _) = gradient.as_chunks_mut::<NEURONS>() else {
        return;
    };
    for (number, &neuron) in neurons.iter().enumerate() {
        let clipped = neuron.clamp(0.0, 1.0);
        of_outputs[number] += slope * clipped * clipped;
        if neuron < 1.0 {
            of_neurons[number] = slope * parts.outputs[number] * 2.0 * clipped;
        }
        of_biases[number] += of_neurons[number];
    }
    let rows = parts.weights.iter().zip(of_weights.as_chunks_mut::<2>().0);
    for ((&sum, (weights, gradients)), to) in sums.iter().zip(rows).zip(slopes) {
        let mut of_active = [0.0; 2];
        for (kind, active) in activate(sum).into_iter().enumerate() {
            for (number, &of_neuron) in of_neurons.iter().enumerate() {
                gradients[kind][number] += active * of_neuron;
                of_active[kind] += weights[kind][number] * of_neuron;
            }
        }
        let [of_clipped, of_square] = of_active;
        let clipped = if (0.0..1.0).contains(&sum) { of_clipped } else { 0.0 };
        let square = if sum.abs() < 1.0 { 2.0 * sum * of_square } else { 0.0 };
        *to = clipped + square;
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::optimiser::{Optimiser, Rates};
    use super::super::weights::{INPUTS, PARTS, Shape, THREAT_INPUTS, TILE};
    use super::*;
    use engine::eval::file::layer_size;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    const SHAPES: [Shape; 2] = [
        Shape { hidden: 2 * TILE, king_buckets: 1, output_buckets: 3, sums: 0 },
        Shape { hidden: 2 * TILE, king_buckets: 3, output_buckets: 2, sums: 2 },
    ];

    /// Random features: the passes do not care whether a position can have them.
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

    /// Random weights that 16 bits represent exactly.
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

    type Parts = [Vec<f64>; PARTS];

    fn exact(weights: &Weights) -> Parts {
        weights.parts().map(|part| part.iter().map(|&number| f64::from(number)).collect())
    }

    /// The loss in plain code. In the parts of `Weights` the rows of a tile are contiguous.
    fn plain_loss(shape: Shape, parts: &Parts, batch: &Microbatch) -> f64 {
        let [features, shared, biases, outputs, output_biases, layers] = parts;
        let place = |rows: usize, row: usize, column: usize| {
            (column / TILE * rows + row) * TILE + column % TILE
        };
        let weight = |feature: u16, column: usize| {
            let feature = usize::from(feature);
            let own = features[place(shape.features(), feature, column)];
            let has_shared = shape.shared() > 0 && feature >= THREAT_INPUTS;
            own + if has_shared { shared[place(INPUTS, feature % INPUTS, column)] } else { 0.0 }
        };
        let all_features: Vec<&[u16]> = batch.perspective_features().collect();
        let loss = |(number, perspectives): (usize, &[u16; 2])| {
            let squares = perspectives.map(|perspective| {
                let features = all_features[usize::from(perspective)];
                let neuron = |column: usize| {
                    let terms = features.iter().map(|&feature| weight(feature, column));
                    (biases[column] + terms.sum::<f64>()).clamp(0.0, 1.0).powi(2)
                };
                (0..shape.hidden).map(neuron).collect::<Vec<f64>>()
            });
            let bucket = usize::from(batch.output_buckets[number]);
            let sum = |sum: usize| {
                let number = bucket * (1 + shape.sums) + sum;
                let term = |side: usize, column: usize| {
                    let weight = place(2 * shape.outputs(), 2 * number + side, column);
                    squares[side][column] * outputs[weight]
                };
                let terms = (0..shape.hidden).map(|column| term(0, column) + term(1, column));
                output_biases[number] + terms.sum::<f64>()
            };
            let sums: Vec<f64> = (1..=shape.sums).map(sum).collect();
            let size = layer_size(shape.sums);
            let output = sum(0) + plain_layer(&layers[bucket * size..][..size], &sums);
            (1.0 / (1.0 + (-output).exp()) - f64::from(batch.targets[number])).powi(2)
        };
        batch.perspectives.iter().enumerate().map(loss).sum()
    }

    fn plain_layer(layer: &[f64], sums: &[f64]) -> f64 {
        let inputs: Vec<f64> =
            sums.iter().flat_map(|sum| [sum.clamp(0.0, 1.0), (sum * sum).min(1.0)]).collect();
        let rows: Vec<&[f64]> = layer.chunks(NEURONS).collect();
        let [weights @ .., biases, outputs] = &rows[..] else { return 0.0 };
        let neuron = |neuron: usize| {
            let terms = inputs.iter().zip(weights).map(|(input, row)| input * row[neuron]);
            (biases[neuron] + terms.sum::<f64>()).clamp(0.0, 1.0).powi(2) * outputs[neuron]
        };
        (0..NEURONS).map(neuron).sum()
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_plain_loss() {
        const STEP: f64 = 1e-6;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for shape in SHAPES {
            let weights = random_weights(shape, &mut random);
            let batch = random_batch(&mut random, shape);
            let (mut gradient, mut work) = (Weights::gradient(shape), Workspace::default());
            let mut merged = Merged::new(&weights);
            let loss = backward(&weights, &merged, &batch, &mut work, &mut gradient);
            let parts = exact(&weights);
            let plain = plain_loss(shape, &parts, &batch);
            assert!((f64::from(loss) / plain - 1.0).abs() < 1e-5);
            // The optimiser computes the factoriser's gradient: after a step, the first moments are a tenth
            // of it.
            let mut optimiser = Optimiser::new(&weights);
            let rates = Rates { learning_rate: 0.0, ..Rates::default() };
            optimiser.step(&mut weights.clone(), &mut merged, &mut [&mut gradient], 1, rates);
            let slopes =
                exact(&optimiser.moments[0]).map(|part| part.into_iter().map(|x| x * 10.0));
            for (part, slopes) in slopes.into_iter().enumerate().filter(|(_, part)| part.len() > 0)
            {
                let slopes: Vec<f64> = slopes.collect();
                let size = slopes.iter().map(|slope| slope * slope).sum::<f64>().sqrt();
                for _ in 0..8 {
                    // In a random direction, an error in any weight shows.
                    let direction: Vec<f64> = slopes
                        .iter()
                        .map(|_| if random.random_bool(0.5) { STEP } else { -STEP })
                        .collect();
                    let loss = |sign: f64| {
                        let mut parts = parts.clone();
                        for (weight, step) in parts[part].iter_mut().zip(&direction) {
                            *weight += sign * step;
                        }
                        plain_loss(shape, &parts, &batch)
                    };
                    let found = slopes.iter().zip(&direction).map(|(a, b)| a * b).sum::<f64>();
                    let error = ((loss(1.0) - loss(-1.0)) / 2.0 - found).abs() / STEP;
                    assert!(error < 1e-4 * size, "part {part}: {error} of {size}");
                }
            }
        }
    }
}
