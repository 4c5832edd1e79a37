//! The board: its rules, keys and texts, each body of it, and what independent judges say.

mod common;
#[macro_use]
mod each_body;

mod attacks;
mod bodies;
mod exchange;
mod fen;
mod game;
mod garbage;
mod judge;
mod perft;
mod properties;
mod stockfish;
