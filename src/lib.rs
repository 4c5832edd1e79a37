//! Zebu, a chess engine on a 0x88 board.
//!
//! The rooms of the house. `board` knows none of the others; `eval`, `book` and `tablebase` know only
//! it; `search` knows these; `bench` and `analysis` use the search, and `uci` and `config` stand at the
//! door.

/// Games and positions looked at one by one, for people to read.
pub mod analysis;
/// A fixed piece of work that measures and fingerprints a build.
pub mod bench;
/// What a chess position is: squares, pieces, moves, rules, keys, FEN and SAN.
pub mod board;
/// Opening books.
pub mod book;
/// The configuration file engine.toml.
pub mod config;
/// What a position is worth.
pub mod eval;
/// Whether the processor has what this build assumes.
mod processor;
/// How far a long task is.
pub mod progress;
/// Which move to play: the search, its threads, its table and its clock.
pub mod search;
/// Endgame tables: what is known of positions with few pieces.
pub mod tablebase;
/// How the engine talks: UCI with programs, plainer words with people.
pub mod uci;
