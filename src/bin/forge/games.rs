//! Self-play games and the files that keep them.

mod bits;
mod compact;
mod format;
#[cfg(test)]
mod fuzz;
mod labels;
mod move_code;
mod packed_position;
mod plain;
mod reader;
mod record;
#[cfg(test)]
mod samples;
mod writer;

pub use format::GamesError;
pub use labels::Labels;
pub use reader::GameReader;
pub use record::{GameOutcome, GameRecord, ScoredPly};
pub use writer::GameWriter;
