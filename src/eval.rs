//! What a position is worth.

pub mod features;
pub mod file;
mod teacher;

pub use teacher::evaluate;
