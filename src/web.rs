//! The engine in a browser: a page to play, to analyse and to review, served on the loopback address.

#[cfg(not(target_family = "wasm"))]
mod board;
mod board_state;
#[cfg(not(target_family = "wasm"))]
mod download;
mod earlier;
#[cfg(target_family = "wasm")]
pub mod in_page;
mod look;
mod messages;
#[cfg(not(target_family = "wasm"))]
mod server;
mod tabs;
mod voice;

#[cfg(not(target_family = "wasm"))]
pub use board::{MOST_FILE, PORT, talk};
