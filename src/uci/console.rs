//! The way out: all that the engine says goes through here, and both directions are logged here.

use std::fs::File;
use std::io::{self, Write};
use std::mem;
use std::path::Path;

use log::{debug, warn};

use super::terminal::Terminal;
use super::terminal_writer::TerminalWriter;
use super::writer::{UciWriter, Writer};
use crate::files;

const PROMPT: &str = "zebu> ";

pub struct Console {
    pub writer: Box<dyn Writer>,
    /// Whether commands for people are understood.
    pub interactive: bool,
    terminal: Option<Terminal>,
    /// The prompt stands on a terminal without a cursor.
    prompted: bool,
    log: Option<File>,
    /// How many errors were told.
    pub errors: usize,
    broken: Option<io::Error>,
}

impl Console {
    /// Speaks UCI on standard output.
    pub fn uci() -> Console {
        Console {
            writer: Box::new(UciWriter),
            interactive: false,
            terminal: None,
            prompted: false,
            log: None,
            errors: 0,
            broken: None,
        }
    }

    /// Writes for a person who reads standard output.
    pub fn write_for_person(&mut self) {
        self.writer = Box::new(TerminalWriter::new());
    }

    /// Talks with a person at a terminal from now on.
    pub fn attach(&mut self, terminal: Terminal) {
        self.writer = Box::new(TerminalWriter::new());
        self.interactive = true;
        self.terminal = Some(terminal);
    }

    /// Speaks nothing but UCI from now on.
    pub fn turn_to_uci(&mut self) {
        self.writer = Box::new(UciWriter);
        self.interactive = false;
    }

    /// Prints lines; an empty text is none.
    pub fn say(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.write_log("<< ", text);
        let text = format!("{text}\n");
        let printed = match &self.terminal {
            Some(terminal) if terminal.editing && terminal.has_cursor => terminal.print_above(text),
            _ => print(&text),
        };
        if let Err(error) = printed {
            self.broken.get_or_insert(error);
        }
    }

    pub fn note(&mut self, text: &str) {
        self.say(&self.writer.note(text));
    }

    pub fn error(&mut self, text: &str) {
        warn!("{text}");
        self.errors += 1;
        self.say(&self.writer.error(text));
    }

    /// Fails if something could not be printed.
    pub fn check(&mut self) -> io::Result<()> {
        self.broken.take().map_or(Ok(()), Err)
    }

    /// Lets a person type the next line, unless they are doing so. Without a cursor the prompt waits
    /// until nothing else is `busy` printing.
    pub fn prompt(&mut self, busy: bool, words: impl FnOnce() -> Vec<String>) {
        let Some(terminal) = &mut self.terminal else { return };
        if self.interactive && !busy {
            terminal.complete(words());
        }
        if !terminal.editing {
            let prompt = if self.interactive && terminal.has_cursor { PROMPT } else { "" };
            terminal.prompt(prompt);
        }
        if self.interactive && !terminal.has_cursor && !busy && !self.prompted {
            self.prompted = print(PROMPT).is_ok();
        }
    }

    /// The person is no longer typing.
    pub fn entered(&mut self) {
        if let Some(terminal) = &mut self.terminal {
            terminal.editing = false;
        }
        self.prompted = false;
    }

    /// Ctrl-C: what was typed on a terminal without a cursor is gone.
    pub fn interrupted(&mut self) {
        if mem::take(&mut self.prompted)
            && let Err(error) = print("\n")
        {
            self.broken.get_or_insert(error);
        }
    }

    /// Logs a line that came in.
    pub fn received(&mut self, line: &str) {
        self.write_log(">> ", line);
    }

    /// Logs both directions to this file from now on, or no longer.
    pub fn set_log(&mut self, file: Option<&Path>) -> io::Result<()> {
        self.log = file.map(files::append).transpose()?;
        Ok(())
    }

    fn write_log(&mut self, direction: &str, text: &str) {
        debug!(target: "zebu::protocol", "{direction}{text}");
        if let Some(file) = &mut self.log {
            let lines: String = text.lines().map(|line| format!("{direction}{line}\n")).collect();
            // A full disk must not end a game.
            if let Err(error) = file.write_all(lines.as_bytes()) {
                self.log = None;
                self.error(&format!("Debug Log File: {error}: nothing is logged any more"));
            }
        }
    }
}

/// Prints at once, even to a pipe.
fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
