//! What a search reports while it runs and when it is over.

use std::time::Duration;

use super::endgames::KnownResult;
use super::score::{DRAW, KNOWN_WIN, Score, TB_WIN_IN_MAX_PLY, TOLD_WIN};
use super::wdl::Wdl;
use crate::board::{Move, Position};

/// How a score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

impl Bound {
    /// Whether a value with this bound settles a node with this window.
    pub fn cuts_off(self, value: i32, alpha: i32, beta: i32) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        }
    }

    /// Whether a value with this bound says more about a node than its static evaluation.
    pub fn refines(self, value: i32, static_eval: i32) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value > static_eval,
            Bound::Upper => value < static_eval,
        }
    }
}

/// What is told of a root move's score.
pub struct Verdict {
    pub score: Score,
    pub wdl: Wdl,
}

impl Verdict {
    /// From the search's score of a position and its best move, unless the position after that move
    /// is an ending whose result is known.
    pub fn of(score: i32, position: &Position, best: Option<Move>) -> Verdict {
        let searched = Verdict { score: Score::of(score, position), wdl: Wdl::of(score, position) };
        let next = best.map_or(*position, |best| position.after(best));
        match (searched.score, KnownResult::of(&next)) {
            // Mates and the tables' wins are told with their distance.
            _ if score.abs() >= TB_WIN_IN_MAX_PLY => searched,
            (_, Some(KnownResult::Draw)) => {
                Verdict { score: Score::Centipawns(DRAW), wdl: Wdl::DRAW }
            }
            // A repetition is a draw all the same.
            (Score::Centipawns(value), Some(KnownResult::Win(winner))) if value != DRAW => {
                let (sign, wdl) =
                    if winner == position.side() { (1, Wdl::WIN) } else { (-1, Wdl::LOSS) };
                Verdict {
                    score: Score::Centipawns(sign * (KNOWN_WIN + (sign * value).max(0))),
                    wdl,
                }
            }
            _ => searched,
        }
    }
}

/// A principal variation and what is known of it.
#[derive(Clone, Debug)]
pub struct Line {
    pub depth: u32,
    pub sel_depth: u32,
    /// The line's number with MultiPV, from 1.
    pub pv_index: usize,
    pub score: Score,
    pub bound: Bound,
    pub wdl: Wdl,
    pub nodes: u64,
    /// Successful probes of the endgame tables.
    pub tb_hits: u64,
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// Legal moves; empty only if the root has none.
    pub moves: Vec<Move>,
}

impl Line {
    /// As it is told before its iteration is over: a mate whose moves are not all known is told like
    /// a win by the tables.
    pub fn so_far(mut self) -> Line {
        if let Score::Mate(moves) = self.score {
            let plies = 2 * moves.abs() - i32::from(moves > 0);
            if self.moves.len() < plies as usize {
                self.score = Score::Centipawns(moves.signum() * (TOLD_WIN - plies));
            }
        }
        self
    }

    pub fn nodes_per_second(&self) -> u64 {
        per_second(self.nodes, self.time)
    }
}

/// How the search ended.
#[derive(Clone, Copy, Debug)]
pub struct SearchResult {
    /// `None` if the root has no legal move.
    pub best: Option<Move>,
    /// The reply that is expected, legal after `best`.
    pub ponder: Option<Move>,
    pub nodes: u64,
    pub time: Duration,
}

#[derive(Clone, Debug)]
pub enum Event {
    Line(Line),
    /// The root move that is being searched, and its number in the order.
    Current {
        depth: u32,
        mv: Move,
        number: usize,
    },
    Done(SearchResult),
}

/// Nodes a second; never infinite.
pub fn per_second(nodes: u64, time: Duration) -> u64 {
    let micros = time.as_micros().max(1);
    (u128::from(nodes) * 1_000_000 / micros).min(u128::from(u64::MAX)) as u64
}
