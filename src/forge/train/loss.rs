//! The loss on held-out positions, and the loss curve.

use std::fmt::Write;

use bytemuck::{Pod, Zeroable};
use engine::eval::file::{NetFile, king_bucket_count};
use plotters::style::{BLUE, RED};
use rayon::prelude::*;

use super::gradient::{Workspace, forward};
use super::microbatch::{Buckets, Microbatch, TrainingPosition, microbatch_size};
use super::quantised;
use super::weights::{Merged, Weights};
use crate::charts::{self, Chart, ChartError, Points, Series};
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

/// Validates a network in training.
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

/// Validates a network in the engine's integers, whose outputs were multiplied by a factor.
pub fn validate_quantised(
    file: &NetFile,
    factor: f32,
    wdl: f32,
    positions: &[TrainingPosition],
) -> ValidationLoss {
    mean_loss(&Buckets::of(file), wdl, positions, |batch| {
        quantised::outputs(file, batch).into_iter().map(|output| output / factor).collect()
    })
}

/// The outputs of a network in the engine's integers.
pub fn outputs_of(file: &NetFile, positions: &[TrainingPosition]) -> Vec<f32> {
    let buckets = Buckets::of(file);
    let of_part = |positions: &[TrainingPosition]| {
        let mut batch = Microbatch::default();
        batch.fill(positions, &buckets, 0.0);
        quantised::outputs(file, &batch)
    };
    let size = microbatch_size(king_bucket_count(&buckets.king));
    positions.par_chunks(size).flat_map_iter(of_part).collect()
}

/// The log loss of the results, as predicted by the scores in the games.
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

const SIZE: (u32, u32) = (960, 540);

/// A point of the loss curve, after a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct LossPoint {
    /// Positions trained on so far, repetitions included.
    pub positions: f64,
    pub learning_rate: f64,
    /// Mean squared errors.
    pub training: f64,
    pub validation: f64,
    /// The log loss of the results in the validation set.
    pub results: f64,
}

pub fn csv(points: &[LossPoint]) -> String {
    let mut text =
        "positions,learning rate,training loss,validation loss,log loss of results\n".to_string();
    for point in points {
        let LossPoint { positions, learning_rate, training, validation, results } = point;
        writeln!(
            text,
            "{positions},{learning_rate:.3e},{training:.6},{validation:.6},{results:.6}"
        )
        .ok();
    }
    text
}

pub fn svg(points: &[LossPoint]) -> Result<String, ChartError> {
    let line = |loss: fn(&LossPoint) -> f64| -> Points {
        points.iter().map(|point| (point.positions / 1e6, loss(point))).collect()
    };
    // The first chunk begins with random weights, and its mean would dwarf all later ones.
    let training = line(|point| point.training).split_off(points.len().min(1));
    let validation = line(|point| point.validation);
    let last = validation.last().map_or(0.0, |point| point.0);
    let losses = || training.iter().chain(&validation).map(|point| point.1);
    let (least, most) = (losses().fold(f64::MAX, f64::min), losses().fold(0.0, f64::max));
    let chart = Chart {
        name: "mean squared error by million positions: training blue, validation red".to_string(),
        x: 0.0..last,
        y: (0.99 * least)..(1.01 * most),
        series: vec![Series::Line(BLUE, training), Series::Line(RED, validation)],
    };
    charts::svg(&[chart], 1, SIZE)
}
