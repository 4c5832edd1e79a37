//! Training on a batch: gradients by all threads, then a step of AdamW, which is Adam with decoupled weight
//! decay (Loshchilov and Hutter, 2017).

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use bytemuck::cast_slice_mut;
use rayon::prelude::*;

use super::gradient::{Workspace, backward};
use super::microbatch::{Buckets, Microbatch, TrainingPosition, microbatch_size};
use super::weights::{
    INPUTS, Merged, MergedRow, PARTS, Row, Shape, THREAT_INPUTS, TILE, Weights, merge,
};

pub struct Trainer {
    pub buckets: Buckets,
    /// The share of the results in the targets.
    pub wdl: f32,
    pub merged: Merged,
    workers: Vec<Worker>,
}

/// One thread's gradient and buffers.
struct Worker {
    gradient: Weights,
    batch: Microbatch,
    work: Workspace,
    loss: f64,
}

impl Trainer {
    /// For these weights, with all threads of the current pool.
    pub fn new(weights: &Weights, buckets: Buckets, wdl: f32) -> Trainer {
        let worker = || Worker {
            gradient: Weights::gradient(weights.shape),
            batch: Microbatch::default(),
            work: Workspace::default(),
            loss: 0.0,
        };
        let workers = (0..rayon::current_num_threads()).map(|_| worker()).collect();
        Trainer { buckets, wdl, merged: Merged::new(weights), workers }
    }

    /// Takes one step on some of the positions. Returns the sum of their losses before it.
    pub fn train_batch(
        &mut self,
        weights: &mut Weights,
        optimiser: &mut Optimiser,
        positions: &[TrainingPosition],
        batch: &[u32],
        rates: Rates,
    ) -> f64 {
        let next = AtomicUsize::new(0);
        let size = microbatch_size(weights.shape.king_buckets);
        let (now, merged, buckets, wdl) = (&*weights, &self.merged, &self.buckets, self.wdl);
        self.workers.par_iter_mut().with_max_len(1).for_each(|worker| {
            worker.loss = 0.0;
            loop {
                let number = next.fetch_add(1, Relaxed);
                let Some(part) = batch.chunks(size).nth(number) else { break };
                let part: Vec<TrainingPosition> =
                    part.iter().map(|&place| positions[place as usize]).collect();
                worker.batch.fill(&part, buckets, wdl);
                worker.batch.transpose(now.shape.features());
                let Worker { batch, work, gradient, loss } = worker;
                *loss += f64::from(backward(now, merged, batch, work, gradient));
            }
        });
        let mut gradients: Vec<&mut Weights> =
            self.workers.iter_mut().map(|worker| &mut worker.gradient).collect();
        optimiser.step(weights, &mut self.merged, &mut gradients, batch.len(), rates);
        self.workers.iter().map(|worker| worker.loss).sum()
    }
}

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The bounds of each of [`Weights::parts`], within which weights can be quantised. A feature's own weights
/// and the factoriser's share theirs.
fn bounds(shape: Shape) -> [f32; PARTS] {
    let feature = if shape.shared() > 0 { FEATURE_BOUND / 2.0 } else { FEATURE_BOUND };
    [feature, feature, f32::INFINITY, OUTPUT_BOUND, f32::INFINITY, LAYER_BOUND]
}

const FEATURE_BOUND: f32 = 1.98;
/// Far larger than any trained weight, and small enough to be written.
const OUTPUT_BOUND: f32 = 4.0;
const LAYER_BOUND: f32 = 4.0;

/// Inputs whose king buckets are updated together, so that the factoriser's gradient and the merged rows cost
/// no loads.
const INPUTS_TOGETHER: usize = 16;
const BLOCK: usize = INPUTS_TOGETHER * TILE;

/// The learning rate grows linearly while the moments settle.
const WARM_UP_STEPS: f32 = 100.0;

/// The last learning rate, as a share of the first.
const FINAL_SHARE: f64 = 0.001;

pub struct Optimiser {
    pub steps: u64,
    /// Moving averages of the gradient and of its square.
    pub moments: [Weights; 2],
    /// The weights that training started from, towards which weights are pulled.
    start: Weights,
}

