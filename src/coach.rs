//! Learning from one's own games: a library of them, their reviews, what costs points, and exercises from
//! one's own mistakes. It knows no voice: `zebu coach` writes a page of it, and a board asks it.

mod background;
mod command;
mod day;
mod exercises;
mod export;
mod fsrs;
mod judged;
mod lines;
mod model;
mod opening_moves;
mod overview;
mod plots;
mod reviews;
mod schedule;
mod spots;
mod statistics;
mod training;
mod tree;

pub use background::{Background, Column, Imported, Reply, State, Want};
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
pub use training::Training;
pub use tree::{Branch, Tree};
