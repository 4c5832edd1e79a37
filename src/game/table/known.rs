//! Analyses of the positions that were looked at, to judge the moves between them.

use std::collections::{HashMap, VecDeque};

use crate::analysis::{Note, PositionAnalysis, move_note};
use engine::board::Game;

/// The capacity, in positions.
const MOST: usize = 500;

/// The least depth of the analyses before and after a move.
const LEAST_DEPTH: u32 = 10;

#[derive(Default)]
pub struct Known {
    analyses: HashMap<u64, PositionAnalysis>,
    /// The keys of the positions, the oldest first.
    order: VecDeque<u64>,
}

impl Known {
    /// Remembers an analysis, unless a deeper one of the position is known.
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

    /// The note on the last move of a game, if both positions are known well enough.
    pub fn note(&self, game: &Game) -> Option<Note> {
        let mut before = game.clone();
        let mv = before.undo()?;
        let [was, is] = [&before, game].map(|game| self.analyses.get(&game.position().key()));
        let (was, is) = (was?, is?);
        let is_enough = was.depth.min(is.depth) >= LEAST_DEPTH;
        is_enough.then(|| move_note(before.position(), mv, was, is))
    }
}
