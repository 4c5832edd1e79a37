//! How deep the moves of a node are looked at: which not at all, which less deep than others, and
//! which deeper.

use super::pruning::Estimate;
use super::score::TB_WIN_IN_MAX_PLY;
use super::tuning::*;
use crate::board::attacks::{Backend, Native};
use crate::board::{Move, Position};

/// What is known of a node when its moves are looked at.
pub struct Outset {
    pub depth: i32,
    /// How far it is from the root.
    pub ply: usize,
    /// The node is expected to be refuted.
    pub cut: bool,
    pub in_check: bool,
    pub improving: bool,
    pub estimate: Option<Estimate>,
    /// The table's move captures or promotes.
    pub table_noisy: bool,
}

/// A move that was picked.
pub struct Candidate {
    pub mv: Move,
    pub history: i32,
    pub quiet: bool,
    /// How many were picked, this one included.
    pub number: i32,
    /// How much less deep it is looked at, in 1024ths of a ply, before more is known of it.
    pub less: i32,
}

impl Candidate {
    pub fn new(mv: Move, history: i32, quiet: bool, number: i32, depth: i32) -> Candidate {
        Candidate { mv, history, quiet, number, less: less(quiet, number, depth) }
    }
}

/// How much less deep a move is looked at, in 1024ths of a ply, before more is known of it.
#[inline(always)]
fn less(quiet: bool, number: i32, depth: i32) -> i32 {
    let (base, factor) = if quiet { QUIET_REDUCTION } else { NOISY_REDUCTION };
    let [depth, place] = [depth, number].map(|n| LOGARITHMS[n.clamp(0, 63) as usize]);
    base + factor * ((depth * place) >> 10) / 1024
}

/// What a move is worth being looked at.
pub enum Prospect {
    Fair,
    Poor,
    /// Neither this move is nor any quiet one after it that gives no check.
    PoorUnlessCheck,
}

impl Outset {
    /// Whether a move can be left out, once there is one that is not mated.
    #[inline(always)]
    pub fn prospect(&self, position: &Position, candidate: &Candidate, alpha: i32) -> Prospect {
        let &Candidate { mv, history, quiet, number, less } = candidate;
        let depth = self.depth;
        if alpha >= TB_WIN_IN_MAX_PLY {
            return Prospect::Fair;
        }
        let loses = |loss| depth <= EXCHANGE_DEPTH && !position.see_ge(mv, loss);
        let near = (depth - less / 1024).max(0);
        let late = quiet && self.leaves_out_quiet(number, alpha);
        let poor = if quiet {
            late || near <= HISTORY_PRUNE_DEPTH && history < HISTORY_PRUNE * depth
                || loses(QUIET_EXCHANGE * near * near)
        } else {
            loses(NOISY_EXCHANGE * depth)
        };
        // A check leaves the opponent little choice, so that it may pay for much.
        match poor {
            true if Native::gives_check(position, mv) && !loses(CHECK_EXCHANGE * depth) => {
                Prospect::Fair
            }
            true if late => Prospect::PoorUnlessCheck,
            true => Prospect::Poor,
            false => Prospect::Fair,
        }
    }

    /// Whether no quiet move from this number on is looked at that gives no check, once there is a
    /// move that is not mated.
    #[inline(always)]
    pub fn leaves_out_quiet(&self, number: i32, alpha: i32) -> bool {
        let depth = self.depth;
        let near = (depth - less(true, number, depth) / 1024).max(0);
        let most = (LATE_MOVES + depth * depth) / if self.improving { 1 } else { 2 };
        let hopeless = near <= FUTILITY_DEPTH
            && alpha < DECIDED
            && self.estimate.is_some_and(|estimate| {
                estimate.evaluation + FUTILITY_BASE + FUTILITY * near <= alpha
            });
        !self.in_check && alpha < TB_WIN_IN_MAX_PLY && (number > most || hopeless)
    }

    /// Whether a check deserves a ply more, for costing nothing or for having only one answer. Near
    /// the root such lines decide games, and are few; everywhere they are too many.
    pub fn is_forcing(&self, position: &Position, mv: Move, next: &Position) -> bool {
        self.depth >= FORCING_DEPTH
            && (self.ply < CHECK_PLIES && position.see_ge(mv, 0)
                || self.ply < ANSWER_PLIES && next.legal_moves().len() == 1)
    }

    /// How many plies less deep a move is looked at. `checks` is whether it gives check, `cuts` how
    /// many of the nodes beside it were refuted.
    #[inline(always)]
    pub fn reduction(
        &self,
        candidate: &Candidate,
        checks: bool,
        principal: bool,
        cuts: u32,
    ) -> i32 {
        let mut less = candidate.less;
        less += 1024 * i32::from(!self.improving);
        less += 2048 * i32::from(self.cut);
        less -= 1024 * i32::from(principal);
        less += 1024 * i32::from(self.table_noisy && candidate.quiet);
        less -= 1024 * i32::from(checks);
        // At the root what is forcing decides games, and there is little of it.
        less -= 1024 * i32::from(self.ply == 0 && (!candidate.quiet || checks));
        less += 1024 * i32::from(cuts > 3);
        less -= 1024 * candidate.history / REDUCTION_HISTORY;
        less / 1024
    }
}

/// Logarithms to base 2 in 1024ths, straight between powers of two.
static LOGARITHMS: [i32; 64] = {
    let mut table = [0; 64];
    let mut n: i32 = 1;
    while n < 64 {
        let whole = n.ilog2() as i32;
        table[n as usize] = 1024 * whole + (n << 10 >> whole) - 1024;
        n += 1;
    }
    table
};
