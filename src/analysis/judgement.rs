//! The loss of a move, and its name: inaccuracy, mistake or blunder.

use super::analyser::PositionAnalysis;
use super::white_score::WhiteScore;
use engine::board::{Color, Move};

/// The judgement of a bad move, by lichess's thresholds.
pub struct Judgement {
    pub name: &'static str,
    pub sign: &'static str,
    /// The numeric annotation glyph of the sign.
    pub nag: u8,
    /// The least loss of winning chance, in percent.
    loss: f64,
}

pub static JUDGEMENTS: [Judgement; 3] = [
    Judgement { name: "inaccuracy", sign: "?!", nag: 6, loss: 5.0 },
    Judgement { name: "mistake", sign: "?", nag: 2, loss: 10.0 },
    Judgement { name: "blunder", sign: "??", nag: 4, loss: 15.0 },
];

/// A move with analyses of the positions before and after it.
pub struct MoveAnalysis {
    pub color: Color,
    /// The loss of winning chance, in percent.
    pub loss: f64,
    /// It allows mate in one, where no mate was forced: a blunder, however lost the game is.
    allows_mate: bool,
}

impl MoveAnalysis {
    /// Measures a move by the analyses before and after it.
    pub fn new(
        played: Move,
        color: Color,
        before: &PositionAnalysis,
        after: &PositionAnalysis,
    ) -> MoveAnalysis {
        let win_percent = |found: &PositionAnalysis| found.white_score.win_percent(color);
        let is_best = before.pv.first() == Some(&played);
        let drop = if is_best { 0.0 } else { win_percent(before) - win_percent(after) };
        let mated_in = |found: &PositionAnalysis| match found.white_score {
            WhiteScore::Mate(moves) if (moves > 0) != (color == Color::White) => Some(moves.abs()),
            _ => None,
        };
        let allows_mate = !is_best && mated_in(after) == Some(1) && mated_in(before).is_none();
        MoveAnalysis { color, loss: drop.max(0.0), allows_mate }
    }

    pub fn judgement(&self) -> Option<&'static Judgement> {
        JUDGEMENTS.iter().rfind(|judgement| self.allows_mate || self.loss >= judgement.loss)
    }
}
