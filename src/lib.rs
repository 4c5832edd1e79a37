//! Zebu, a chess engine on a 0x88 board.
//!
//! `uci`, `terminal`, `web` and `analyse` are the voices: each talks with one kind of user. `uci` owns a
//! `player`; the voices for people own the table of `game`, which owns two. `player` uses `search`, which
//! uses `eval` and `tablebase`, which use `board`. `analysis` uses the search, and `notation` knows only the
//! board. README.md in this folder explains the
//! architecture.

// Code that a web page does not use is dropped by the linker.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

/// The voice for files: `zebu analyse`.
#[cfg(not(target_family = "wasm"))]
pub mod analyse;
/// Analysis of games and positions.
pub mod analysis;
/// A fixed benchmark, the fingerprint of the search.
pub mod bench;
/// Positions: 0x88 board, moves, rules, keys, FEN and SAN.
pub mod board;
/// Learning from one's own games: `zebu coach`.
#[cfg(all(feature = "coach", not(target_family = "wasm")))]
pub mod coach;
/// The configuration file engine.toml.
#[cfg(not(target_family = "wasm"))]
pub mod config;
/// The evaluation: the network and its accumulators.
pub mod eval;
/// Files that users name.
pub mod files;
/// The game being played: moves, clock, result, PGN, and the table where a person plays it.
pub mod game;
/// Openings for OpenBench servers.
#[cfg(not(target_family = "wasm"))]
pub mod genfens;
/// Ctrl-C as an event, and restoring the terminal.
#[cfg(not(target_family = "wasm"))]
pub mod interrupt;
/// Lines of bounded length.
pub mod lines;
/// Settings of the allocator.
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
/// File formats of other programs: PGN, EPD, Polyglot.
pub mod notation;
/// The web page.
pub mod page;
/// The state behind each voice: options, network, book, tables, one search at a time.
pub mod player;
/// Progress of long tasks.
#[cfg(not(target_family = "wasm"))]
pub mod progress;
/// A bounded queue of waiting commands.
pub mod queue;
/// The search: threads, transposition table, time management.
pub mod search;
/// Syzygy endgame tables.
pub mod tablebase;
/// The voice for people at a terminal.
#[cfg(not(target_family = "wasm"))]
pub mod terminal;
/// Untrusted text.
pub mod text;
/// Clocks.
pub mod time;
/// The voice for programs: UCI.
#[cfg(not(target_family = "wasm"))]
pub mod uci;
/// The services of a web page that runs the engine.
#[cfg(target_family = "wasm")]
mod wasm;
/// The voice for people in a browser.
#[cfg(any(feature = "board", target_family = "wasm"))]
pub mod web;

/// The version, with the commit unless this is a release.
pub const VERSION: &str = env!("ZEBU_VERSION");

/// The engine's name and version.
pub const NAME: &str = concat!("Zebu ", env!("ZEBU_VERSION"));

/// The faster build for this machine, if there is one.
fn advice() -> Option<String> {
    if cfg!(debug_assertions) {
        let text = "this is a debug build, about 90 times slower: cargo build --release";
        return Some(text.to_string());
    }
    processor::advice()
}

/// Makes a panic in any thread end the program, since nobody would take over that thread's work.
pub fn end_on_panic() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tell(panic);
        std::process::abort()
    }));
}
