//! What a thread remembers of moves that were good elsewhere in the tree.

use super::score::MAX_PLY;
use crate::board::{Color, Move};

/// No entry gets larger than this.
const MOST: i32 = 8192;

pub struct History {
    /// How well a quiet move did, by side, origin and destination.
    quiet: Vec<i32>,
    killers: [[Option<Move>; 2]; MAX_PLY + 1],
}

impl History {
    pub fn new() -> History {
        History { quiet: vec![0; 2 * 64 * 64], killers: [[None; 2]; MAX_PLY + 1] }
    }

    pub fn clear(&mut self) {
        *self = History::new();
    }

    /// Forgets what belongs to the plies of the last search.
    pub fn forget_killers(&mut self) {
        self.killers = [[None; 2]; MAX_PLY + 1];
    }

    fn place(side: Color, mv: Move) -> usize {
        side.index() << 12 | usize::from(mv.from().dense()) << 6 | usize::from(mv.to().dense())
    }

    pub fn of_quiet(&self, side: Color, mv: Move) -> i32 {
        self.quiet[History::place(side, mv)]
    }

    pub fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// A quiet move refuted its node; those tried before it did not.
    pub fn reward(&mut self, side: Color, ply: usize, depth: i32, best: Move, before: &[Move]) {
        if self.killers[ply][0] != Some(best) {
            self.killers[ply] = [Some(best), self.killers[ply][0]];
        }
        let bonus = (16 * depth * depth).min(MOST / 4);
        self.change(side, best, bonus);
        for &mv in before {
            self.change(side, mv, -bonus);
        }
    }

    /// Moves an entry the less the nearer it is to its limit.
    fn change(&mut self, side: Color, mv: Move, bonus: i32) {
        let entry = &mut self.quiet[History::place(side, mv)];
        *entry += bonus - *entry * bonus.abs() / MOST;
    }
}
