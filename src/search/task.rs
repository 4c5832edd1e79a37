//! What is to be searched.

use std::sync::Arc;

use super::time::{Limits, Overhead, TimePlan};
use super::tunables::Tunables;
use crate::board::{Game, Move, Position};
use crate::eval::Evaluator;
use crate::tablebase::Tablebase;

#[derive(Clone)]
pub struct Task {
    pub position: Position,
    /// The keys of the positions before it that can repeat, the oldest first.
    pub key_history: Vec<u64>,
    pub limits: Limits,
    pub overhead: Overhead,
    /// The engine ponders, and plans its time accordingly.
    pub ponders: bool,
    /// The number of lines to find.
    pub multi_pv: usize,
    /// The opponent's clock is running: ours does not run yet.
    pub pondering: bool,
    /// A forced move gets as much time as any.
    pub analyse: bool,
    pub evaluator: Evaluator,
    /// The search scales what the evaluator says. Not for scores that a network is to learn.
    pub scale_eval: bool,
    pub syzygy: SyzygyOptions,
    /// Only the main thread searches.
    pub single_threaded: bool,
    pub tunables: Tunables,
}

/// Which endgame tables are probed, and where.
#[derive(Clone, Default)]
pub struct SyzygyOptions {
    pub tablebase: Option<Arc<Tablebase>>,
    /// The least depth of a node.
    pub min_depth: i32,
    /// The most pieces of a position.
    pub max_pieces: u32,
    /// A win that takes too long is a draw.
    pub fifty_moves: bool,
}

impl Task {
    /// A task with no moves before it and a single line.
    pub fn new(position: Position, limits: Limits) -> Task {
        Task {
            position,
            key_history: Vec::new(),
            limits,
            overhead: Overhead::default(),
            ponders: false,
            multi_pv: 1,
            pondering: false,
            analyse: false,
            evaluator: Evaluator::default(),
            scale_eval: true,
            syzygy: SyzygyOptions::default(),
            single_threaded: false,
            tunables: Tunables::DEFAULT,
        }
    }

    /// A task for the position of a game.
    pub fn in_game(game: &Game, limits: Limits) -> Task {
        let key_history = game.repeatable_keys().collect();
        Task { key_history, ..Task::new(*game.position(), limits) }
    }

    /// What the limits say of the clock.
    pub fn plan(&self) -> TimePlan {
        TimePlan::new(&self.limits, self.overhead, self.ponders, self.tunables)
    }

    /// The legal root moves that the limits allow.
    pub fn root_moves(&self) -> Vec<Move> {
        let allowed = |mv: &Move| self.limits.moves.is_empty() || self.limits.moves.contains(mv);
        self.position.legal_moves().into_iter().filter(allowed).collect()
    }
}
