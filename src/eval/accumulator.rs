//! The accumulators along a line of play, updated lazily.
//!
//! Beside its accumulators each ply keeps the position they belong to, and what has changed since is
//! what a comparison of two boards says. So making and unmaking moves costs nothing, and nothing is
//! computed before an evaluation is asked for.

use std::collections::TryReserveError;
use std::sync::Arc;

use super::features::Perspective;
use super::network::Network;
use super::shape::{KING_BUCKET_COUNT, KING_BUCKETS};
use super::simd;
use super::simd::Accumulator;
use crate::board::{Color, MAX_PIECES, Piece, Position, Square, SquareSet};

/// Inputs that are added or subtracted, at most one for each piece.
struct Inputs {
    list: [u16; MAX_PIECES + 1],
    count: usize,
}

impl Inputs {
    const NONE: Inputs = Inputs { list: [0; MAX_PIECES + 1], count: 0 };

    /// Adds the input of a piece, if there is one. It is written anyhow, and then counted or not: a
    /// branch would often be guessed wrong.
    #[inline(always)]
    fn push(&mut self, perspective: Perspective, piece: Option<Piece>, square: Square) {
        self.list[self.count] = perspective.input_if(piece, square);
        self.count += usize::from(piece.is_some());
    }

    #[inline(always)]
    fn as_slice(&self) -> &[u16] {
        &self.list[..self.count]
    }
}

/// The squares that castling changes; no other move changes as many.
const MAX_CHANGED: u32 = 4;

/// Entries of a side's refresh cache: for each king bucket on either half of the board.
const REFRESH_ENTRIES: usize = 2 * KING_BUCKET_COUNT;

/// Plies before the present one whose accumulators an update may start from.
const PLIES_BACK: usize = 2;

/// The accumulators of a position, from both perspectives.
#[derive(Clone)]
struct PlyAccumulators {
    position: Position,
    perspectives: [Perspective; 2],
    accumulators: [Accumulator; 2],
}

/// A position and its accumulator from one perspective.
#[derive(Clone)]
struct Cached {
    position: Position,
    accumulator: Accumulator,
}

pub struct AccumulatorStack {
    network: Arc<Network>,
    /// An entry for each ply, after those before the first.
    entries: Vec<PlyAccumulators>,
    /// Refresh cache ("Finny table"): for each side, what was computed last with its king in each
    /// bucket. When the king changes buckets, that is nearer than an empty board.
    refresh_cache: [Vec<Cached>; 2],
}

impl AccumulatorStack {
    /// Fails if there is no memory for so many plies.
    pub fn new(network: Arc<Network>, plies: usize) -> Result<AccumulatorStack, TryReserveError> {
        let plies = PLIES_BACK + plies;
        let mut entries = Vec::new();
        entries.try_reserve_exact(plies)?;
        let mut refresh_cache = [Vec::new(), Vec::new()];
        for cache in &mut refresh_cache {
            cache.try_reserve_exact(REFRESH_ENTRIES)?;
        }
        let mut stack = AccumulatorStack { network, entries, refresh_cache };
        stack.reset(plies);
        Ok(stack)
    }

    /// Evaluates by another network from now on.
    pub fn set_network(&mut self, network: &Arc<Network>) {
        if !Arc::ptr_eq(&self.network, network) {
            self.network = Arc::clone(network);
            self.reset(self.entries.len());
        }
    }

    /// Fills everything with the starting position, in the memory that is there.
    fn reset(&mut self, plies: usize) {
        let position = Position::start();
        let perspectives =
            Color::BOTH.map(|color| Perspective::of(&position, color, &KING_BUCKETS));
        let accumulators =
            perspectives.map(|side| self.network.accumulator(position.pieces(), side));
        self.entries.clear();
        self.entries.resize(plies, PlyAccumulators { position, perspectives, accumulators });
        for (color, cache) in Color::BOTH.into_iter().zip(&mut self.refresh_cache) {
            let accumulator = accumulators[color.index()];
            cache.clear();
            cache.resize(REFRESH_ENTRIES, Cached { position, accumulator });
            for king in SquareSet::ALL {
                let perspective = Perspective::new(color, king, &KING_BUCKETS);
                cache[perspective.refresh_index()].accumulator =
                    self.network.accumulator(position.pieces(), perspective);
            }
        }
    }

