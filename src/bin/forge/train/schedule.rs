//! Which chunks are trained on, in which order.

use std::vec;

use super::data_set::{Chunk, DataSet};
use super::permutation::mix;

/// Chunks without end: all of an epoch, then all of the next one in another order.
pub struct Schedule<'a> {
    data_set: &'a DataSet,
    /// Positions in a chunk.
    capacity: usize,
    seed: u64,
    epochs: u64,
    rest: vec::IntoIter<Chunk>,
}

impl<'a> Schedule<'a> {
    pub fn new(data_set: &'a DataSet, capacity: usize, seed: u64) -> Schedule<'a> {
        Schedule { data_set, capacity, seed, epochs: 0, rest: Vec::new().into_iter() }
    }

    pub fn next(&mut self) -> Chunk {
        loop {
            // A data set is not empty.
            if let Some(chunk) = self.rest.next() {
                return chunk;
            }
            let seed = mix(self.seed.wrapping_add(self.epochs));
            self.rest = self.data_set.chunks(self.capacity, seed).into_iter();
            self.epochs += 1;
        }
    }
}
