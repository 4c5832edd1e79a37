//! The engine in a browser: a page to play, to analyse and to review, served on the loopback address.

#[cfg(not(target_family = "wasm"))]
mod coach;
#[cfg(target_family = "wasm")]
#[path = "web/no_coach.rs"]
mod coach;
#[cfg(not(target_family = "wasm"))]
mod download;
mod games;
#[cfg(target_family = "wasm")]
pub mod in_page;
#[cfg(not(target_family = "wasm"))]
mod kept;
#[cfg(target_family = "wasm")]
#[path = "web/page_kept.rs"]
mod kept;
mod look;
mod messages;
mod reviewer;
#[cfg(not(target_family = "wasm"))]
mod server;
mod tabs;
mod voice;

#[cfg(not(target_family = "wasm"))]
mod board;

#[cfg(not(target_family = "wasm"))]
pub use board::{MOST_FILE, PORT, talk};
