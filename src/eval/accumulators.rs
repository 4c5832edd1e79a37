//! The neurons along a line of play, kept so that each evaluation only adds what has changed.
//!
//! Beside its neurons each ply keeps the position that they belong to, and what has changed since is
//! what a comparison of two boards says. So nothing is told when a move is made or taken back, and
//! nothing is computed before somebody asks.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::features::View;
use super::network::{Network, Neurons};
use super::vector;
use crate::board::{Color, Position, Square};

/// Inputs to switch on or off, at most one for each square.
type Inputs = ArrayVec<usize, 64>;

/// A position and its neurons as a side sees it.
#[derive(Clone)]
struct Known {
    position: Position,
    view: View,
    neurons: Neurons,
}

pub struct Accumulators {
    network: Arc<Network>,
    /// What each side knows: see [`HALVES`] and [`BEFORE_FIRST`].
    known: [Vec<Known>; 2],
}

/// The first entries are what was computed last with the king on each half of the board. When it
/// changes halves everything moves, and these are nearer than nothing.
const HALVES: usize = 2;

/// Then comes an entry for each ply, and one before the first.
const BEFORE_FIRST: usize = HALVES;
const FIRST: usize = BEFORE_FIRST + 1;

impl Accumulators {
    pub fn new(network: Arc<Network>, plies: usize) -> Accumulators {
        let position = Position::start();
        let known = Color::BOTH.map(|color| {
            let on_half = |mirrored: bool| {
                let king = if mirrored { Square::from_dense(7) } else { Square::from_dense(0) };
                let view = View::new(color, king);
                Known { position, view, neurons: network.neurons(position.pieces(), view) }
            };
            let [left, right] = [false, true].map(on_half);
            let mut known = vec![right.clone(); FIRST + plies];
            known[0] = left;
            known
        });
        Accumulators { network, known }
    }

    /// Makes another network the one that judges.
    pub fn judge_by(&mut self, network: &Arc<Network>) {
        if !Arc::ptr_eq(&self.network, network) {
            *self = Accumulators::new(Arc::clone(network), self.known[0].len() - FIRST);
        }
    }

    /// The worth of a position of the line for the side to move.
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        for color in Color::BOTH {
            self.bring_up(position, color, FIRST + ply);
        }
        let [white, black] = &self.known;
        let neurons = [white, black].map(|known| &known[FIRST + ply].neurons);
        self.network.score(neurons, position.side(), Network::bucket(position))
    }

    /// Computes the neurons of a position from the nearest one that is known.
    #[inline(always)]
    fn bring_up(&mut self, position: &Position, color: Color, here: usize) {
        let view = View::of(position, color);
        let known = &mut self.known[color.index()];
        let nearest = nearest(known, position, view, here);
        let (mut off, mut on) = (Inputs::new(), Inputs::new());
        let old = &known[nearest].position;
        for square in position.differences(old) {
            if let Some(piece) = old.piece_at(square) {
                off.push(view.input(piece, square));
            }
            if let Some(piece) = position.piece_at(square) {
                on.push(view.input(piece, square));
            }
        }
        let neurons = vector::updated(&known[nearest].neurons, &self.network.weights, &off, &on);
        known[here] = Known { position: *position, view, neurons };
        if nearest < HALVES {
            known[nearest] = known[here].clone();
        }
    }
}

/// The entry from which a position at the place `here` is reached with the fewest changes.
#[inline(always)]
fn nearest(known: &[Known], position: &Position, view: View, here: usize) -> usize {
    let far = |&place: &usize| position.differences(&known[place].position).len();
    let near = [here - 1, here].into_iter().filter(|&place| known[place].view == view);
    near.min_by_key(far).unwrap_or(usize::from(view.is_mirrored()))
}

#[cfg(test)]
mod tests {
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// The squares that castling changes; no other move changes as many.
    const MOST: u32 = 4;
    const PLIES: usize = 100;

    #[test]
    fn only_a_king_that_changes_halves_costs_more_than_its_move() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(67);
        let mut accumulators = Accumulators::new(Network::embedded(), PLIES);
        let (mut updates, mut changes) = (0, 0);
        for _ in 0..50 {
            let mut last = Position::start();
            accumulators.evaluate(&last, 0);
            for ply in 1..random.random_range(2..PLIES) {
                let Some(&mv) = last.legal_moves().choose(&mut random) else { break };
                let next = last.after(mv);
                for color in Color::BOTH {
                    let (known, view) =
                        (&accumulators.known[color.index()], View::of(&next, color));
                    let place = nearest(known, &next, view, FIRST + ply);
                    if view == View::of(&last, color) {
                        assert!(next.differences(&known[place].position).len() <= MOST);
                        updates += 1;
                    } else {
                        changes += 1;
                    }
                }
                accumulators.evaluate(&next, ply);
                last = next;
            }
        }
        assert!(updates > 20 * changes && changes > 0, "{updates} updates, {changes} of halves");
    }
}
