//! Zebu, a chess engine on a 0x88 board.
//!
//! `uci`, `terminal` and `web` are voices, each with a `player` of its own, whose options `config` reads; a
//! person's game is a `game`. The player knows `search`, that `eval` and `tablebase`, and these the `board`. `analysis`
//! uses the search, and `notation` knows the board alone. `text` and `files` are for all.
//! README.md in this folder says more.

// What a web page does not need is left out when it is linked.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

/// Analysis of games and positions: `zebu analyse`.
pub mod analysis;
/// A fixed benchmark, the fingerprint of the search.
pub mod bench;
/// The position: 0x88 board, moves, rules, keys, FEN and SAN.
pub mod board;
/// The configuration file engine.toml.
#[cfg(not(target_family = "wasm"))]
pub mod config;
/// The evaluation: the network and its accumulators.
pub mod eval;
/// Files that people name.
pub mod files;
/// The game that is played: moves, clock, result, PGN.
pub mod game;
/// Openings for games that a server of OpenBench has played.
#[cfg(not(target_family = "wasm"))]
pub mod genfens;
/// Ctrl-C as an event, and a terminal that is given back.
#[cfg(not(target_family = "wasm"))]
pub mod interrupt;
/// What the allocator is told.
#[cfg(not(target_family = "wasm"))]
pub mod memory;
/// Random openings.
pub mod opening;
/// Checks at start that the processor fits the build.
#[cfg(target_arch = "x86_64")]
mod processor;
#[cfg(not(target_arch = "x86_64"))]
mod processor {
    pub fn advice() -> Option<String> {
        None
    }
}
/// Games, positions and books as other programs write them: PGN, EPD, Polyglot.
pub mod notation;
/// What a browser shows.
pub mod page;
/// Whoever plays or analyses: options, network, book, tables, one search at a time.
pub mod player;
/// How far a long task is.
#[cfg(not(target_family = "wasm"))]
pub mod progress;
/// Which move to play: the search, its threads, its table and its clock.
pub mod search;
/// Syzygy endgame tables.
pub mod tablebase;
/// How the engine talks with a person at a terminal.
#[cfg(not(target_family = "wasm"))]
pub mod terminal;
/// Words from outside.
pub mod text;
/// Clocks.
pub mod time;
/// How the engine talks with programs: UCI.
#[cfg(not(target_family = "wasm"))]
pub mod uci;
/// What a page does for a program that is in it.
#[cfg(target_family = "wasm")]
mod wasm;
/// How the engine talks with a person in a browser.
#[cfg(any(feature = "board", target_family = "wasm"))]
pub mod web;

/// The version, and of what is no release the commit.
pub const VERSION: &str = env!("ZEBU_VERSION");

/// The engine's name and version.
pub const NAME: &str = concat!("Zebu ", env!("ZEBU_VERSION"));

/// What would be faster than this build, if anything would.
fn advice() -> Option<String> {
    if cfg!(debug_assertions) {
        let text = "this is a debug build, about 90 times slower: cargo build --release";
        return Some(text.to_string());
    }
    processor::advice()
}

/// From now on a panic in any thread ends the program, since nobody else does what that thread was to do.
pub fn end_on_panic() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tell(panic);
        std::process::abort()
    }));
}
