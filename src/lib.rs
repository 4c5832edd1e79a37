//! Zebu for people: the terminal, the board in a browser, the analysis of games, and the coach.
//!
//! `terminal`, `web` and `analysis` are the voices: each talks with one kind of user. The voices for people own
//! the table of `game`. The crate `engine` plays; it knows nothing of this one. README.md in this folder
//! explains the architecture.

// Code that a web page does not use is dropped by the linker.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

/// Analysis of games and positions: `zebu analyse`.
pub mod analysis;
/// Learning from one's own games: `zebu coach`.
pub mod coach;
/// The game being played: moves, clock, result, PGN, and the table where a person plays it.
pub mod game;
/// Everything that is kept of a person's games, in one file.
pub mod library;
/// The web page.
pub mod page;
/// The voice for people at a terminal.
#[cfg(not(target_family = "wasm"))]
pub mod terminal;
/// The voice for people in a browser.
pub mod web;
