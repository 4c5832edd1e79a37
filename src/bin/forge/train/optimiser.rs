//! AdamW: Adam with decoupled weight decay (Loshchilov and Hutter, 2017).

use rayon::prelude::*;

use super::weights::{Shape, Weights};

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// Weights are clipped to these bounds of [`Weights::parts`], within which they can be quantised.
const BOUNDS: [f32; 4] = [1.98, f32::INFINITY, 127.0 / 64.0, f32::INFINITY];

/// Weights in a thread's unit of work.
const CHUNK: usize = 4096;

/// The learning rate grows linearly while the moments settle.
const WARM_UP_STEPS: f32 = 100.0;

/// The last learning rate, as a share of the first.
const FINAL_SHARE: f64 = 0.01;

pub struct Optimiser {
    pub steps: u64,
    /// Moving averages of the gradient and of its square.
    pub moments: [Weights; 2],
}

#[derive(Clone, Copy)]
pub struct Rates {
    pub learning_rate: f32,
    pub weight_decay: f32,
}

/// Cosine decay: the learning rate after a share of the training.
pub fn learning_rate_at(first: f64, done: f64) -> f32 {
    let cosine = (1.0 + (std::f64::consts::PI * done.min(1.0)).cos()) / 2.0;
    (first * (FINAL_SHARE + (1.0 - FINAL_SHARE) * cosine)) as f32
}

impl Optimiser {
    pub fn new(shape: Shape) -> Optimiser {
        Optimiser { steps: 0, moments: [Weights::zero(shape), Weights::zero(shape)] }
    }

    /// One step against the gradient of a batch of `count` positions, which is given in parts.
    pub fn step(
        &mut self,
        weights: &mut Weights,
        gradients: &[&Weights],
        count: usize,
        rates: Rates,
    ) {
        self.steps += 1;
        let steps = self.steps as f32;
        let step = Step {
            gradient_scale: 1.0 / count as f32,
            learning_rate: rates.learning_rate * (steps / WARM_UP_STEPS).min(1.0),
            weight_decay: rates.weight_decay,
            first_correction: 1.0 / (1.0 - BETA_1.powf(steps)),
            second_correction: 1.0 / (1.0 - BETA_2.powf(steps)),
        };
        let [first, second] = &mut self.moments;
        let parts = weights.parts_mut().into_iter().zip(first.parts_mut()).zip(second.parts_mut());
        for (part, ((weights, first), second)) in parts.enumerate() {
            let chunks = weights.par_chunks_mut(CHUNK);
            let moments = first.par_chunks_mut(CHUNK).zip(second.par_chunks_mut(CHUNK));
            chunks.zip(moments).enumerate().for_each(|(number, (weights, (first, second)))| {
                let mut sum = [0.0; CHUNK];
                let sum = &mut sum[..weights.len()];
                for gradient in gradients {
                    let gradient = &gradient.parts()[part][number * CHUNK..];
                    for (sum, &slope) in sum.iter_mut().zip(gradient) {
                        *sum += slope;
                    }
                }
                step.apply(weights, first, second, sum, BOUNDS[part]);
            });
        }
    }
}

/// The same for all weights.
struct Step {
    gradient_scale: f32,
    learning_rate: f32,
    weight_decay: f32,
    /// Bias corrections of the moments.
    first_correction: f32,
    second_correction: f32,
}

impl Step {
    fn apply(
        &self,
        weights: &mut [f32],
        first: &mut [f32],
        second: &mut [f32],
        slopes: &[f32],
        bound: f32,
    ) {
        let moments = first.iter_mut().zip(second);
        for ((weight, (first, second)), &slope) in weights.iter_mut().zip(moments).zip(slopes) {
            let slope = slope * self.gradient_scale;
            *first += (1.0 - BETA_1) * (slope - *first);
            *second += (1.0 - BETA_2) * (slope * slope - *second);
            let root = (*second * self.second_correction).sqrt() + EPSILON;
            let change = *first * self.first_correction / root + self.weight_decay * *weight;
            *weight = (*weight - self.learning_rate * change).clamp(-bound, bound);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::weights::TILE;

    #[test]
    fn weights_reach_the_minimum_within_bounds() {
        let shape = Shape { hidden: TILE, buckets: 1 };
        let mut weights = Weights::zero(shape);
        let mut optimiser = Optimiser::new(shape);
        // The loss is the squared distance to 1.5, or to 3 beyond the bounds.
        for step in 0..2000 {
            let mut gradient = Weights::zero(shape);
            for (number, (slopes, weights)) in
                gradient.parts_mut().into_iter().zip(weights.parts()).enumerate()
            {
                let goal = if number == 2 { 3.0 } else { 1.5 };
                for (slope, weight) in slopes.iter_mut().zip(weights) {
                    *slope = 2.0 * (weight - goal);
                }
            }
            let learning_rate = learning_rate_at(0.01, f64::from(step) / 2000.0);
            let rates = Rates { learning_rate, weight_decay: 0.0 };
            optimiser.step(&mut weights, &[&gradient], 1, rates);
        }
        let [features, _, outputs, _] = weights.parts();
        assert!(features.iter().all(|weight| (weight - 1.5).abs() < 1e-2));
        assert!(outputs.iter().all(|&weight| weight == 127.0 / 64.0));
    }

    #[test]
    fn the_learning_rate_falls_to_a_hundredth() {
        assert_eq!(learning_rate_at(0.001, 0.0), 0.001);
        assert!((learning_rate_at(0.001, 1.0) - 0.00001).abs() < 1e-9);
    }
}
