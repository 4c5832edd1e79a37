//! Everything that is kept of a person's games, in one file: games with their heads, reviews, exercises, the
//! person's names and lines. `Library` owns the file; README.md describes it.

mod exercises;
mod export;
mod file;
mod games;
mod head;
mod reviews;
mod tables;

pub use file::{Library, LibraryError};
pub use games::{Import, Taken};
pub use head::{Head, rating};
pub use tables::Place;
