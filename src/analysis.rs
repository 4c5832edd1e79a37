//! Analysis of games and positions: `zebu analyse`.

mod analyser;
mod annotations;
mod batch;
mod explanation;
mod game_analysis;
mod openings;
mod page;
mod white_score;

pub use batch::{Batch, BatchError, Format, Summary};
