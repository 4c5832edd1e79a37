//! A root move and the result of its last search.

use std::cmp::Reverse;

use super::root_rank::RootRank;
use super::score::INFINITE;
use crate::board::Move;

#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    /// What the endgame tables know of it.
    pub tb: Option<RootRank>,
    pub score: i32,
    /// The mean of its exact scores, of which the last one weighs half.
    pub average: Option<i32>,
    pub sel_depth: usize,
    /// The nodes of all its searches.
    pub nodes: u64,
    pub pv: Vec<Move>,
}

impl RootMove {
    pub fn new(mv: Move, score: i32, tb: Option<RootRank>) -> RootMove {
        RootMove { mv, tb, score, average: None, sel_depth: 1, nodes: 0, pv: vec![mv] }
    }

    /// The rank by the endgame tables. Without them all moves are equal.
    pub fn tb_rank(&self) -> i32 {
        self.tb.map_or(0, |tb| tb.rank)
    }

    /// The best move comes first.
    pub fn order(&self) -> Reverse<(i32, i32)> {
        Reverse((self.tb_rank(), self.score))
    }

    /// A new best move, or the first move of an iteration: its score is exact, or a bound that is
    /// searched again.
    pub fn set_score(&mut self, score: i32, sel_depth: usize, pv_after: &[Move]) {
        self.score = score;
        self.sel_depth = sel_depth;
        self.pv.clear();
        self.pv.push(self.mv);
        self.pv.extend_from_slice(pv_after);
    }

    /// The move is behind the best one; their order among themselves stays as it was.
    pub fn set_behind(&mut self) {
        self.score = -INFINITE;
    }
}
