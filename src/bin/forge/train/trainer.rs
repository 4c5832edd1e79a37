//! Training on a batch: gradients by all threads, then a step of the optimiser.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use super::gradient::{MICROBATCH, Microbatch, Workspace, backward};
use super::optimiser::{Optimiser, Rates};
use super::permutation::Permutation;
use super::training_position::{Target, TrainingPosition};
use super::weights::{Shape, Weights};

pub struct Trainer {
    target: Target,
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
    /// For networks of this shape, with all threads of the present pool.
    pub fn new(shape: Shape, target: Target) -> Trainer {
        let worker = || Worker {
            gradient: Weights::zero(shape),
            batch: Microbatch::default(),
            work: Workspace::default(),
            loss: 0.0,
        };
        Trainer { target, workers: (0..rayon::current_num_threads()).map(|_| worker()).collect() }
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
        let (target, now) = (self.target, &*weights);
        self.workers.par_iter_mut().with_max_len(1).for_each(|worker| {
            worker.gradient.clear();
            worker.loss = 0.0;
            loop {
                let first = next.fetch_add(MICROBATCH, Relaxed);
                if first >= batch.end {
                    break;
                }
                let end = batch.end.min(first + MICROBATCH);
                worker.add_gradient(now, target, &shuffled.get(first..end));
            }
        });
        let gradients: Vec<&Weights> = self.workers.iter().map(|worker| &worker.gradient).collect();
        optimiser.step(weights, &gradients, batch.len(), rates);
        self.workers.iter().map(|worker| worker.loss).sum()
    }
}

impl Worker {
    fn add_gradient(&mut self, weights: &Weights, target: Target, positions: &[TrainingPosition]) {
        self.batch.clear();
        for position in positions {
            position.expand(weights.shape.buckets, target, &mut self.batch);
        }
        self.batch.transpose();
        let loss = backward(weights, &self.batch, &mut self.work, &mut self.gradient);
        self.loss += f64::from(loss);
    }
}
