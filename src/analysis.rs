//! Analysis of games and positions: `zebu analyse`.

mod analyser;
mod annotations;
mod batch;
mod epd;
mod explanation;
mod game_analysis;
mod openings;
mod page;
mod pgn_game;
mod pgn_lexer;
mod pgn_reader;
mod pgn_writer;
mod white_score;

pub use batch::{Batch, BatchError, Format, Summary};
pub use epd::{EpdError, EpdLine};
pub use pgn_game::{GameResult, PgnError, PgnFault, PgnGame, PgnMove, Tags};
pub use pgn_reader::PgnReader;
pub use pgn_writer::to_pgn;
