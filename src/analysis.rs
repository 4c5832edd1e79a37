//! Analysis of games and positions: `zebu analyse`.

mod analyser;
mod annotations;
mod batch;
mod explanation;
mod game_analysis;
mod game_data;
pub mod motifs;
mod openings;
mod white_score;

pub use analyser::{OtherLine, PositionAnalysis};
pub use batch::{Batch, BatchError, Format, Summary};
pub use game_analysis::GameAnalysis;
pub use game_data::{GameData, Note, move_note, moves_text};
pub use white_score::WhiteScore;
