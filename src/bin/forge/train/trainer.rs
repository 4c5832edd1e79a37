//! One batch after the other: gradients by all threads, then a step of the optimiser.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::gradient::{MICROBATCH, Microbatch, Workspace, backward};
use super::optimiser::{Optimiser, Pace};
use super::order::Order;
use super::record::{Goal, Record};
use super::weights::{INPUTS, Shape, Weights};

pub struct Trainer {
    goal: Goal,
    workers: Vec<Worker>,
}

/// What one thread works with.
struct Worker {
    gradient: Weights,
    batch: Microbatch,
    work: Workspace,
    loss: f64,
}

/// Records in a random order.
#[derive(Clone, Copy)]
pub struct Shuffled<'a> {
    pub records: &'a [Record],
    pub order: Order,
}

impl Shuffled<'_> {
    /// The records at some places. First their numbers, then all records at once: memory answers
    /// many questions in the time of one.
    fn at(&self, places: Range<usize>) -> Vec<Record> {
        let numbers: Vec<usize> = places.map(|place| self.order.at(place)).collect();
        numbers.into_iter().map(|number| self.records[number]).collect()
    }
}

impl Trainer {
    /// A trainer for networks of this shape, with all threads of the present pool.
    pub fn new(shape: Shape, goal: Goal) -> Trainer {
        let worker = || Worker {
            gradient: Weights::zero(shape),
            batch: Microbatch::default(),
            work: Workspace::default(),
            loss: 0.0,
        };
        Trainer { goal, workers: (0..rayon::current_num_threads()).map(|_| worker()).collect() }
    }

    /// Takes one step by the records at these places, and gives the sum of their losses before.
    pub fn learn(
        &mut self,
        weights: &mut Weights,
        optimiser: &mut Optimiser,
        from: Shuffled,
        places: Range<usize>,
        pace: Pace,
    ) -> f64 {
        let next = AtomicUsize::new(places.start);
        let (goal, now) = (self.goal, &*weights);
        self.workers.par_iter_mut().with_max_len(1).for_each(|worker| {
            worker.gradient.clear();
            worker.loss = 0.0;
            loop {
                let first = next.fetch_add(MICROBATCH, Relaxed);
                if first >= places.end {
                    break;
                }
                let end = places.end.min(first + MICROBATCH);
                worker.learn(now, goal, &from.at(first..end));
            }
        });
        let gradients: Vec<&Weights> = self.workers.iter().map(|worker| &worker.gradient).collect();
        optimiser.step(weights, &gradients, places.len(), pace);
        self.workers.iter().map(|worker| worker.loss).sum()
    }
}

impl Worker {
    fn learn(&mut self, weights: &Weights, goal: Goal, records: &[Record]) {
        self.batch.clear();
        for record in records {
            record.expand(weights.shape.buckets, goal, &mut self.batch);
        }
        self.batch.index();
        let loss = backward(weights, &self.batch, &mut self.work, &mut self.gradient);
        self.loss += f64::from(loss);
    }
}

/// Weights to begin with: small, random and, by layer, of such a size that neurons are in the part
/// of their range where they learn.
pub fn first_weights(shape: Shape, seed: u64) -> Weights {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut weights = Weights::zero(shape);
    let [features, _, outputs, _] = weights.parts_mut();
    for (part, inputs) in [(features, INPUTS), (outputs, 2 * shape.hidden)] {
        // A flat spread to either side that varies as much as 2 / inputs.
        let reach = (6.0 / inputs as f32).sqrt();
        part.iter_mut().for_each(|weight| *weight = random.random_range(-reach..reach));
    }
    weights
}
