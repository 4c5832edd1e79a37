//! Forward and backward pass over a microbatch.

use wide::f32x16;

use super::weights::{INPUTS, Row, Weights};

/// Positions of a microbatch: they pass through a tile of the weights together.
pub const MICROBATCH: usize = 256;

/// Positions as inputs of the network.
#[derive(Default)]
pub struct Microbatch {
    /// The features of each position in turn, from the side to move's perspective and the opponent's.
    pub own: Vec<u16>,
    pub other: Vec<u16>,
    /// Where each position's features end.
    pub ends: Vec<usize>,
    pub buckets: Vec<u8>,
    /// The expected points that the network should predict.
    pub targets: Vec<f32>,
    /// The transpose, feature after feature: the perspectives that have it, numbered by position and
    /// side.
    users: Vec<u16>,
    /// Where the users of each feature end.
    user_ends: Vec<usize>,
}

impl Microbatch {
    /// Fills in the transpose, by which [`backward`] touches the gradient of each feature once.
    pub fn transpose(&mut self) {
        let mut ends = vec![0; INPUTS + 1];
        for &feature in self.own.iter().chain(&self.other) {
            ends[usize::from(feature) + 1] += 1;
        }
        for feature in 0..INPUTS {
            ends[feature + 1] += ends[feature];
        }
        let mut users = std::mem::take(&mut self.users);
        users.resize(self.own.len() + self.other.len(), 0);
        for (position, features) in self.features().enumerate() {
            for (side, features) in features.into_iter().enumerate() {
                for &feature in features {
                    let place = &mut ends[usize::from(feature)];
                    users[*place] = (2 * position + side) as u16;
                    *place += 1;
                }
            }
        }
        self.users = users;
        self.user_ends = ends;
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn clear(&mut self) {
        self.own.clear();
        self.other.clear();
        self.ends.clear();
        self.buckets.clear();
        self.targets.clear();
    }

    /// The features of each position in turn.
    pub fn features(&self) -> impl Iterator<Item = [&[u16]; 2]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let place = start..end;
            start = end;
            [&self.own[place.clone()], &self.other[place]]
        })
    }
}

/// Buffers of one thread.
#[derive(Default)]
pub struct Workspace {
    /// The clipped sums of the hidden layer, by tile and position.
    clamped: Vec<[Row; 2]>,
    /// The network's output for each position: the logit of the expected points.
    pub outputs: Vec<f32>,
    slopes: Vec<f32>,
}

pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The outputs of all positions.
pub fn forward(weights: &Weights, batch: &Microbatch, work: &mut Workspace) {
    let bias = |&bucket: &u8| weights.output_biases[usize::from(bucket)];
    work.outputs.clear();
    work.outputs.extend(batch.buckets.iter().map(bias));
    work.clamped.clear();
    for tile in 0..weights.shape.tiles() {
        let tile = weights.tile(tile);
        for ((features, bucket), output) in
            batch.features().zip(&batch.buckets).zip(&mut work.outputs)
        {
            let clamped = features.map(|features| clamp(sum(tile.bias, tile.features, features)));
            *output += weighted_squares(&clamped, &tile.outputs[usize::from(*bucket)]);
            work.clamped.push(clamped);
        }
    }
}

