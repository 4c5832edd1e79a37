//! The WDL model: the chances of win, draw and loss that a score stands for, fitted to Zebu's games.

use crate::board::{PieceType, Position};

/// A logistic curve for each side's chance to win. Where it is in the middle and how wide it is
/// depends on the material: polynomials of its share of the full board's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WdlModel {
    /// The score at which the side ahead wins half of its games.
    pub middle: [f64; 3],
    pub width: [f64; 3],
}

/// Neither number falls below this where games are few.
const LEAST: f64 = 10.0;

/// In pawns.
const FULL_BOARD: i32 = 78;

impl WdlModel {
    /// As `forge fit` fits it.
    pub const FITTED: WdlModel =
        WdlModel { middle: [254.1, -142.5, 53.5], width: [60.2, 42.0, 74.0] };

    /// The pieces of both sides, in pawns, at most those of the full board.
    pub fn material(position: &Position) -> i32 {
        let pawns: i32 = position.pieces().map(|(_, piece)| pawns(piece.kind())).sum();
        pawns.min(FULL_BOARD)
    }

    pub fn middle(&self, material: i32) -> f64 {
        value(self.middle, material)
    }

    /// The chance to win, from 0 to 1.
    pub fn win(&self, score: f64, material: i32) -> f64 {
        1.0 / (1.0 + ((self.middle(material) - score) / value(self.width, material)).exp())
    }
}

fn value([constant, linear, square]: [f64; 3], material: i32) -> f64 {
    let share = f64::from(material) / f64::from(FULL_BOARD);
    (constant + share * (linear + share * square)).max(LEAST)
}

/// A score in reported centipawns: with 100 of them, half of the games are won.
pub fn centipawns(score: i32, position: &Position) -> i32 {
    let middle = WdlModel::FITTED.middle(WdlModel::material(position));
    (100.0 * f64::from(score) / middle).round() as i32
}

/// Chances in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    pub win: u16,
    pub draw: u16,
    pub loss: u16,
}

impl Wdl {
    pub const WIN: Wdl = Wdl { win: 1000, draw: 0, loss: 0 };
    pub const DRAW: Wdl = Wdl { win: 0, draw: 1000, loss: 0 };
    pub const LOSS: Wdl = Wdl { win: 0, draw: 0, loss: 1000 };

    /// The chances that a score means.
    pub fn of(score: i32, position: &Position) -> Wdl {
        let material = WdlModel::material(position);
        let chance =
            |score: i32| (1000.0 * WdlModel::FITTED.win(f64::from(score), material)).round() as u16;
        let (win, loss) = (chance(score), chance(-score));
        Wdl { win, draw: 1000_u16.saturating_sub(win + loss), loss }
    }
}

/// The usual rough value of a piece in pawns.
fn pawns(kind: PieceType) -> i32 {
    match kind {
        PieceType::Pawn => 1,
        PieceType::Knight | PieceType::Bishop => 3,
        PieceType::Rook => 5,
        PieceType::Queen => 9,
        PieceType::King => 0,
    }
}
