//! The board: its rules, keys and texts, each backend of it, and what shakmaty and Stockfish say.

mod common;
#[macro_use]
mod each_backend;

mod attacks;
mod backends;
mod fen;
mod game;
mod garbage;
mod perft;
mod properties;
mod see;
mod shakmaty;
mod stockfish;
