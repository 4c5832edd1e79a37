//! Everything that is kept of a person's games, in one file: games with their heads, reviews, exercises, the
//! person's names, tags and lines, and the state of the board. `Library` owns the file; README.md describes it.

#[cfg(not(target_family = "wasm"))]
mod disk;
mod exercises;
mod export;
mod file;
mod findings;
mod games;
mod head;
mod own;
mod pages;
mod reviews;
mod tables;

pub use file::{Library, LibraryError};
pub use findings::{Finding, Summary};
pub use games::{Import, Taken};
pub use head::{Head, Speed, rating};
pub use pages::{BLOCK, Pages};
pub use tables::Place;
