//! What an iteration of the tuning asks: which of two sets of values is better.

use std::sync::atomic::AtomicBool;

use zebu::eval::Evaluator;
use zebu::search::{TunableValues, Tunables};

use super::spsa::Perturbation;
use crate::tuning::openings::Openings;
use crate::tuning::pair::{Limit, PairPlayer, Side};

/// One thread's judge of the two sets of an iteration.
pub trait Objective: Send {
    /// How many more games the plus side won than it lost. `None` if it was stopped.
    fn result(&mut self, iteration: u64, sets: &Perturbation) -> Option<i32>;

    /// Nodes that were searched since this was last asked.
    fn take_nodes(&mut self) -> u64 {
        0
    }
}

/// What all games of a run share.
pub struct Games<'a> {
    /// The values of what is not tuned.
    pub base: TunableValues,
    /// The places in the table of what is tuned.
    pub tuned: Vec<usize>,
    pub limit: Limit,
    pub openings: Openings,
    pub stop: &'a AtomicBool,
}

/// Plays a pair of games.
pub struct GamePlayer<'a> {
    pub games: &'a Games<'a>,
    pub player: PairPlayer,
}

impl Objective for GamePlayer<'_> {
    fn result(&mut self, iteration: u64, sets: &Perturbation) -> Option<i32> {
        let Games { base, tuned, limit, openings, stop } = self.games;
        let side = |set: &[i32]| {
            let mut values = *base;
            for (&index, &value) in tuned.iter().zip(set) {
                values[index] = value;
            }
            let tunables = Tunables::new(values);
            Side { tunables, limit: *limit, evaluator: Evaluator::default() }
        };
        let opening = openings.opening(iteration, self.player.search());
        let sides = [side(&sets.plus), side(&sets.minus)];
        let result = self.player.play(&sides, opening, stop)?;
        Some(result.into_iter().map(|half_points| i32::from(half_points) - 1).sum())
    }

    fn take_nodes(&mut self) -> u64 {
        std::mem::take(&mut self.player.nodes)
    }
}
