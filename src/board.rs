//! What a chess position is: the 0x88 board, its rules, its keys, and its text forms.

mod attacks;
mod backend;
mod castling;
mod checks;
mod color;
mod fen;
mod game;
mod generate;
mod lanes;
mod moves;
mod native;
mod perft;
mod piece;
mod position;
mod san;
mod scalar;
mod see;
mod setup;
mod shakmaty;
pub mod square;
mod square_set;
mod state;
mod uci;
mod upcoming_repetition;
#[cfg(avx2_backend)]
mod vector;
pub mod zobrist;

pub use attacks::Attacks;
pub use backend::Backend;
pub use castling::CastlingSide;
pub use checks::Checks;
pub use color::Color;
pub use fen::{Fen, FenError, LeftOut, START};
pub use game::{Ending, Game};
pub use generate::Stage;
pub use moves::{Move, MoveKind, MoveList};
pub use native::Native;
pub use perft::{perft, perft_by};
pub use piece::{Piece, PieceType};
pub use position::Position;
pub use san::SanError;
pub use scalar::Scalar;
pub use see::see_value;
pub use setup::{MAX_PIECES, Setup, SetupError};
pub use square::Square;
pub use square_set::SquareSet;
pub use uci::{UciMove, UciMoveError};
#[cfg(avx2_backend)]
pub use vector::Avx2;
#[cfg(avx512_backend)]
pub use vector::Avx512;
