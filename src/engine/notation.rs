//! File formats of other programs: PGN, EPD and Polyglot books.

pub mod book;
mod epd;
mod lines;
mod pgn_game;
mod pgn_lexer;
mod pgn_reader;

pub use epd::{EpdError, EpdLine, epd_positions};
pub use lines::{Lines, TextLine};
pub use pgn_game::{GameResult, PgnError, PgnFault, PgnGame, PgnMove, Tags, to_pgn};
pub use pgn_reader::PgnReader;
