//! The board: its rules, keys and texts, and what shakmaty and Stockfish say.

mod common;

mod attacks;
mod fen;
mod game;
mod garbage;
mod instructions;
mod order;
mod perft;
mod properties;
mod see;
mod shakmaty;
mod stockfish;
