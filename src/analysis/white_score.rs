//! A score from White's point of view, and its winning chance.

use std::fmt;

use engine::board::Color;
use engine::search::Score;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhiteScore {
    Centipawns(i32),
    /// Moves to mate, negative if Black mates.
    Mate(i32),
    /// This side has given mate.
    Won(Color),
}

/// The largest score that makes a difference: beyond it, the game is decided.
const MAX_CENTIPAWNS: i32 = 1000;

/// The slope of lichess's logistic from centipawns to the results of human games.
const SLOPE: f64 = 0.00368208;

impl WhiteScore {
    /// Converts a score from the side to move's point of view.
    pub fn of(score: Score, side: Color) -> WhiteScore {
        let sign = if side == Color::White { 1 } else { -1 };
        match score {
            Score::Centipawns(value) => WhiteScore::Centipawns(sign * value),
            Score::Mate(0) => WhiteScore::Won(!side),
            Score::Mate(moves) => WhiteScore::Mate(sign * moves),
        }
    }

    /// The score one move earlier, before a move of this side: a mate takes one move more.
    pub fn before(self, side: Color) -> WhiteScore {
        let sign = if side == Color::White { 1 } else { -1 };
        match self {
            WhiteScore::Mate(moves) if sign * moves > 0 => WhiteScore::Mate(moves + sign),
            WhiteScore::Won(_) => WhiteScore::Mate(sign),
            score => score,
        }
    }

    /// A side's winning chance in percent. A draw is 50.
    pub fn win_percent(self, color: Color) -> f64 {
        let centipawns = match self {
            WhiteScore::Centipawns(value) => value.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
            WhiteScore::Mate(moves) => moves.signum() * MAX_CENTIPAWNS,
            WhiteScore::Won(Color::White) => MAX_CENTIPAWNS,
            WhiteScore::Won(Color::Black) => -MAX_CENTIPAWNS,
        };
        let white = 100.0 / (1.0 + (-SLOPE * f64::from(centipawns)).exp());
        if color == Color::White { white } else { 100.0 - white }
    }

    /// The argument of `[%eval]` in PGN. There is none for a mate on the board.
    pub fn pgn(self) -> Option<String> {
        match self {
            WhiteScore::Centipawns(value) => Some(format!("{:.2}", f64::from(value) / 100.0)),
            WhiteScore::Mate(moves) => Some(format!("#{moves}")),
            WhiteScore::Won(_) => None,
        }
    }
}

impl fmt::Display for WhiteScore {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            WhiteScore::Centipawns(0) => f.write_str("0.00"),
            WhiteScore::Centipawns(value) => write!(f, "{:+.2}", f64::from(*value) / 100.0),
            WhiteScore::Mate(moves) => write!(f, "#{moves}"),
            WhiteScore::Won(Color::White) => f.write_str("1-0"),
            WhiteScore::Won(Color::Black) => f.write_str("0-1"),
        }
    }
}
