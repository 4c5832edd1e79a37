//! How the engine talks with programs.

pub mod answers;
pub mod command;
mod protocol;
mod vampirc;

pub use command::{Command, CommandError, InputLine, parse, parse_bench, parse_go, set_up};
pub use protocol::{no_lines, read_lines, talk};
