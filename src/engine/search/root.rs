//! Root moves, their latest results, and Syzygy root ranking: which moves keep the result, and which of those
//! make progress.

use std::cmp::Reverse;
use std::sync::Arc;

use super::report::{DRAW, INFINITE, MAX_PLY, TB_WIN};
use crate::board::{Ending, Move, Position};
use crate::tablebase::{Tablebase, dtz_before_zeroing};

#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    /// The verdict of the endgame tables.
    pub tb: Option<RootRank>,
    pub score: i32,
    /// The mean of its exact scores, in which the last one weighs half.
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

    /// The rank by the endgame tables. Without them, all moves are equal.
    pub fn tb_rank(&self) -> i32 {
        self.tb.map_or(0, |tb| tb.rank)
    }

    /// The sort key: the best move comes first.
    pub fn order(&self) -> Reverse<(i32, i32)> {
        Reverse((self.tb_rank(), self.score))
    }

    /// Sets the result of a new best move, or of the first move in an iteration. The score is exact, or a
    /// bound that will be searched again.
    pub fn set_score(&mut self, score: i32, sel_depth: usize, pv_after: &[Move]) {
        self.score = score;
        self.sel_depth = sel_depth;
        self.pv.clear();
        self.pv.push(self.mv);
        self.pv.extend_from_slice(pv_after);
    }

    /// Sorts the move behind the best one, without changing the order of the others.
    pub fn set_behind(&mut self) {
        self.score = -INFINITE;
    }
}

/// Which endgame tables are probed, and when.
#[derive(Clone, Default)]
pub struct SyzygyOptions {
    pub tablebase: Option<Arc<Tablebase>>,
    /// The minimum depth of a node.
    pub min_depth: i32,
    /// The maximum number of pieces.
    pub max_pieces: u32,
    /// Whether a win that takes too long is a draw.
    pub fifty_moves: bool,
}

/// The verdict of the tables on a root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootRank {
    /// A better move has a higher rank. The search decides between equal ones.
    pub rank: i32,
    pub score: i32,
}

/// The rank of a win that the fifty-move rule cannot spoil, and the value that other wins approach.
const SAFE_WIN: i32 = 20_000;
const WIN: i32 = 10_000;

/// For this many plies without a zeroing move the search may make progress in its own way; after that the
/// tables decide.
const PATIENCE: i32 = 20;

/// The hundredth ply without a zeroing move is a draw. A DTZ may be one too low.
const FIFTY_MOVES: i32 = 100;

/// The verdicts of the tables on all root moves.
pub struct RootRanks {
    moves: Vec<(Move, RootRank)>,
    /// Whether they are by DTZ rather than by WDL alone.
    by_dtz: bool,
}

impl RootRanks {
    pub fn of_move(&self, mv: Move) -> Option<RootRank> {
        self.moves.iter().find(|&&(other, _)| other == mv).map(|&(_, rank)| rank)
    }

    /// The number of successful probes.
    pub fn hits(&self) -> u64 {
        self.moves.len() as u64
    }

    /// Whether probes inside the tree would tell nothing more.
    fn settles_game(&self) -> bool {
        self.by_dtz || self.moves.iter().all(|(_, rank)| rank.score <= DRAW)
    }
}

impl SyzygyOptions {
    /// Syzygy root ranking: probes the DTZ after each root move or, if that fails, the WDL. `before` contains
    /// the keys of the earlier positions that can recur.
    pub fn rank(&self, root: &Position, before: &[u64], moves: &[Move]) -> Option<RootRanks> {
        let tablebase = self.tablebase.as_deref()?;
        if root.occupied().len() > self.max_pieces {
            return None;
        }
        [true, false].into_iter().find_map(|by_dtz| {
            let rank = |&mv: &Move| {
                let dtz = self.dtz(tablebase, &root.after(mv), before, by_dtz)?;
                Some((mv, self.rank_of(dtz, root, before)))
            };
            let moves = moves.iter().map(rank).collect::<Option<_>>()?;
            Some(RootRanks { moves, by_dtz })
        })
    }

    /// The plies to the next zeroing move or mate after a root move that leads to `next`, counted as in
    /// [`Tablebase::probe_dtz`]. By WDL alone, the next move counts as zeroing.
    fn dtz(
        &self,
        tablebase: &Tablebase,
        next: &Position,
        before: &[u64],
        by_dtz: bool,
    ) -> Option<i32> {
        if matches!(next.ending(), Some(Ending::Checkmate { .. })) {
            return Some(1);
        }
        let times_before = before.iter().filter(|&&key| key == next.key()).count();
        let too_late = self.fifty_moves && i32::from(next.halfmoves()) >= FIFTY_MOVES;
        if times_before >= 2 || too_late {
            return Some(0);
        }
        if next.halfmoves() > 0 && by_dtz {
            let dtz = -tablebase.probe_dtz(next)?;
            Some(dtz + dtz.signum())
        } else {
            Some(dtz_before_zeroing(-tablebase.probe_wdl(next)?))
        }
    }

    fn rank_of(&self, dtz: i32, root: &Position, before: &[u64]) -> RootRank {
        let halfmoves = i32::from(root.halfmoves()).min(FIFTY_MOVES);
        let zeroed_at = dtz.abs() + halfmoves;
        let must_progress = halfmoves >= PATIENCE || has_repeated(root, before);
        let rank = match dtz.signum() {
            1 if zeroed_at < FIFTY_MOVES && !must_progress => SAFE_WIN,
            1 => WIN - zeroed_at,
            // If the draw is far away, all losing moves are equal, so that the search may set problems.
            -1 if zeroed_at - dtz < FIFTY_MOVES => -SAFE_WIN,
            -1 => zeroed_at - WIN,
            _ => 0,
        };
        let is_draw = self.fifty_moves && zeroed_at > FIFTY_MOVES;
        let win = TB_WIN - dtz.abs().min(MAX_PLY as i32);
        RootRank { rank, score: if is_draw { DRAW } else { dtz.signum() * win } }
    }

    /// The maximum number of pieces for probes inside the tree.
    pub fn probed_pieces(&self, root: Option<&RootRanks>) -> u32 {
        match &self.tablebase {
            Some(tablebase) if !root.is_some_and(RootRanks::settles_game) => {
                self.max_pieces.min(tablebase.max_pieces() as u32)
            }
            _ => 0,
        }
    }
}

/// Whether a position that can still recur occurred twice.
fn has_repeated(root: &Position, before: &[u64]) -> bool {
    let mut keys = [before, &[root.key()]].concat();
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}
