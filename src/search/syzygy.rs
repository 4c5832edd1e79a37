//! What the endgame tables know: which root moves keep the result, and what a node is worth.

use std::sync::Arc;

use super::history::PieceTo;
use super::report::Bound;
use super::score::{DRAW, DRAW_SPREAD, MAX_PLY, TB_WIN};
use super::table::{Stored, to_table};
use super::task::Task;
use super::tree::Tree;
use crate::board::{Ending, Move, Position};
use crate::tablebase::{Tablebase, dtz_before_zeroing};

/// Which tables are asked, and about what.
#[derive(Clone, Default)]
pub struct SyzygyOptions {
    pub tablebase: Option<Arc<Tablebase>>,
    /// Nodes that are searched less deep are not asked about.
    pub depth: i32,
    /// Nor are positions with more pieces.
    pub most_pieces: u32,
    /// A win that takes too long is a draw.
    pub fifty_moves: bool,
}

/// What is known of a root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The better move has the higher grade. Between equal ones the search decides.
    pub grade: i32,
    pub score: i32,
}

/// The grade of a win that the fifty moves cannot spoil, and what other wins come near.
const SAFE: i32 = 20_000;
const WON: i32 = 10_000;

/// For so many plies the search makes progress in its own way; after that the tables lead.
const PATIENCE: i32 = 20;

/// The hundredth ply without a capture or pawn move makes a draw. A distance may be one too few.
const DRAWN: i32 = 100;

/// What the tables say of a node counts as a search that is so many plies deeper.
const CERTAINTY: i32 = 6;

/// What is known of all root moves.
pub struct KnownRoot {
    moves: Vec<(Move, Known)>,
    /// Not only who wins is known, but also how.
    shows_way: bool,
}

impl KnownRoot {
    /// Asks for the distance to the result after each root move, or at least for the result.
    pub fn of(task: &Task) -> Option<KnownRoot> {
        let tablebase = task.probing.tablebase.as_deref()?;
        if task.position.occupied().len() > task.probing.most_pieces {
            return None;
        }
        [true, false].into_iter().find_map(|shows_way| {
            let known = |mv| {
                let distance = distance(task, tablebase, mv, shows_way)?;
                Some((mv, Known::of(task, distance)))
            };
            let moves = task.root_moves().into_iter().map(known).collect::<Option<_>>()?;
            Some(KnownRoot { moves, shows_way })
        })
    }

    pub fn of_move(&self, mv: Move) -> Option<Known> {
        self.moves.iter().find(|&&(other, _)| other == mv).map(|&(_, known)| known)
    }

    /// How many answers the tables gave.
    pub fn answers(&self) -> u64 {
        self.moves.len() as u64
    }

    /// Whether the tables can tell the search nothing more.
    fn is_settled(&self) -> bool {
        self.shows_way || self.moves.iter().all(|(_, known)| known.score <= DRAW)
    }
}

/// The plies to the next capture, pawn move or mate if this root move is played, as
/// [`Tablebase::probe_dtz`] counts them. Without `shows_way` only the result is asked for, and counts
/// as if it came at once.
fn distance(task: &Task, tablebase: &Tablebase, mv: Move, shows_way: bool) -> Option<i32> {
    let next = task.position.after(mv);
    if matches!(next.ending(), Some(Ending::Checkmate { .. })) {
        return Some(1);
    }
    let times_before = task.key_history.iter().filter(|&&key| key == next.key()).count();
    let is_late = task.probing.fifty_moves && i32::from(next.halfmoves()) >= DRAWN;
    if times_before >= 2 || is_late {
        return Some(0);
    }
    if next.halfmoves() > 0 && shows_way {
        let distance = -tablebase.probe_dtz(&next)?;
        Some(distance + distance.signum())
    } else {
        Some(dtz_before_zeroing(-tablebase.probe_wdl(&next)?))
    }
}

impl Known {
    fn of(task: &Task, distance: i32) -> Known {
        let clock = i32::from(task.position.halfmoves()).min(DRAWN);
        let spent = distance.abs() + clock;
        let must_progress = clock >= PATIENCE || has_repeated(task);
        let grade = match distance.signum() {
            1 if spent < DRAWN && !must_progress => SAFE,
            1 => WON - spent,
            // Far from a draw, who loses had better set problems.
            -1 if spent - distance < DRAWN => -SAFE,
            -1 => spent - WON,
            _ => 0,
        };
        let is_draw = task.probing.fifty_moves && spent > DRAWN;
        let win = TB_WIN - distance.abs().min(MAX_PLY as i32);
        Known { grade, score: if is_draw { DRAW } else { distance.signum() * win } }
    }
}

/// Whether a position that can still repeat was on the board twice.
fn has_repeated(task: &Task) -> bool {
    let mut keys = task.key_history.clone();
    keys.push(task.position.key());
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}

/// The largest number of pieces of nodes that are asked about.
pub fn probed_pieces(task: &Task, root: Option<&KnownRoot>) -> u32 {
    match &task.probing.tablebase {
        Some(tablebase) if !root.is_some_and(KnownRoot::is_settled) => {
            task.probing.most_pieces.min(tablebase.max_pieces() as u32)
        }
        _ => 0,
    }
}

impl Tree<'_> {
    /// What the tables say a node is worth. Wins may be worth more, since there may be a mate.
    /// The node must come right after a capture or pawn move: nothing is known of the clock.
    #[cold]
    pub fn look_up(&mut self, position: &Position, depth: i32, ply: usize) -> Option<(i32, Bound)> {
        let SyzygyOptions { tablebase, depth: least_depth, fifty_moves, .. } =
            &self.search.task.probing;
        if position.halfmoves() > 0
            || position.occupied().len() > self.probed_pieces
            || depth < *least_depth
            || self.moved(ply, 1) == PieceTo::NONE
            || self.ply(ply).without.is_some()
        {
            return None;
        }
        let verdict = i32::from(tablebase.as_deref()?.probe_wdl(position)?);
        self.count_tb_hit();
        let decided = if *fifty_moves { 2 } else { 1 };
        let (value, bound) = if verdict >= decided {
            (TB_WIN - ply as i32, Bound::Lower)
        } else if verdict <= -decided {
            (ply as i32 - TB_WIN, Bound::Upper)
        } else {
            (DRAW + 2 * DRAW_SPREAD * verdict, Bound::Exact)
        };
        let evaluation = if position.in_check() { 0 } else { self.evaluate(position, ply) };
        let stored = Stored {
            mv: Move::NONE,
            value: to_table(value, ply),
            evaluation,
            depth: depth + CERTAINTY,
            bound,
        };
        self.search.table.store(position.key(), stored);
        Some((value, bound))
    }
}
