//! How the engine talks with programs.

mod command;
pub mod display;
mod parse;
mod protocol;
mod queue;
mod vampirc;
mod writer;

pub use command::{Command, CommandError, number};
pub use parse::{is_go_word, parse, parse_from, parse_go, parse_position};
pub use protocol::{Protocol, execute_all, talk};
pub use writer::UciWriter;
