//! How weights follow their gradient: Adam with decoupled decay of the weights (Loshchilov and
//! Hutter, 2017).

use rayon::prelude::*;

use super::weights::{Shape, Weights};

const FIRST_SHARE: f32 = 0.9;
const SECOND_SHARE: f32 = 0.999;
const TINY: f32 = 1e-8;

/// Bounds of [`Weights::parts`], so that the quantised network is the same one.
const BOUNDS: [f32; 4] = [1.98, f32::INFINITY, 127.0 / 64.0, f32::INFINITY];

/// Numbers that one thread works on at a time.
const CHUNK: usize = 4096;

/// At first the rate grows, while the moments settle.
const WARM_UP_STEPS: f32 = 100.0;

/// The last rate, as a share of the first.
const LAST_RATE: f64 = 0.01;

pub struct Optimiser {
    pub steps: u64,
    /// Means of the gradient and of its square.
    pub moments: [Weights; 2],
}

/// How far a step goes, and how fast weights decay that nothing holds.
#[derive(Clone, Copy)]
pub struct Pace {
    pub rate: f32,
    pub decay: f32,
}

/// The rate after a share of the training: half a wave of a cosine down to a hundredth.
pub fn rate_at(first: f64, done: f64) -> f32 {
    let high = (1.0 + (std::f64::consts::PI * done.min(1.0)).cos()) / 2.0;
    (first * (LAST_RATE + (1.0 - LAST_RATE) * high)) as f32
}

impl Optimiser {
    pub fn new(shape: Shape) -> Optimiser {
        Optimiser { steps: 0, moments: [Weights::zero(shape), Weights::zero(shape)] }
    }

    /// One step against the mean of the gradients, of which each is a sum over its part of `count`
    /// positions.
    pub fn step(
        &mut self,
        weights: &mut Weights,
        gradients: &[&Weights],
        count: usize,
        pace: Pace,
    ) {
        self.steps += 1;
        let steps = self.steps as f32;
        let step = Step {
            share: 1.0 / count as f32,
            rate: pace.rate * (steps / WARM_UP_STEPS).min(1.0),
            decay: pace.decay,
            first: 1.0 / (1.0 - FIRST_SHARE.powf(steps)),
            second: 1.0 / (1.0 - SECOND_SHARE.powf(steps)),
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
                step.take(weights, first, second, sum, BOUNDS[part]);
            });
        }
    }
}

/// What a step does to each weight.
struct Step {
    /// What a position counts.
    share: f32,
    rate: f32,
    decay: f32,
    /// What makes up for moments that began with 0.
    first: f32,
    second: f32,
}

impl Step {
    fn take(
        &self,
        weights: &mut [f32],
        first: &mut [f32],
        second: &mut [f32],
        slopes: &[f32],
        bound: f32,
    ) {
        let moments = first.iter_mut().zip(second);
        for ((weight, (first, second)), &slope) in weights.iter_mut().zip(moments).zip(slopes) {
            let slope = slope * self.share;
            *first += (1.0 - FIRST_SHARE) * (slope - *first);
            *second += (1.0 - SECOND_SHARE) * (slope * slope - *second);
            let down = *first * self.first / ((*second * self.second).sqrt() + TINY);
            *weight = (*weight - self.rate * (down + self.decay * *weight)).clamp(-bound, bound);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::weights::TILE;

    #[test]
    fn weights_go_down_to_the_least_loss_and_stay_in_bounds() {
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
            let pace = Pace { rate: rate_at(0.01, f64::from(step) / 2000.0), decay: 0.0 };
            optimiser.step(&mut weights, &[&gradient], 1, pace);
        }
        let [features, _, outputs, _] = weights.parts();
        assert!(features.iter().all(|weight| (weight - 1.5).abs() < 1e-2));
        assert!(outputs.iter().all(|&weight| weight == 127.0 / 64.0));
    }

    #[test]
    fn the_rate_falls_to_a_hundredth() {
        assert_eq!(rate_at(0.001, 0.0), 0.001);
        assert!((rate_at(0.001, 1.0) - 0.00001).abs() < 1e-9);
    }
}