#[derive(Clone, Copy)]
pub struct Rates {
    pub learning_rate: f32,
    /// The learning rate of the hidden layer as a share of the others', and another one for threats.
    pub feature_share: f32,
    pub threat_share: f32,
    /// How strongly weights are pulled towards 0, and towards those that training started from.
    pub weight_decay: f32,
    pub pull: f32,
}

impl Default for Rates {
    fn default() -> Rates {
        Rates {
            learning_rate: 0.001,
            feature_share: 1.0,
            threat_share: 1.0,
            weight_decay: 0.0,
            pull: 0.0,
        }
    }
}

/// Cosine decay: the learning rate after a share of the training.
pub fn learning_rate_at(first: f64, done: f64) -> f32 {
    let cosine = (1.0 + (std::f64::consts::PI * done.min(1.0)).cos()) / 2.0;
    (first * (FINAL_SHARE + (1.0 - FINAL_SHARE) * cosine)) as f32
}

impl Optimiser {
    /// For a training that starts from these weights.
    pub fn new(start: &Weights) -> Optimiser {
        let zero = || Weights::zero(start.shape);
        Optimiser { steps: 0, moments: [zero(), zero()], start: start.clone() }
    }

    /// Takes one step against the gradient of a batch of `count` positions. The gradient is given in parts,
    /// and cleared.
    pub fn step(
        &mut self,
        weights: &mut Weights,
        merged: &mut Merged,
        gradients: &mut [&mut Weights],
        count: usize,
        rates: Rates,
    ) {
        self.steps += 1;
        let steps = self.steps as f32;
        let step = Step {
            gradient_scale: 1.0 / count as f32,
            learning_rate: rates.learning_rate * (steps / WARM_UP_STEPS).min(1.0),
            weight_decay: rates.weight_decay,
            pull: rates.pull,
            first_correction: 1.0 / (1.0 - BETA_1.powf(steps)),
            second_correction: 1.0 / (1.0 - BETA_2.powf(steps)),
        };
        let bounds = bounds(weights.shape);
        let ([first, second], start) = (&mut self.moments, &mut self.start);
        let mut tiles: Vec<FeatureTile> = weights
            .feature_tiles_mut()
            .zip(first.feature_tiles_mut().zip(second.feature_tiles_mut()))
            .zip(start.feature_tiles_mut().zip(merged.tiles_mut()))
            .map(|((weights, (first, second)), (start, merged))| FeatureTile {
                features: [weights.0, first.0, second.0, start.0],
                shared: [weights.1, first.1, second.1, start.1],
                gradients: Vec::new(),
                merged,
            })
            .collect();
        for gradient in gradients.iter_mut() {
            for (tile, (gradient, _)) in tiles.iter_mut().zip(gradient.feature_tiles_mut()) {
                tile.gradients.push(gradient);
            }
        }
        let [of_features, of_threats] = [rates.feature_share, rates.threat_share]
            .map(|share| Step { learning_rate: step.learning_rate * share, ..step });
        tiles.into_par_iter().for_each(|mut tile| {
            tile.step_threats(&of_threats, bounds[0]);
            tile.step_pieces(&of_features, bounds[0]);
        });

        let moments = first.parts_mut().into_iter().zip(second.parts_mut());
        let parts = weights.parts_mut().into_iter().zip(moments).zip(start.parts_mut());
        for (part, ((weights, (first, second)), start)) in parts.enumerate().skip(2) {
            let mut sum = vec![0.0; weights.len()];
            for gradient in gradients.iter_mut() {
                add_and_clear(&mut sum, gradient.parts_mut()[part]);
            }
            let step = if part == 2 { &of_features } else { &step };
            step.apply([weights, first, second, start], &sum, bounds[part]);
        }
        merged.merge_biases(weights);
    }
}

