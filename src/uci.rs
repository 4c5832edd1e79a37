//! How the engine talks: lines in, typed commands, and answers by one of two writers.

mod background;
mod command;
mod console;
mod display;
mod game_record;
mod input;
mod lag;
mod options;
mod person;
mod queue;
mod searcher;
mod session;
mod terminal;
mod terminal_writer;
mod watchdog;
mod writer;

pub use command::{Command, CommandError, Go, parse};
pub use options::{
    Effect, OPTIONS, OptionError, OptionKind, Options, Spin, UciOption, Value, path,
};
pub use session::Session;
