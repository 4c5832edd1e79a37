//! What a position is worth to White, as it is told and as a chance to win.

use std::fmt;

use crate::board::Color;
use crate::search::Score;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// For White.
    Centipawns(i32),
    /// Moves to mate, negative if Black gives it.
    Mate(i32),
    /// Mate is on the board.
    Won(Color),
}

/// Beyond this many centipawns players win all the same.
const DECIDED: i32 = 1000;

/// How fast the chance of a player to win grows with the score: what lichess found out from its
/// games, where scores have the same scale as ours.
const SLOPE: f64 = 0.00368208;

impl Worth {
    /// What a score of the side to move means for White.
    pub fn of(score: Score, side: Color) -> Worth {
        let sign = if side == Color::White { 1 } else { -1 };
        match score {
            Score::Centipawns(value) => Worth::Centipawns(sign * value),
            Score::Mate(0) => Worth::Won(!side),
            Score::Mate(moves) => Worth::Mate(sign * moves),
        }
    }

    /// A side's chance to win, from 0 to 100; a draw is 50.
    pub fn chance(self, color: Color) -> f64 {
        let white = match self {
            Worth::Centipawns(value) => value.clamp(-DECIDED, DECIDED),
            Worth::Mate(moves) => moves.signum() * DECIDED,
            Worth::Won(Color::White) => DECIDED,
            Worth::Won(Color::Black) => -DECIDED,
        };
        let chance = 100.0 / (1.0 + (-SLOPE * f64::from(white)).exp());
        if color == Color::White { chance } else { 100.0 - chance }
    }

    /// As PGN writes it in `[%eval]`. A mate on the board needs no word.
    pub fn pgn(self) -> Option<String> {
        match self {
            Worth::Centipawns(value) => Some(format!("{:.2}", f64::from(value) / 100.0)),
            Worth::Mate(moves) => Some(format!("#{moves}")),
            Worth::Won(_) => None,
        }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Worth::Centipawns(0) => f.write_str("0.00"),
            Worth::Centipawns(value) => write!(f, "{:+.2}", f64::from(*value) / 100.0),
            Worth::Mate(moves) => write!(f, "#{moves}"),
            Worth::Won(Color::White) => f.write_str("1-0"),
            Worth::Won(Color::Black) => f.write_str("0-1"),
        }
    }
}
