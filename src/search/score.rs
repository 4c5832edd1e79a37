//! Scores: how they are counted inside the search and what they mean outside.

use super::wdl::centipawns;
use crate::board::Position;

/// Scores inside the search are about centipawns for the side to move, or near [`TB_WIN`] or
/// [`MATE`].
pub const INFINITE: i32 = 32_001;

/// Mate given now; mate in `n` plies is `MATE - n`.
pub const MATE: i32 = 32_000;

/// The plies that a line can have.
pub const MAX_PLY: usize = 255;

/// The deepest iteration.
pub const MAX_DEPTH: u32 = MAX_PLY as u32 - 10;

/// Every mate has at least this score, and everything else less.
pub const MATE_IN_MAX_PLY: i32 = MATE - MAX_PLY as i32;

/// A win by the endgame tables; reached in `n` plies it is `TB_WIN - n`.
pub const TB_WIN: i32 = MATE_IN_MAX_PLY - 1;

/// Every win that is proven, by mate or by the tables, has at least this score, and everything else
/// less.
pub const TB_WIN_IN_MAX_PLY: i32 = TB_WIN - MAX_PLY as i32;

/// A win by the endgame tables in centipawns, less one for each ply to it.
pub const TOLD_WIN: i32 = 20_000;

/// In centipawns: an ending that is known to be won, to which the evaluation is added.
pub const KNOWN_WIN: i32 = 10_000;

pub const DRAW: i32 = 0;

/// Scores of draws vary by this inside the search, and are reported as 0.
pub const DRAW_SPREAD: i32 = 1;

/// A score as it is reported: in centipawns, 100 of which win half of the games, or in moves to mate,
/// negative for being mated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    Centipawns(i32),
    Mate(i32),
}

impl Score {
    pub fn of(value: i32, position: &Position) -> Score {
        if value >= MATE_IN_MAX_PLY {
            Score::Mate((MATE - value + 1) / 2)
        } else if value <= -MATE_IN_MAX_PLY {
            Score::Mate(-(MATE + value) / 2)
        } else if value.abs() >= TB_WIN_IN_MAX_PLY {
            Score::Centipawns(value - value.signum() * (TB_WIN - TOLD_WIN))
        } else if (value - DRAW).abs() <= DRAW_SPREAD {
            Score::Centipawns(DRAW)
        } else {
            Score::Centipawns(centipawns(value, position))
        }
    }
}
