//! The board: rules, keys and text forms, also compared with shakmaty.

mod common;
#[path = "../shared/data.rs"]
mod data;

mod attacks;
mod fen;
mod game;
mod instructions;
mod order;
mod perft;
mod properties;
mod rules;
mod see;
mod shakmaty;
