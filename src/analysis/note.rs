//! What is to be said of a move.

use serde::Serialize;

use super::analyser::PositionAnalysis;
use super::explanation::{explanation, hint, praise};
use super::game_analysis::MoveAnalysis;
use crate::board::{Move, Position};

/// The judgement, and the annotations of the file.
#[derive(Default, Serialize)]
pub struct Note {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judgement: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub praise: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<String>,
}

impl Note {
    /// Why the move was bad, and what was best.
    pub fn reason(&self) -> Option<String> {
        let best = self.best.as_ref().map_or(String::new(), |best| format!("; {best} was best"));
        Some(self.why.clone()? + &best)
    }

    /// The judgement or the praise in words.
    pub fn text(&self) -> Option<String> {
        let judged = self.judgement.zip(self.reason());
        let told = judged.map(|(judgement, reason)| format!("{judgement}: {reason}"));
        told.or_else(|| self.praise.clone())
    }

    pub fn is_empty(&self) -> bool {
        let is_said = self.judgement.is_some() || self.praise.is_some();
        !is_said && self.nags.is_empty() && self.comments.is_empty() && self.variations.is_empty()
    }
}

/// What is to be said of a move between two analysed positions.
pub fn move_note(
    position: &Position,
    mv: Move,
    before: &PositionAnalysis,
    after: &PositionAnalysis,
) -> Note {
    let Some(judgement) = MoveAnalysis::new(mv, position.side(), before, after).judgement() else {
        return Note { praise: praise(position, mv, before), ..Note::default() };
    };
    Note {
        judgement: Some(judgement.name),
        sign: Some(judgement.sign),
        why: Some(explanation(position, mv, before, after)),
        best: before.pv.first().map(|&best| position.san(best)),
        hint: hint(position, before),
        ..Note::default()
    }
}