/// The optimiser's data for the feature weights of a tile.
struct FeatureTile<'a> {
    /// Weights, their two moments, and the weights at the start.
    features: [&'a mut [Row]; 4],
    shared: [&'a mut [Row]; 4],
    gradients: Vec<&'a mut [Row]>,
    merged: &'a mut [MergedRow],
}

impl FeatureTile<'_> {
    fn step_threats(&mut self, step: &Step, bound: f32) {
        for first in (0..THREAT_INPUTS).step_by(INPUTS_TOGETHER) {
            let rows = first..first + INPUTS_TOGETHER;
            self.step_rows(rows.clone(), step, bound);
            merge(&mut self.merged[rows.clone()], &self.features[0][rows], &[]);
        }
    }

    fn step_pieces(&mut self, step: &Step, bound: f32) {
        let king_buckets = (self.merged.len() - THREAT_INPUTS) / INPUTS;
        for input in (0..INPUTS).step_by(INPUTS_TOGETHER) {
            let rows = |bucket: usize| {
                let first = THREAT_INPUTS + bucket * INPUTS + input;
                first..first + INPUTS_TOGETHER
            };
            let mut total = [0.0; BLOCK];
            for bucket in 0..king_buckets {
                let sum = self.step_rows(rows(bucket), step, bound);
                for (total, slope) in total.iter_mut().zip(&sum) {
                    *total += slope;
                }
            }
            let of_shared = input..input + INPUTS_TOGETHER;
            let has_factoriser = !self.shared[0].is_empty();
            if has_factoriser {
                let parts = self.shared.each_mut().map(|part| &mut part[of_shared.clone()]);
                step.apply(parts.map(cast_slice_mut), &total, bound);
            }
            let shared = if has_factoriser { &self.shared[0][of_shared] } else { &[] };
            for bucket in 0..king_buckets {
                merge(&mut self.merged[rows(bucket)], &self.features[0][rows(bucket)], shared);
            }
        }
    }

    /// Updates some rows by the sum of their gradients, which is returned.
    #[inline(always)]
    fn step_rows(&mut self, rows: Range<usize>, step: &Step, bound: f32) -> [f32; BLOCK] {
        let mut sum = [0.0; BLOCK];
        for gradient in &mut self.gradients {
            add_and_clear(&mut sum, cast_slice_mut(&mut gradient[rows.clone()]));
        }
        let parts = self.features.each_mut().map(|part| &mut part[rows.clone()]);
        step.apply(parts.map(cast_slice_mut), &sum, bound);
        sum
    }
}

/// Adds numbers to others and sets them to 0.
fn add_and_clear(to: &mut [f32], numbers: &mut [f32]) {
    for (to, number) in to.iter_mut().zip(numbers) {
        *to += std::mem::take(number);
    }
}

/// The constants of one step.
#[derive(Clone, Copy)]
struct Step {
    gradient_scale: f32,
    learning_rate: f32,
    weight_decay: f32,
    pull: f32,
    /// Bias corrections of the moments.
    first_correction: f32,
    second_correction: f32,
}

