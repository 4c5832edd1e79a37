//! Training on a batch: gradients by all threads, then a step of the optimiser.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use super::gradient::{Workspace, backward};
use super::merged::Merged;
use super::microbatch::{Buckets, Microbatch, microbatch_size};
use super::optimiser::{Optimiser, Rates};
use super::permutation::Permutation;
use super::training_position::TrainingPosition;
use super::weights::Weights;

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

/// Positions in a random order.
#[derive(Clone, Copy)]
pub struct Shuffled<'a> {
    pub positions: &'a [TrainingPosition],
    pub permutation: Permutation,
}

impl Shuffled<'_> {
    /// All indices come first, so that the cache misses of the positions overlap.
    fn get(&self, range: Range<usize>) -> Vec<TrainingPosition> {
        let indices: Vec<usize> = range.map(|index| self.permutation.at(index)).collect();
        indices.into_iter().map(|index| self.positions[index]).collect()
    }
}

impl Trainer {
    /// For these weights, with all threads of the present pool.
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

    /// One step by the positions of this range. Returns the sum of their losses before it.
    pub fn train_batch(
        &mut self,
        weights: &mut Weights,
        optimiser: &mut Optimiser,
        shuffled: Shuffled,
        batch: Range<usize>,
        rates: Rates,
    ) -> f64 {
        let next = AtomicUsize::new(batch.start);
        let size = microbatch_size(weights.shape.king_buckets);
        let (now, merged, buckets, wdl) = (&*weights, &self.merged, &self.buckets, self.wdl);
        self.workers.par_iter_mut().with_max_len(1).for_each(|worker| {
            worker.loss = 0.0;
            loop {
                let first = next.fetch_add(size, Relaxed);
                if first >= batch.end {
                    break;
                }
                let end = batch.end.min(first + size);
                worker.batch.fill(&shuffled.get(first..end), buckets, wdl);
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
