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
    judgement: Option<&'static Judgement>,
}

/// Centipawns from which a mate that is lost or allowed is no blunder, and from which it is no mistake either:
/// the game is decided anyway.
const DECIDED: [i32; 2] = [700, 999];

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
        let loss = drop.max(0.0);
        let by_mate = mate_changes(color, before.white_score, after.white_score);
        let judgement = match by_mate {
            Some(grade) => Some(&JUDGEMENTS[grade]),
            None => JUDGEMENTS.iter().rfind(|judgement| loss >= judgement.loss),
        };
        MoveAnalysis { color, loss, judgement: judgement.filter(|_| !is_best) }
    }

    pub fn judgement(&self) -> Option<&'static Judgement> {
        self.judgement
    }
}

/// The grade of a move that loses a mate or allows one, by lichess's rules: a blunder, unless the game is decided
/// without the mate.
fn mate_changes(color: Color, before: WhiteScore, after: WhiteScore) -> Option<usize> {
    let sign = if color == Color::White { 1 } else { -1 };
    // Whether the mover mates, and else its centipawns.
    let seen = |score: WhiteScore| match score {
        WhiteScore::Centipawns(value) => Err(sign * value),
        WhiteScore::Mate(moves) => Ok(sign * moves > 0),
        WhiteScore::Won(winner) => Ok(winner == color),
    };
    let grade = |left: i32| 2 - DECIDED.iter().filter(|&&decided| left > decided).count();
    match (seen(before), seen(after)) {
        (Ok(true), Err(left)) => Some(grade(left)),
        (Err(was), Ok(false)) => Some(grade(-was)),
        (Ok(true), Ok(false)) => Some(2),
        _ => None,
    }
}
