//! Scores: how they are counted inside the search and what they mean outside.

use crate::board::{Kind, Position};

/// Scores inside the search are centipawns for the side to move, or near [`MATE`].
pub const INFINITE: i32 = 32_001;

/// Mate given now; mate in `n` plies is `MATE - n`.
pub const MATE: i32 = 32_000;

/// The plies that a line can have.
pub const MAX_PLY: usize = 255;

/// The deepest iteration.
pub const MAX_DEPTH: u32 = MAX_PLY as u32 - 10;

/// Every mate has at least this score, and everything else less.
pub const LEAST_MATE: i32 = MATE - MAX_PLY as i32;

pub const DRAW: i32 = 0;

/// By so much the scores of draws vary inside the search; they are told as what they are.
pub const DRAW_SPREAD: i32 = 1;

/// A score as it is told: in centipawns, or in moves to mate, negative for being mated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    Centipawns(i32),
    Mate(i32),
}

impl Score {
    pub fn of(value: i32) -> Score {
        if value >= LEAST_MATE {
            Score::Mate((MATE - value + 1) / 2)
        } else if value <= -LEAST_MATE {
            Score::Mate(-(MATE + value) / 2)
        } else if (value - DRAW).abs() <= DRAW_SPREAD {
            Score::Centipawns(DRAW)
        } else {
            Score::Centipawns(value)
        }
    }
}

/// The chances of winning, drawing and losing, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    pub win: u16,
    pub draw: u16,
    pub loss: u16,
}

impl Wdl {
    /// The chances that a score means: a logistic curve for each side, flatter and farther from
    /// zero the more material is left to err with.
    pub fn of(value: i32, position: &Position) -> Wdl {
        let material: i32 = position.pieces().map(|(_, piece)| pawns(piece.kind())).sum();
        let middle = 130.0 + f64::from(material);
        let width = 45.0 + 0.6 * f64::from(material);
        let chance = |value: i32| {
            let chance = 1.0 / (1.0 + ((middle - f64::from(value)) / width).exp());
            (1000.0 * chance).round() as u16
        };
        let (win, loss) = (chance(value), chance(-value));
        Wdl { win, draw: 1000_u16.saturating_sub(win + loss), loss }
    }
}

/// The usual rough value of a piece in pawns.
fn pawns(kind: Kind) -> i32 {
    match kind {
        Kind::Pawn => 1,
        Kind::Knight | Kind::Bishop => 3,
        Kind::Rook => 5,
        Kind::Queen => 9,
        Kind::King => 0,
    }
}
