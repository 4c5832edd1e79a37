//! Learning from one's own games: a library of them, their reviews, what costs points, and exercises from
//! one's own mistakes. It knows no voice: `zebu coach` writes a page of it, and a board asks it.

#[cfg(not(target_family = "wasm"))]
mod background;
#[cfg(target_family = "wasm")]
#[path = "coach/workers.rs"]
mod background;
#[cfg(not(target_family = "wasm"))]
mod command;
mod day;
mod exercises;
mod export;
mod fsrs;
mod judged;
mod lines;
mod list;
mod model;
mod opening_moves;
mod overview;
mod plots;
mod reviews;
mod schedule;
mod service;
mod spots;
mod statistics;
#[cfg(not(target_family = "wasm"))]
mod training;
mod tree;
mod wants;

pub use background::Background;
#[cfg(target_family = "wasm")]
pub use background::obey;
#[cfg(not(target_family = "wasm"))]
pub use command::Coach;
pub use day::due;
pub use exercises::{Exercise, ExerciseKind, exercises, is_right};
pub use export::{Export, Sink};
pub use judged::{Group, JudgedGame, JudgedMove};
pub use lines::{OwnLine, line_exercises};
pub use overview::{Overview, Reviewed, trees};
pub use reviews::{KeptReview, NODES, Order, Progress, ReviewError, analysis};
pub use schedule::{Answer, Memory};
pub use statistics::{Certainty, Statistics, Weakness};
#[cfg(not(target_family = "wasm"))]
pub use training::Training;
pub use tree::{Branch, Tree};
pub use wants::{Imported, Reply, State, Want};
