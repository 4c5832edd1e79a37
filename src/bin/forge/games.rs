//! Self-play games and the files that keep them.

mod bits;
mod compact;
mod counts;
mod format;
#[cfg(test)]
mod fuzz;
pub mod inspect;
mod labels;
pub mod merge;
mod move_code;
mod packed_position;
mod plain;
mod plot;
mod reader;
mod record;
#[cfg(test)]
pub mod samples;
pub mod split;
mod statistics;
mod writer;

pub use counts::GameCounts;
pub use format::GamesError;
pub use labels::Labels;
pub use reader::GameReader;
pub use record::{GameOutcome, GameRecord, ScoredPly};
pub use writer::GameWriter;
