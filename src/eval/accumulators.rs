//! The neurons along a line of play, kept so that each evaluation only adds what has changed.
//!
//! Beside its neurons each ply keeps the position that they belong to, and what has changed since is
//! what a comparison of two boards says. So nothing is told when a move is made or taken back, and
//! nothing is computed before somebody asks.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::features::Perspective;
use super::network::{Network, Neurons};
use super::simd;
use crate::board::{Color, Position, Square, SquareSet};

/// Inputs to switch off or on, at most one for each square.
type Inputs = ArrayVec<usize, 64>;

/// A position of the line and its neurons as each side sees it.
#[derive(Clone)]
struct Known {
    position: Position,
    views: [Perspective; 2],
    neurons: [Neurons; 2],
}

/// A position and its neurons as one side saw it.
#[derive(Clone, Copy)]
struct Seen {
    position: Position,
    neurons: Neurons,
}

pub struct Accumulators {
    network: Arc<Network>,
    /// An entry for each ply, and one before the first.
    known: Vec<Known>,
    /// For each side, what was computed last with the king on each half of the board. When it changes
    /// halves everything moves, and these are nearer than nothing.
    halves: [[Seen; 2]; 2],
}

impl Accumulators {
    pub fn new(network: Arc<Network>, plies: usize) -> Accumulators {
        let position = Position::start();
        let seen = |view| Seen { position, neurons: network.neurons(position.pieces(), view) };
        let halves = Color::BOTH.map(|color| {
            let kings = [Square::from_dense(0), Square::from_dense(7)];
            kings.map(|king| seen(Perspective::new(color, king)))
        });
        let views = Color::BOTH.map(|color| Perspective::of(&position, color));
        let neurons = views.map(|view| seen(view).neurons);
        let known = vec![Known { position, views, neurons }; 1 + plies];
        Accumulators { network, known, halves }
    }

    /// Makes another network the one that judges.
    pub fn set_network(&mut self, network: &Arc<Network>) {
        if !Arc::ptr_eq(&self.network, network) {
            *self = Accumulators::new(Arc::clone(network), self.known.len() - 1);
        }
    }

    /// The worth of a position of the line for the side to move.
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        self.bring_up(position, ply);
        let neurons = self.known[1 + ply].neurons.each_ref();
        self.network.score(neurons, position.side(), Network::bucket(position))
    }

    /// Computes the neurons of a position, for each side from the nearest one that is known: of the
    /// ply before, of this ply before, or else with the king on the same half.
    #[inline(always)]
    fn bring_up(&mut self, position: &Position, ply: usize) {
        let near = &self.known[ply..ply + 2];
        let changed = [0, 1].map(|i| position.differences(&near[i].position));
        let views = Color::BOTH.map(|color| Perspective::of(position, color));
        let neurons = Color::BOTH.map(|color| {
            let color = color.index();
            let view = views[color];
            let alike = [0, 1].into_iter().filter(|&i: &usize| near[i].views[color] == view);
            match alike.min_by_key(|&i| changed[i].len()) {
                Some(i) => {
                    let old = (&near[i].position, &near[i].neurons[color]);
                    switched(&self.network, old, position, changed[i], view)
                }
                None => {
                    let half = &mut self.halves[color][usize::from(view.is_mirrored())];
                    let old = (&half.position, &half.neurons);
                    let changed = position.differences(old.0);
                    let neurons = switched(&self.network, old, position, changed, view);
                    *half = Seen { position: *position, neurons };
                    neurons
                }
            }
        });
        self.known[1 + ply] = Known { position: *position, views, neurons };
    }
}

/// The neurons of a position, of which an older one is known that differs on some squares.
#[inline(always)]
fn switched(
    network: &Network,
    (old, neurons): (&Position, &Neurons),
    new: &Position,
    changed: SquareSet,
    view: Perspective,
) -> Neurons {
    let (mut off, mut on) = (Inputs::new(), Inputs::new());
    for square in changed {
        if let Some(piece) = old.piece_at(square) {
            off.push(view.input(piece, square));
        }
        if let Some(piece) = new.piece_at(square) {
            on.push(view.input(piece, square));
        }
    }
    simd::updated(neurons, &network.weights, &off, &on)
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
                let near = &accumulators.known[ply..ply + 2];
                let least = near.iter().map(|known| next.differences(&known.position).len()).min();
                for color in Color::BOTH {
                    if Perspective::of(&next, color) == Perspective::of(&last, color) {
                        assert!(least.is_some_and(|squares| squares <= MOST));
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