    /// The evaluation of a position of the line for the side to move.
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        self.update(position, ply);
        let accumulators = self.entries[PLIES_BACK + ply].accumulators.each_ref();
        self.network.output(accumulators, position.side(), Network::output_bucket(position))
    }

    /// Computes the accumulators of a position, for each side from the nearest position that is known:
    /// of this ply before, of the plies before it (the parent's parent if the parent was in check and
    /// so not evaluated), or of the refresh cache.
    #[inline(always)]
    fn update(&mut self, position: &Position, ply: usize) {
        let (before, entry) = self.entries[ply..=ply + PLIES_BACK].split_at_mut(PLIES_BACK);
        let entry = &mut entry[0];
        let since_entry = position.differences(&entry.position);
        let since_parent = position.differences(&before[1].position);
        let (nearest, since_nearest) = if since_parent.len() > MAX_CHANGED {
            (&before[0], position.differences(&before[0].position))
        } else {
            (&before[1], since_parent)
        };
        let rows = self.network.weights().features;
        for color in Color::BOTH {
            let perspective = Perspective::of(position, color, &KING_BUCKETS);
            let color = color.index();
            let cost = |entry: &PlyAccumulators, changed: SquareSet| {
                let is_known = entry.perspectives[color] == perspective;
                if is_known { changed.len() } else { u32::MAX }
            };
            let costs = (cost(entry, since_entry), cost(nearest, since_nearest));
            if costs.0 == 0 {
                continue;
            }
            let is_refresh = costs.0.min(costs.1) == u32::MAX;
            let cached = &mut self.refresh_cache[color][perspective.refresh_index()];
            let (old, source, changed) = if is_refresh {
                let changed = position.differences(&cached.position);
                (&cached.position, Some(&cached.accumulator), changed)
            } else if costs.0 < costs.1 {
                (&entry.position, None, since_entry)
            } else {
                (&nearest.position, Some(&nearest.accumulators[color]), since_nearest)
            };
            let (mut sub, mut add) = (Inputs::NONE, Inputs::NONE);
            for square in changed {
                sub.push(perspective, old.piece_at(square), square);
                add.push(perspective, position.piece_at(square), square);
            }
            let accumulator = &mut entry.accumulators[color];
            simd::update(accumulator, source, rows, (sub.as_slice(), add.as_slice()));
            if is_refresh {
                *cached = Cached { position: *position, accumulator: *accumulator };
            }
            entry.perspectives[color] = perspective;
        }
        entry.position = *position;
    }
}

#[cfg(test)]
mod tests {
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    const PLIES: usize = 100;

    #[test]
    fn only_a_king_that_changes_its_perspective_costs_more_than_its_move() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(67);
        let mut stack = AccumulatorStack::new(Network::embedded(), PLIES).unwrap();
        let (mut updates, mut refreshes) = (0, 0);
        for _ in 0..50 {
            let mut last = Position::start();
            stack.evaluate(&last, 0);
            for ply in 1..random.random_range(2..PLIES) {
                let Some(&mv) = last.legal_moves().choose(&mut random) else { break };
                let next = last.after(mv);
                let near = &stack.entries[ply..=ply + PLIES_BACK];
                let least = near.iter().map(|entry| next.differences(&entry.position).len()).min();
                for color in Color::BOTH {
                    let perspective = |position| Perspective::of(position, color, &KING_BUCKETS);
                    if perspective(&next) == perspective(&last) {
                        assert!(least.is_some_and(|squares| squares <= MAX_CHANGED));
                        updates += 1;
                    } else {
                        refreshes += 1;
                    }
                }
                stack.evaluate(&next, ply);
                last = next;
            }
        }
        assert!(updates > 5 * refreshes && refreshes > 0, "{updates} and {refreshes} refreshes");
    }
}
