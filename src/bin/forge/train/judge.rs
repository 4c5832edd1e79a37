//! How well a network foretells what it did not learn from.

use rayon::prelude::*;
use zebu::eval::file::NetFile;

use super::gradient::{MICROBATCH, Microbatch, Workspace, forward, sigmoid};
use super::quantised;
use super::record::{Goal, Record};
use super::weights::Weights;

/// Foretold chances are kept this far from certainty, whose failure would cost without end.
const DOUBT: f32 = 1e-6;

/// Means over all positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Verdict {
    /// The squared error against the goal.
    pub loss: f64,
    /// The log loss of the games' results.
    pub log_loss: f64,
}

/// Judges a network while it learns.
pub fn judge(weights: &Weights, goal: Goal, records: &[Record]) -> Verdict {
    judge_by(weights.shape.buckets, goal, records, |batch| {
        let mut work = Workspace::default();
        forward(weights, batch, &mut work);
        work.outputs
    })
}

/// Judges the network that the engine will play with.
pub fn judge_quantised(file: &NetFile, goal: Goal, records: &[Record]) -> Verdict {
    judge_by(file.buckets, goal, records, |batch| quantised::outputs(file, batch))
}

/// The log loss of the games' results as their own scores foretell them.
pub fn judge_scores(scale: f32, records: &[Record]) -> f64 {
    let chance = |record: &Record| sigmoid(f32::from(record.score) / scale);
    let losses = records.iter().map(|record| log_loss(chance(record), record));
    losses.sum::<f64>() / records.len() as f64
}

fn judge_by(
    buckets: usize,
    goal: Goal,
    records: &[Record],
    outputs: impl Fn(&Microbatch) -> Vec<f32> + Sync,
) -> Verdict {
    let verdicts: Vec<Verdict> = records
        .par_chunks(MICROBATCH)
        .map(|records| {
            let mut batch = Microbatch::default();
            records.iter().for_each(|record| record.expand(buckets, goal, &mut batch));
            let mut verdict = Verdict::default();
            for ((output, &target), record) in
                outputs(&batch).into_iter().zip(&batch.targets).zip(records)
            {
                let chance = sigmoid(output);
                verdict.loss += f64::from((chance - target).powi(2));
                verdict.log_loss += log_loss(chance, record);
            }
            verdict
        })
        .collect();
    let mean =
        |part: fn(&Verdict) -> f64| verdicts.iter().map(part).sum::<f64>() / records.len() as f64;
    Verdict { loss: mean(|verdict| verdict.loss), log_loss: mean(|verdict| verdict.log_loss) }
}

fn log_loss(chance: f32, record: &Record) -> f64 {
    let chance = f64::from(chance.clamp(DOUBT, 1.0 - DOUBT));
    let result = f64::from(record.result());
    -(result * chance.ln() + (1.0 - result) * (1.0 - chance).ln())
}
