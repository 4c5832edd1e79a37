//! Lazily updated accumulators along a line of play.
//!
//! Each ply keeps its accumulators together with the position they belong to. An update compares two boards,
//! so making and unmaking moves costs nothing, and nothing is computed until an evaluation is needed.

use std::collections::TryReserveError;
use std::sync::Arc;

use super::features::{Inputs, Perspective, Views};
use super::network::Network;
use super::shape::{KING_BUCKET_COUNT, KING_BUCKETS};
use super::simd;
use super::simd::Accumulator;
use crate::board::{Color, Position, SquareSet, Squares, Threats};

/// The size of a side's refresh cache: one entry per king bucket and half of the board.
const REFRESH_ENTRIES: usize = 2 * KING_BUCKET_COUNT;

/// An update may start from the accumulators of this many earlier plies.
const PLIES_BACK: usize = 2;

/// Everything that determines the inputs.
#[derive(Clone, Copy)]
struct InputSource {
    squares: Squares,
    threats: Threats,
}

impl InputSource {
    #[inline(always)]
    fn changes(&self, other: &InputSource) -> Changes {
        Changes {
            pieces: self.squares.differences(&other.squares),
            threats: self.threats.differences(&other.threats),
        }
    }

    /// Lists the inputs that only the other source has, and those that only this one has.
    #[inline(always)]
    fn list(&self, other: &InputSource, changes: Changes, views: Views, lists: &mut [Inputs; 2]) {
        lists.iter_mut().for_each(Inputs::clear);
        for square in changes.pieces | changes.threats {
            let with_piece = changes.pieces.contains(square);
            for (list, source) in lists.iter_mut().zip([other, self]) {
                let (piece, danger) =
                    (source.squares.piece_at(square), source.threats.danger(square));
                list.push(views, piece, square, danger, with_piece);
            }
        }
    }
}

/// The squares on which pieces or threats differ.
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
    /// Each side's [`Perspective::refresh_index`], which identifies its perspective.
    refresh_indices: [usize; 2],
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
    /// One entry per ply, preceded by those before the first.
    entries: Vec<PlyAccumulators>,
    /// Refresh cache ("Finny table"): the last accumulator of each side with its king in each bucket. When
    /// the king changes buckets, it is a nearer starting point than an empty board.
    refresh_cache: [Vec<Cached>; 2],
    /// Scratch memory for the inputs that disappear and those that appear.
    lists: [Inputs; 2],
}

impl AccumulatorStack {
    /// Fails if there is not enough memory for so many plies.
    pub fn new(network: Arc<Network>, plies: usize) -> Result<AccumulatorStack, TryReserveError> {
        let plies = PLIES_BACK + plies;
        let mut entries = Vec::new();
        entries.try_reserve_exact(plies)?;
        let mut refresh_cache = [Vec::new(), Vec::new()];
        for cache in &mut refresh_cache {
            cache.try_reserve_exact(REFRESH_ENTRIES)?;
        }
        let mut stack =
            AccumulatorStack { network, entries, refresh_cache, lists: [Inputs::EMPTY; 2] };
        stack.reset(plies);
        Ok(stack)
    }

    /// Switches to another network.
    pub fn set_network(&mut self, network: &Arc<Network>) {
        if !Arc::ptr_eq(&self.network, network) {
            self.network = Arc::clone(network);
            self.reset(self.entries.len());
        }
    }

    /// Fills everything with the starting position, reusing the memory.
    fn reset(&mut self, plies: usize) {
        let position = Position::start();
        let source = InputSource { squares: Squares::of(&position), threats: position.threats() };
        let perspectives =
            Color::BOTH.map(|color| Perspective::of(&position, color, &KING_BUCKETS));
        let accumulators = perspectives
            .map(|side| self.network.accumulator(position.pieces(), &source.threats, side));
        self.entries.clear();
        let refresh_indices = perspectives.map(Perspective::refresh_index);
        self.entries.resize(plies, PlyAccumulators { source, refresh_indices, accumulators });
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

    /// Evaluates a position of the line for the side to move. `threats` are the position's own.
    pub fn evaluate(&mut self, position: &Position, threats: Threats, ply: usize) -> i32 {
        self.update(position, threats, ply);
        let accumulators = self.entries[PLIES_BACK + ply].accumulators.each_ref();
        self.network.output(accumulators, position.side(), Network::output_bucket(position))
    }

    /// Updates the accumulators of a position. Each side starts from the nearest known board with the same
    /// perspective: this ply's previous one, or those of the last plies (the parent is not evaluated if it
    /// was in check). Without any, it starts from the refresh cache.
    #[inline(always)]
    fn update(&mut self, position: &Position, threats: Threats, ply: usize) {
        const KNOWN: usize = PLIES_BACK + 1;
        let Some(known) = self.entries[ply..].first_chunk_mut::<KNOWN>() else { return };
        let present = InputSource { squares: Squares::of(position), threats };
        let perspectives = Color::BOTH.map(|color| Perspective::of(position, color, &KING_BUCKETS));
        let (views, indices) =
            (Views::of(perspectives), perspectives.map(Perspective::refresh_index));
        let changes = known.each_ref().map(|known| present.changes(&known.source));
        let (rows, lists) = (self.network.rows(), &mut self.lists);
        let mut listed = KNOWN;
        for color in [0, 1] {
            let mut nearest = (u32::MAX, KNOWN);
            for place in [1, 0, 2] {
                let count = changes[place].count();
                if count < nearest.0 && known[place].refresh_indices[color] == indices[color] {
                    nearest = (count, place);
                }
            }
            let nearest = nearest.1;
            if nearest == KNOWN {
                let cached = &mut self.refresh_cache[color][indices[color]];
                present.list(&cached.source, present.changes(&cached.source), views, lists);
                listed = KNOWN;
                let accumulator = &mut known[PLIES_BACK].accumulators[color];
                let changes = lists.each_ref().map(Inputs::as_slice);
                simd::update(accumulator, Some(&cached.accumulator), rows, changes, color);
                *cached = Cached { source: present, accumulator: *accumulator };
                continue;
            }
            if listed != nearest {
                present.list(&known[nearest].source, changes[nearest], views, lists);
                listed = nearest;
            }
            let changes = lists.each_ref().map(Inputs::as_slice);
            let (before, entry) = known.split_at_mut(PLIES_BACK);
            let source = before.get(nearest).map(|source| &source.accumulators[color]);
            simd::update(&mut entry[0].accumulators[color], source, rows, changes, color);
        }
        let entry = &mut known[PLIES_BACK];
        entry.refresh_indices = indices;
        entry.source = present;
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
            stack.evaluate(&last, last.threats(), 0);
            for ply in 1..random.random_range(2..PLIES) {
                let Some(&mv) = last.legal_moves().choose(&mut random) else { break };
                let next = last.after(mv);
                let near = &stack.entries[ply..=ply + PLIES_BACK];
                let squares = Squares::of(&next);
                let least =
                    near.iter().map(|entry| squares.differences(&entry.source.squares).len()).min();
                for color in Color::BOTH {
                    let perspective = |position| Perspective::of(position, color, &KING_BUCKETS);
                    if perspective(&next) == perspective(&last) {
                        assert!(least.is_some_and(|squares| squares <= 4));
                        updates += 1;
                    } else {
                        refreshes += 1;
                    }
                }
                stack.evaluate(&next, next.threats(), ply);
                last = next;
            }
        }
        assert!(updates > 5 * refreshes && refreshes > 0, "{updates} and {refreshes} refreshes");
    }
}
