//! What is found in games.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::tables::Place;

/// What was found in games, to be kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Finding {
    /// The analysis of a position of a game whose review is not complete.
    Position {
        place: Place,
        nodes: u64,
        found: Value,
    },
    Review {
        id: u64,
        nodes: u64,
        review: Value,
        summary: Summary,
    },
    /// The exercises of a game, by ply.
    Exercises {
        id: u64,
        exercises: Vec<(usize, Value)>,
    },
    /// What a long search found of an opening move.
    Opening {
        position: u64,
        mv: String,
        found: Value,
    },
    /// Exercises that belong to no game.
    Lines(Vec<(Place, Value)>),
}

/// What lists show of a review.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Of White and Black, in percent.
    pub accuracy: [Option<f64>; 2],
    /// The inaccuracies, mistakes and blunders of White and Black.
    pub marks: [[usize; 3]; 2],
}
