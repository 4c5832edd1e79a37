//! What looks at positions have found, for the worth of the moves between them.

use std::collections::{HashMap, VecDeque};

use crate::analysis::{Note, PositionAnalysis, move_note};
use crate::board::Game;

/// The positions that are remembered.
const MOST: usize = 500;

/// The least depths of the positions before and after a move that is judged.
const LEAST_DEPTH: u32 = 10;

#[derive(Default)]
pub struct Known {
    analyses: HashMap<u64, PositionAnalysis>,
    /// The keys of the positions, in the order in which they became known.
    order: VecDeque<u64>,
}

impl Known {
    /// Remembers what was found of a position, unless more is known of it.
    pub fn remember(&mut self, key: u64, found: PositionAnalysis) {
        if self.analyses.get(&key).is_some_and(|known| known.depth > found.depth) {
            return;
        }
        if self.analyses.insert(key, found).is_none() {
            self.order.push_back(key);
        }
        if self.order.len() > MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.analyses.remove(&oldest);
        }
    }

    /// What the last move of a game was worth, if both positions are known well enough.
    pub fn note(&self, game: &Game) -> Option<Note> {
        let mut before = game.clone();
        let mv = before.undo()?;
        let [was, is] = [&before, game].map(|game| self.analyses.get(&game.position().key()));
        let (was, is) = (was?, is?);
        let is_enough = was.depth.min(is.depth) >= LEAST_DEPTH;
        is_enough.then(|| move_note(before.position(), mv, was, is))
    }
}
