//! How the engine talks: lines in, typed commands, and answers by one of two writers.

mod chore;
mod command;
mod explained;
mod files;
mod input;
mod options;
mod output;
mod session;
mod terminal;
mod voice;
mod wire;

pub use command::{Command, CommandError, Go, Person, Speaker, parse};
pub use options::{OptionError, OptionKind, Options, SPECS, Setting, Spec};
pub use session::Session;