impl Step {
    /// Updates weights, given with their two moments and the weights at the start.
    fn apply(&self, [weights, first, second, start]: [&mut [f32]; 4], slopes: &[f32], bound: f32) {
        let known = first.iter_mut().zip(second).zip(start);
        for ((weight, ((first, second), start)), &slope) in
            weights.iter_mut().zip(known).zip(slopes)
        {
            let slope = slope * self.gradient_scale;
            *first += (1.0 - BETA_1) * (slope - *first);
            *second += (1.0 - BETA_2) * (slope * slope - *second);
            let root = (*second * self.second_correction).sqrt() + EPSILON;
            let pull = self.weight_decay * *weight + self.pull * (*weight - *start);
            let change = *first * self.first_correction / root + pull;
            *weight = (*weight - self.learning_rate * change).clamp(-bound, bound);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { hidden: TILE, king_buckets: 2, output_buckets: 1, sums: 1 };

    #[test]
    fn weights_reach_the_minimum_within_bounds() {
        let shape = Shape { king_buckets: 1, ..SHAPE };
        let (mut weights, mut merged) = (Weights::zero(shape), Merged::new(&Weights::zero(shape)));
        let mut optimiser = Optimiser::new(&weights);
        let mut gradient = Weights::gradient(shape);
        // The loss is the squared distance to 1.5, or to 5, which is beyond the bounds.
        for step in 0..2000 {
            for (number, (slopes, weights)) in
                gradient.parts_mut().into_iter().zip(weights.parts()).enumerate()
            {
                let goal = if number == 3 { 5.0 } else { 1.5 };
                for (slope, weight) in slopes.iter_mut().zip(weights) {
                    *slope = 2.0 * (weight - goal);
                }
            }
            let learning_rate = learning_rate_at(0.01, f64::from(step) / 2000.0);
            let rates = Rates { learning_rate, ..Rates::default() };
            optimiser.step(&mut weights, &mut merged, &mut [&mut gradient], 1, rates);
            assert!(gradient.parts().into_iter().flatten().all(|&slope| slope == 0.0));
        }
        assert!((learning_rate_at(0.01, 1.0) - 0.00001).abs() < 1e-9);
        let [features, _, _, outputs, ..] = weights.parts();
        assert!(features.iter().all(|weight| (weight - 1.5).abs() < 1e-2));
        assert!(outputs.iter().all(|&weight| weight == OUTPUT_BOUND));
    }

    #[test]
    fn the_factoriser_learns_what_king_buckets_share() {
        let mut weights = Weights::random(SHAPE, 1);
        let (mut merged, mut optimiser) = (Merged::new(&weights), Optimiser::new(&weights));
        let mut gradients = [Weights::gradient(SHAPE), Weights::gradient(SHAPE)];
        // Both threads have a gradient for the first bucket, one of them for the second.
        let slopes = [[1.0, 1.0], [1.0, -2.0]];
        for (gradient, slopes) in gradients.iter_mut().zip(slopes) {
            let (tile, _) = gradient.feature_tiles_mut().next().unwrap();
            for (bucket, slope) in slopes.into_iter().enumerate() {
                tile[THREAT_INPUTS + bucket * INPUTS + 5] = [wide::f32x16::splat(slope); 2];
            }
        }
        let before = weights.clone();
        let rates = Rates { learning_rate: 0.1, ..Rates::default() };
        let mut gradients = gradients.each_mut();
        optimiser.step(&mut weights, &mut merged, &mut gradients, 1, rates);
        let change = |part: usize, row: usize| {
            weights.parts()[part][row * TILE] - before.parts()[part][row * TILE]
        };
        // Adam's first steps follow the sign, and are a hundredth while the rate warms up.
        for (part, row, expected) in
            [(0, 5, -0.001), (0, INPUTS + 5, 0.001), (1, 5, -0.001), (0, 6, 0.0), (1, 6, 0.0)]
        {
            let row = if part == 0 { THREAT_INPUTS + row } else { row };
            assert!((change(part, row) - expected).abs() < 1e-6, "part {part}, row {row}");
        }
        let again = Merged::new(&weights);
        assert!(merged.tile(0) == again.tile(0));
        assert!(merged.tile(0) != Merged::new(&before).tile(0));
    }

    #[test]
    fn without_a_gradient_weights_go_where_they_are_pulled() {
        let start = Weights::random(SHAPE, 1);
        for (weight_decay, pull, rest) in [(0.5, 0.0, 0.0), (0.0, 0.5, 1.0), (0.5, 0.5, 0.5)] {
            let mut weights = start.clone();
            weights.parts_mut().into_iter().flatten().for_each(|weight| *weight += 0.1);
            let (mut merged, mut optimiser) = (Merged::new(&weights), Optimiser::new(&start));
            let mut gradient = Weights::gradient(SHAPE);
            for _ in 0..200 {
                let rates = Rates { learning_rate: 0.2, weight_decay, pull, ..Rates::default() };
                optimiser.step(&mut weights, &mut merged, &mut [&mut gradient], 1, rates);
            }
            let pairs =
                weights.parts().into_iter().flatten().zip(start.parts().into_iter().flatten());
            assert!(pairs.clone().all(|(weight, start)| (weight - rest * start).abs() < 1e-4));
        }
    }
}
