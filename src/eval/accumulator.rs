//! Lazily updated accumulators along a line of play.
//!
//! Beside its accumulators each ply keeps the position they belong to, and what has changed since is
//! what a comparison of two boards says. So making and unmaking moves costs nothing, and nothing is
//! computed before an evaluation is asked for.

use std::collections::TryReserveError;
use std::sync::Arc;

use super::features::{Inputs, Perspective};
use super::network::Network;
use super::shape::{KING_BUCKET_COUNT, KING_BUCKETS};
use super::simd;
use super::simd::Accumulator;
use crate::board::{Color, Position, SquareSet, Threats};

/// Entries of a side's refresh cache: for each king bucket on either half of the board.
const REFRESH_ENTRIES: usize = 2 * KING_BUCKET_COUNT;

/// Plies before the present one whose accumulators an update may start from.
const PLIES_BACK: usize = 2;

/// All that inputs are made of.
#[derive(Clone, Copy)]
struct InputSource {
    position: Position,
    threats: Threats,
}

impl InputSource {
    #[inline(always)]
    fn of(position: &Position) -> InputSource {
        InputSource { position: *position, threats: position.threats() }
    }

    #[inline(always)]
    fn changes(&self, other: &InputSource) -> Changes {
        Changes {
            pieces: self.position.differences(&other.position),
            threats: self.threats.differences(&other.threats),
        }
    }

    /// The inputs that another source has and this one has not, and the other way round.
    #[inline(always)]
    fn inputs(&self, other: &InputSource, changes: Changes) -> [Inputs; 2] {
        let [mut gone, mut new] = [Inputs::none(), Inputs::none()];
        for square in changes.pieces | changes.threats {
            let with_piece = changes.pieces.contains(square);
            for (inputs, source) in [(&mut gone, other), (&mut new, self)] {
                let (piece, danger) =
                    (source.position.piece_at(square), source.threats.danger(square));
                inputs.push(piece, square, danger, with_piece);
            }
        }
        [gone, new]
    }
}

/// Squares where pieces or threats differ.
#[derive(Clone, Copy)]
struct Changes {
    pieces: SquareSet,
    threats: SquareSet,
}

impl Changes {
    #[inline(always)]
    fn count(self) -> u32 {
        self.pieces.len() + self.threats.len()
    }
}

/// The accumulators of a position, from both perspectives.
#[derive(Clone)]
struct PlyAccumulators {
    source: InputSource,
    perspectives: [Perspective; 2],
    accumulators: [Accumulator; 2],
}

/// A position and its accumulator from one perspective.
#[derive(Clone)]
struct Cached {
    source: InputSource,
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
        let source = InputSource::of(&position);
        let perspectives =
            Color::BOTH.map(|color| Perspective::of(&position, color, &KING_BUCKETS));
        let accumulators = perspectives
            .map(|side| self.network.accumulator(position.pieces(), &source.threats, side));
        self.entries.clear();
        self.entries.resize(plies, PlyAccumulators { source, perspectives, accumulators });
        for (color, cache) in Color::BOTH.into_iter().zip(&mut self.refresh_cache) {
            let accumulator = accumulators[color.index()];
            cache.clear();
            cache.resize(REFRESH_ENTRIES, Cached { source, accumulator });
            for king in SquareSet::ALL {
                let perspective = Perspective::new(color, king, &KING_BUCKETS);
                cache[perspective.refresh_index()].accumulator =
                    self.network.accumulator(position.pieces(), &source.threats, perspective);
            }
        }
    }

    /// The evaluation of a position of the line for the side to move.
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        self.update(position, ply);
        let accumulators = self.entries[PLIES_BACK + ply].accumulators.each_ref();
        self.network.output(accumulators, position.side(), Network::output_bucket(position))
    }

    /// Computes the accumulators of a position, for each side from the nearest position that is known: of
    /// this ply before, of the plies before it (the parent's parent if the parent was in check and so
    /// not evaluated), or of the refresh cache.
    #[inline(always)]
    fn update(&mut self, position: &Position, ply: usize) {
        let (before, entry) = self.entries[ply..=ply + PLIES_BACK].split_at_mut(PLIES_BACK);
        let entry = &mut entry[0];
        let source = InputSource::of(position);
        let since_entry = source.changes(&entry.source);
        let [since_grandparent, since_parent] =
            [0, 1].map(|ply| source.changes(&before[ply].source));
        let (nearest, since_nearest) = if since_parent.count() > since_grandparent.count() {
            (&before[0], since_grandparent)
        } else {
            (&before[1], since_parent)
        };
        let rows = self.network.weights().features;
        let perspectives = Color::BOTH.map(|color| Perspective::of(position, color, &KING_BUCKETS));
        let is_from_entry = since_entry.count() < since_nearest.count();
        let (old, since) = if is_from_entry {
            (&entry.source, since_entry)
        } else {
            (&nearest.source, since_nearest)
        };
        let [sub, add] = source.inputs(old, since);
        for color in [0, 1] {
            let perspective = perspectives[color];
            let accumulator = &mut entry.accumulators[color];
            let known = if is_from_entry { entry.perspectives } else { nearest.perspectives };
            if known[color] == perspective {
                let inputs = [&sub, &add].map(|inputs| inputs.from_perspective(perspective));
                let from = (!is_from_entry).then(|| &nearest.accumulators[color]);
                let changes = inputs.each_ref().map(|inputs| inputs.as_slice());
                simd::update(accumulator, from, rows, changes);
            } else {
                let cached = &mut self.refresh_cache[color][perspective.refresh_index()];
                let inputs = source.inputs(&cached.source, source.changes(&cached.source));
                let inputs = inputs.map(|inputs| inputs.from_perspective(perspective));
                let changes = inputs.each_ref().map(|inputs| inputs.as_slice());
                simd::update(accumulator, Some(&cached.accumulator), rows, changes);
                *cached = Cached { source, accumulator: *accumulator };
            }
        }
        entry.perspectives = perspectives;
        entry.source = source;
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
                let least =
                    near.iter().map(|entry| next.differences(&entry.source.position).len()).min();
                for color in Color::BOTH {
                    let perspective = |position| Perspective::of(position, color, &KING_BUCKETS);
                    if perspective(&next) == perspective(&last) {
                        assert!(least.is_some_and(|squares| squares <= 4));
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
