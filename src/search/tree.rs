//! One thread's walk through the tree: where it is and what it carries.

use super::history::History;
use super::score::MAX_PLY;
use super::task::{Counter, Search};
use crate::board::{Move, Position};

/// Between two looks at the clock.
const NODES_PER_LOOK: u64 = 512;

/// The best line from a node.
pub type Variation = arrayvec::ArrayVec<Move, { MAX_PLY + 1 }>;

pub struct Tree<'a> {
    pub search: &'a Search,
    pub history: &'a mut History,
    counter: &'a Counter,
    /// The first thread watches the limits.
    watches: bool,
    /// Before the first iteration is complete, only a stop counts.
    pub heeds_limits: bool,
    stopped: bool,
    /// The keys of the game, then of the line that is being looked at, its last position included.
    keys: Vec<u64>,
    /// The best line from each ply.
    pub lines: Vec<Variation>,
    pub deepest: usize,
}

impl<'a> Tree<'a> {
    pub fn new(search: &'a Search, history: &'a mut History, thread: usize) -> Tree<'a> {
        let mut keys = search.task.past.clone();
        keys.push(search.task.position.key());
        Tree {
            search,
            history,
            counter: &search.counters[thread],
            watches: thread == 0,
            heeds_limits: false,
            stopped: false,
            keys,
            lines: vec![Variation::new(); MAX_PLY + 2],
            deepest: 0,
        }
    }

    pub fn nodes(&self) -> u64 {
        self.counter.get()
    }

    /// Steps to the position after a move, counted as a node.
    pub fn enter(&mut self, next: &Position) {
        self.counter.count();
        self.keys.push(next.key());
    }

    pub fn leave(&mut self) {
        self.keys.pop();
    }

    /// Whether the search is over. Asked once a node; what was being computed is worth nothing then.
    pub fn is_stopped(&mut self) -> bool {
        self.stopped = self.stopped || self.search.is_stopped() || self.reaches_limit();
        self.stopped
    }

    fn reaches_limit(&self) -> bool {
        if !self.watches || !self.heeds_limits {
            return false;
        }
        let looks = self.nodes().is_multiple_of(NODES_PER_LOOK);
        let alone = self.search.counters.len() == 1;
        let enough_nodes = match self.search.task.limits.nodes {
            Some(limit) if alone || looks => self.search.nodes() >= limit,
            _ => false,
        };
        enough_nodes || looks && !self.search.is_pondering() && self.search.clock.is_over()
    }

    /// Makes a move followed by the best line after it the best line of this ply.
    pub fn set_line(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(after[0].iter().copied().take(room));
    }

    /// Whether nobody can win any more: by material, by fifty moves, or because the position
    /// repeats one of this line, or for the second time one of the game.
    pub fn is_draw(&self, position: &Position, ply: usize) -> bool {
        let reversible = usize::from(position.halfmoves());
        if reversible >= 100 && (!position.in_check() || !position.legal_moves().is_empty()) {
            return true;
        }
        let last = self.keys.len() - 1;
        let mut before_root = 0;
        for back in (4..=reversible.min(last)).step_by(2) {
            if self.keys[last - back] == position.key() {
                before_root += 1;
                if back < ply || before_root == 2 {
                    return true;
                }
            }
        }
        position.is_insufficient()
    }
}
