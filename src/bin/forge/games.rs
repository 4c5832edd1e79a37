//! Self-play games and the files that keep them.

mod file;
mod packed_position;
mod record;

pub use file::{GameReader, GameWriter, GamesError};
pub use record::{GameOutcome, GameRecord, ScoredPly};
