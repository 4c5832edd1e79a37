//! The loss on positions that the network was not trained on.

use rayon::prelude::*;
use zebu::eval::file::{NetFile, king_bucket_count};

use super::gradient::{Workspace, forward};
use super::merged::Merged;
use super::microbatch::{Buckets, Microbatch, microbatch_size};
use super::quantised;
use super::training_position::TrainingPosition;
use super::weights::Weights;
use crate::sigmoid::sigmoid;

/// Predictions are kept this far from 0 and 1, where the log loss is infinite.
const EPSILON: f32 = 1e-6;

/// Means over all positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct ValidationLoss {
    /// The squared error against the target.
    pub squared_error: f64,
    /// The log loss of the results.
    pub log_loss: f64,
}

/// A network in training.
pub fn validate(
    weights: &Weights,
    merged: &Merged,
    buckets: &Buckets,
    wdl: f32,
    positions: &[TrainingPosition],
) -> ValidationLoss {
    mean_loss(buckets, wdl, positions, |batch| {
        let mut work = Workspace::default();
        forward(weights, merged, batch, &mut work);
        work.outputs
    })
}

/// A network in the integers of the engine, whose outputs were multiplied by a factor.
pub fn validate_quantised(
    file: &NetFile,
    factor: f32,
    wdl: f32,
    positions: &[TrainingPosition],
) -> ValidationLoss {
    let buckets = Buckets { king: file.king_buckets, outputs: file.output_buckets };
    mean_loss(&buckets, wdl, positions, |batch| {
        quantised::outputs(file, batch).into_iter().map(|output| output / factor).collect()
    })
}

/// The log loss of the results as predicted by the scores of the games.
pub fn scores_log_loss(positions: &[TrainingPosition]) -> f64 {
    let losses = positions.iter().map(|position| log_loss(position.expected(), position));
    losses.sum::<f64>() / positions.len() as f64
}

fn mean_loss(
    buckets: &Buckets,
    wdl: f32,
    positions: &[TrainingPosition],
    outputs: impl Fn(&Microbatch) -> Vec<f32> + Sync,
) -> ValidationLoss {
    let losses: Vec<ValidationLoss> = positions
        .par_chunks(microbatch_size(king_bucket_count(&buckets.king)))
        .map(|positions| {
            let mut batch = Microbatch::default();
            batch.fill(positions, buckets, wdl);
            let mut sum = ValidationLoss::default();
            for ((output, &target), position) in
                outputs(&batch).into_iter().zip(&batch.targets).zip(positions)
            {
                let expected = sigmoid(output);
                sum.squared_error += f64::from((expected - target).powi(2));
                sum.log_loss += log_loss(expected, position);
            }
            sum
        })
        .collect();
    let mean = |part: fn(&ValidationLoss) -> f64| {
        losses.iter().map(part).sum::<f64>() / positions.len() as f64
    };
    ValidationLoss {
        squared_error: mean(|loss| loss.squared_error),
        log_loss: mean(|loss| loss.log_loss),
    }
}

fn log_loss(expected: f32, position: &TrainingPosition) -> f64 {
    let expected = f64::from(expected.clamp(EPSILON, 1.0 - EPSILON));
    let result = f64::from(position.result());
    -(result * expected.ln() + (1.0 - result) * (1.0 - expected).ln())
}
