//! Syzygy root ranking: which root moves keep the result, and which of them make progress.

use super::score::{DRAW, MAX_PLY, TB_WIN};
use super::task::Task;
use crate::board::{Ending, Move};
use crate::tablebase::{Tablebase, dtz_before_zeroing};

/// What the tables know of a root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootRank {
    /// The better move has the higher rank. Between equal ones the search decides.
    pub rank: i32,
    pub score: i32,
}

/// The rank of a win that the fifty-move rule cannot spoil, and what the ranks of other wins come
/// near.
const SAFE_WIN: i32 = 20_000;
const WIN: i32 = 10_000;

/// For this many plies without a zeroing move the search makes progress in its own way; after that
/// the tables lead.
const PATIENCE: i32 = 20;

/// The hundredth ply without a zeroing move makes a draw. A DTZ may be one too low.
const FIFTY_MOVES: i32 = 100;

/// What the tables know of all root moves.
pub struct RootRanks {
    moves: Vec<(Move, RootRank)>,
    /// By DTZ, not by WDL alone.
    by_dtz: bool,
}

impl RootRanks {
    /// Probes DTZ after each root move, or if that is not to be had, WDL.
    pub fn probe(task: &Task) -> Option<RootRanks> {
        let tablebase = task.syzygy.tablebase.as_deref()?;
        if task.position.occupied().len() > task.syzygy.max_pieces {
            return None;
        }
        [true, false].into_iter().find_map(|by_dtz| {
            let rank = |mv| Some((mv, RootRank::new(task, dtz(task, tablebase, mv, by_dtz)?)));
            let moves = task.root_moves().into_iter().map(rank).collect::<Option<_>>()?;
            Some(RootRanks { moves, by_dtz })
        })
    }

    pub fn of_move(&self, mv: Move) -> Option<RootRank> {
        self.moves.iter().find(|&&(other, _)| other == mv).map(|&(_, rank)| rank)
    }

    /// How many probes succeeded.
    pub fn hits(&self) -> u64 {
        self.moves.len() as u64
    }

    /// Whether the tables can tell the search nothing more.
    fn settles_game(&self) -> bool {
        self.by_dtz || self.moves.iter().all(|(_, rank)| rank.score <= DRAW)
    }
}

/// The plies to the next zeroing move or mate if this root move is played, as
/// [`Tablebase::probe_dtz`] counts them. By WDL alone the result counts as if it came with the next move.
fn dtz(task: &Task, tablebase: &Tablebase, mv: Move, by_dtz: bool) -> Option<i32> {
    let next = task.position.after(mv);
    if matches!(next.ending(), Some(Ending::Checkmate { .. })) {
        return Some(1);
    }
    let times_before = task.key_history.iter().filter(|&&key| key == next.key()).count();
    let too_late = task.syzygy.fifty_moves && i32::from(next.halfmoves()) >= FIFTY_MOVES;
    if times_before >= 2 || too_late {
        return Some(0);
    }
    if next.halfmoves() > 0 && by_dtz {
        let dtz = -tablebase.probe_dtz(&next)?;
        Some(dtz + dtz.signum())
    } else {
        Some(dtz_before_zeroing(-tablebase.probe_wdl(&next)?))
    }
}

impl RootRank {
    fn new(task: &Task, dtz: i32) -> RootRank {
        let halfmoves = i32::from(task.position.halfmoves()).min(FIFTY_MOVES);
        let zeroed_at = dtz.abs() + halfmoves;
        let must_progress = halfmoves >= PATIENCE || has_repeated(task);
        let rank = match dtz.signum() {
            1 if zeroed_at < FIFTY_MOVES && !must_progress => SAFE_WIN,
            1 => WIN - zeroed_at,
            // Far from a draw, all losing moves are equal: the search may set problems.
            -1 if zeroed_at - dtz < FIFTY_MOVES => -SAFE_WIN,
            -1 => zeroed_at - WIN,
            _ => 0,
        };
        let is_draw = task.syzygy.fifty_moves && zeroed_at > FIFTY_MOVES;
        let win = TB_WIN - dtz.abs().min(MAX_PLY as i32);
        RootRank { rank, score: if is_draw { DRAW } else { dtz.signum() * win } }
    }
}

/// Whether a position that can still repeat was on the board twice.
fn has_repeated(task: &Task) -> bool {
    let mut keys = task.key_history.clone();
    keys.push(task.position.key());
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}

/// The largest number of pieces of positions that are probed inside the tree.
pub fn probed_pieces(task: &Task, root: Option<&RootRanks>) -> u32 {
    match &task.syzygy.tablebase {
        Some(tablebase) if !root.is_some_and(RootRanks::settles_game) => {
            task.syzygy.max_pieces.min(tablebase.max_pieces() as u32)
        }
        _ => 0,
    }
}
