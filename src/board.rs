//! What a chess position is: the 0x88 board, its rules, its keys, and its text forms.

mod checks;
mod fen;
mod game;
mod generate;
pub mod lines;
mod moves;
mod perft;
mod piece;
mod position;
mod reversal;
mod san;
mod setup;
mod shakmaty;
pub mod square;
mod squares;
mod uci;
pub mod zobrist;

pub use checks::Checks;
pub use fen::{FenError, START};
pub use game::{Ending, Game};
pub use generate::Stage;
pub use moves::{Move, MoveKind, MoveList};
pub use perft::{perft, perft_by};
pub use piece::{Color, Kind, Piece};
pub use position::{Position, Wing};
pub use san::SanError;
pub use setup::{Setup, SetupError};
pub use square::Square;
pub use squares::Squares;
pub use uci::UciMoveError;
