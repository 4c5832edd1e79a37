//! Analysis of games and positions: `zebu analyse`.

mod analyser;
mod annotations;
#[cfg(not(target_family = "wasm"))]
mod command;
mod explanation;
mod game_analysis;
mod game_data;
mod judgement;
mod material;
pub mod motifs;
mod note;
mod openings;
#[cfg(not(target_family = "wasm"))]
pub mod progress;
mod review;
mod story;
mod white_score;

pub use analyser::{ERROR, Look, OtherLine, PositionAnalysis};
pub use annotations::annotated_epd;
#[cfg(not(target_family = "wasm"))]
pub use command::Analyse;
pub use explanation::hint;
pub use game_analysis::{GameAnalysis, Phase};
pub use game_data::{GameData, head, moves_text};
pub use judgement::JUDGEMENTS;
pub use note::{Note, move_note};
pub use openings::{opening, opening_name};
pub use review::{Notebook, Place, Review, Reviewed, Seen, readable, told};
pub use story::Story;
pub use white_score::WhiteScore;
