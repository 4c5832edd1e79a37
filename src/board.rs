//! What a chess position is: the 0x88 board, its rules, its keys, and its text forms.

pub mod attacks;
mod checks;
mod fen;
mod game;
mod generate;
mod moves;
mod perft;
mod piece;
mod position;
mod san;
mod setup;
mod shakmaty;
pub mod square;
mod square_set;
mod uci;
mod upcoming_repetition;
pub mod zobrist;

pub use checks::Checks;
pub use fen::{FenError, START};
pub use game::{Ending, Game};
pub use generate::Stage;
pub use moves::{Move, MoveKind, MoveList};
pub use perft::{perft, perft_by};
pub use piece::{Color, Piece, PieceType};
pub use position::{CastlingSide, Position};
pub use san::SanError;
pub use setup::{Setup, SetupError};
pub use square::Square;
pub use square_set::SquareSet;
pub use uci::{UciMove, UciMoveError};
