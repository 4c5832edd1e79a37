//! Analysis of games and positions: `zebu analyse`.

mod analyser;
mod annotations;
mod command;
mod explanation;
mod game_analysis;
mod game_data;
pub mod motifs;
mod openings;
mod review;
mod white_score;

pub use analyser::{OtherLine, PositionAnalysis};
pub use command::Analyse;
pub use game_analysis::GameAnalysis;
pub use game_data::{GameData, Note, move_note, moves_text};
pub use review::{Review, Reviewed, readable, told};
pub use white_score::WhiteScore;
