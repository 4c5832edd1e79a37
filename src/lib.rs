//! Zebu, a chess engine on a 0x88 board.
//!
//! The rooms of the house, each knowing only those above it:

/// What a chess position is: squares, pieces, moves, rules, keys, FEN and SAN.
pub mod board;

/// Whether the processor has what this build assumes.
mod processor;
