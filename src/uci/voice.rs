//! The engine's side of the conversation: who is spoken to, in which manner, and over which wire.

use std::io;
use std::path::Path;

use log::warn;

use super::command::Speaker;
use super::input::Terminal;
use super::output::{Output, Strict};
use super::terminal::Human;
use super::wire::{Stdout, Wire};

/// What a person sees where the next command goes.
const PROMPT: &str = "zebu> ";

pub struct Voice {
    wire: Wire,
    pub output: Box<dyn Output>,
    pub speaker: Speaker,
    /// How many errors were told.
    pub errors: usize,
}

impl Voice {
    /// Speaks UCI on standard output.
    pub fn strict() -> Voice {
        Voice {
            wire: Wire::new(Box::new(Stdout)),
            output: Box::new(Strict),
            speaker: Speaker::Program,
            errors: 0,
        }
    }

    /// Speaks to a person who only reads.
    pub fn for_reader() -> Voice {
        Voice { output: Box::new(Human::new(100)), ..Voice::strict() }
    }

    /// Speaks with a person at a terminal.
    pub fn at_terminal(terminal: Terminal) -> Voice {
        Voice {
            wire: Wire::new(terminal.sink),
            output: Box::new(Human::new(terminal.columns)),
            speaker: Speaker::Person,
            errors: 0,
        }
    }

    /// Speaks nothing but UCI from now on.
    pub fn turn_strict(&mut self) {
        self.output = Box::new(Strict);
        self.speaker = Speaker::Program;
    }

    /// Says some lines; an empty text is none.
    pub fn say(&mut self, text: &str) -> io::Result<()> {
        self.wire.send(text)
    }

    pub fn note(&mut self, text: &str) -> io::Result<()> {
        self.wire.send(&self.output.note(text))
    }

    pub fn error(&mut self, text: &str) -> io::Result<()> {
        warn!("{text}");
        self.errors += 1;
        self.wire.send(&self.output.error(text))
    }

    /// Lets a person type the next line.
    pub fn prompt(&mut self) {
        self.wire.prompt(if self.speaker == Speaker::Person { PROMPT } else { "" });
    }

    /// The person typed it, or something else than a line.
    pub fn answered(&mut self) {
        self.wire.answered();
    }

    /// Takes note of a line that came in.
    pub fn hear(&mut self, line: &str) {
        self.wire.received(line);
    }

    /// Writes down both directions in this file from now on, or no longer.
    pub fn record(&mut self, file: Option<&Path>) -> io::Result<()> {
        self.wire.record(file)
    }
}