/// Adds the gradient of the squared errors to `gradient`, and returns their sum.
pub fn backward(
    weights: &Weights,
    batch: &Microbatch,
    work: &mut Workspace,
    gradient: &mut Weights,
) -> f32 {
    forward(weights, batch, work);
    let mut loss = 0.0;
    work.slopes.clear();
    for ((&output, &target), &bucket) in work.outputs.iter().zip(&batch.targets).zip(&batch.buckets)
    {
        let expected = sigmoid(output);
        let error = expected - target;
        let slope = 2.0 * error * expected * (1.0 - expected);
        loss += error * error;
        gradient.output_biases[usize::from(bucket)] += slope;
        work.slopes.push(slope);
    }
    for (number, rows) in work.clamped.chunks_exact_mut(batch.len()).enumerate() {
        let tile = weights.tile(number);
        let gradient = gradient.tile_mut(number);
        for ((rows, &bucket), &slope) in rows.iter_mut().zip(&batch.buckets).zip(&work.slopes) {
            let bucket = usize::from(bucket);
            let weights = &tile.outputs[bucket];
            let gradients = &mut gradient.outputs[bucket];
            for ((row, weights), outputs) in rows.iter_mut().zip(weights).zip(gradients) {
                *row = backpropagate(row, weights, slope, outputs);
                add(gradient.bias, row);
            }
        }
        let rows = rows.as_flattened();
        let mut start = 0;
        for (gradient, &end) in gradient.features.iter_mut().zip(&batch.user_ends) {
            *gradient = sum(gradient, rows, &batch.users[start..end]);
            start = end;
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
fn sum(bias: &Row, rows: &[Row], features: &[u16]) -> Row {
    let mut sum = *bias;
    for &feature in features {
        add(&mut sum, &rows[usize::from(feature)]);
    }
    sum
}

#[inline(always)]
fn clamp(row: Row) -> Row {
    row.map(|x| x.fast_max(f32x16::ZERO).fast_min(f32x16::ONE))
}

#[inline(always)]
fn weighted_squares(clamped: &[Row; 2], weights: &[Row; 2]) -> f32 {
    let pairs = clamped.as_flattened().iter().zip(weights.as_flattened());
    pairs.fold(f32x16::ZERO, |sum, (&x, &weight)| (x * x).mul_add(weight, sum)).reduce_add()
}

/// Adds to the gradient of the output weights, and returns the slopes of the hidden sums.
#[inline(always)]
fn backpropagate(clamped: &Row, weights: &Row, slope: f32, gradient: &mut Row) -> Row {
    let slope = f32x16::splat(slope);
    std::array::from_fn(|i| {
        let x = clamped[i];
        gradient[i] = (x * x).mul_add(slope, gradient[i]);
        let inside = x.simd_lt(f32x16::ONE);
        inside & ((x + x) * (weights[i] * slope))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::weights::{Shape, TILE};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    const SHAPE: Shape = Shape { hidden: 2 * TILE, buckets: 3 };

    fn random_batch(random: &mut impl RngExt) -> Microbatch {
        let mut batch = Microbatch::default();
        for _ in 0..50 {
            for _ in 0..random.random_range(2..=32) {
                batch.own.push(random.random_range(0..INPUTS as u16));
                batch.other.push(random.random_range(0..INPUTS as u16));
            }
            batch.ends.push(batch.own.len());
            batch.buckets.push(random.random_range(0..SHAPE.buckets as u8));
            batch.targets.push(random.random_range(0.0..1.0));
        }
        batch.transpose();
        batch
    }

    /// The same in plain code. In the parts of `Weights` the rows of a tile are contiguous.
    fn reference(weights: &Weights, batch: &Microbatch) -> (f64, [Vec<f64>; 4]) {
        let parts = weights.parts().map(|part| part.iter().map(|&x| f64::from(x)).collect());
        let [features, biases, outputs, output_biases]: [Vec<f64>; 4] = parts;
        let mut slopes = weights.parts().map(|part| vec![0.0; part.len()]);
        let mut loss = 0.0;
        let place = |rows: usize, row: usize, column: usize| {
            (column / TILE * rows + row) * TILE + column % TILE
        };
        for (number, sides) in batch.features().enumerate() {
            let bucket = usize::from(batch.buckets[number]);
            let neuron = |side: usize, column: usize| {
                let weights = sides[side]
                    .iter()
                    .map(|&feature| features[place(INPUTS, usize::from(feature), column)]);
                biases[column] + weights.sum::<f64>()
            };
            let output_place = |side, column| place(2 * SHAPE.buckets, 2 * bucket + side, column);
            let mut output = output_biases[bucket];
            for side in 0..2 {
                for column in 0..SHAPE.hidden {
                    let active = neuron(side, column).clamp(0.0, 1.0);
                    output += active * active * outputs[output_place(side, column)];
                }
            }
            let chance = 1.0 / (1.0 + (-output).exp());
            let error = chance - f64::from(batch.targets[number]);
            let slope = 2.0 * error * chance * (1.0 - chance);
            loss += error * error;
            slopes[3][bucket] += slope;
            for (side, features) in sides.iter().enumerate() {
                for column in 0..SHAPE.hidden {
                    let sum = neuron(side, column);
                    let active = sum.clamp(0.0, 1.0);
                    let weight = output_place(side, column);
                    slopes[2][weight] += slope * active * active;
                    if (0.0..1.0).contains(&sum) {
                        let slope = slope * outputs[weight] * 2.0 * active;
                        slopes[1][column] += slope;
                        for &feature in *features {
                            slopes[0][place(INPUTS, usize::from(feature), column)] += slope;
                        }
                    }
                }
            }
        }
        (loss, slopes)
    }

    #[test]
    fn the_gradient_is_that_of_plain_code() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let weights = Weights::random(SHAPE, 2);
        let batch = random_batch(&mut random);
        let mut gradient = Weights::zero(SHAPE);
        let loss = backward(&weights, &batch, &mut Workspace::default(), &mut gradient);
        let (reference_loss, reference_gradient) = reference(&weights, &batch);
        assert!((f64::from(loss) / reference_loss - 1.0).abs() < 1e-5);
        for (found, reference) in gradient.parts().into_iter().zip(reference_gradient) {
            let difference = found.iter().zip(&reference).map(|(&x, y)| (f64::from(x) - y).powi(2));
            let size: f64 = reference.iter().map(|x| x * x).sum();
            let error = (difference.sum::<f64>() / size).sqrt();
            assert!(error < 1e-5, "the gradient is off by {error}");
        }
    }

    #[test]
    fn the_plain_gradient_matches_finite_differences() {
        const STEP: f32 = 1.0 / 1024.0;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let weights = Weights::random(SHAPE, 4);
        let batch = random_batch(&mut random);
        let (_, slopes) = reference(&weights, &batch);
        for (part, slopes) in slopes.iter().enumerate() {
            let steepest = slopes.iter().map(|slope| slope.abs()).fold(0.0, f64::max);
            for _ in 0..20 {
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
