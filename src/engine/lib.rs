//! Zebu's engine: a 0x88 board, a network that evaluates it, and the search.
//!
//! `uci` owns a `player`, which uses `search`, which uses `eval` and `tablebase`, which use `board`. `notation`
//! knows only the board. The crate knows no person: terminal, board and coach are the crate `zebu`, one floor up.

// Code that a web page does not use is dropped by the linker.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

/// A fixed benchmark, the fingerprint of the search.
pub mod bench;
/// Positions: 0x88 board, moves, rules, keys, FEN and SAN.
pub mod board;
/// The configuration file engine.toml.
#[cfg(not(target_family = "wasm"))]
pub mod config;
/// The evaluation: the network and its accumulators.
pub mod eval;
/// File formats of other programs: PGN, EPD, Polyglot.
pub mod notation;
/// Random openings.
pub mod opening;
/// The state behind each voice: options, network, book, tables, one search at a time.
pub mod player;
/// The search: threads, transposition table, time management.
pub mod search;
/// What the system gives: files, memory, processor, clocks, and untrusted text.
pub mod system;
/// Syzygy endgame tables.
pub mod tablebase;
/// The voice for programs: UCI.
#[cfg(not(target_family = "wasm"))]
pub mod uci;

/// The version, with the commit unless this is a release.
pub const VERSION: &str = env!("ZEBU_VERSION");

/// The engine's name and version.
pub const NAME: &str = concat!("Zebu ", env!("ZEBU_VERSION"));
