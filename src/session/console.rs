//! The way out: all that the engine says goes through here, and both directions are logged here.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use log::{debug, warn};

use super::writer::Writer;
use crate::files;

/// A terminal on which lines are edited.
pub trait Screen {
    /// Lets the next line be typed, unless that is under way. While the engine is `busy` it may
    /// print at any time.
    fn await_line(&mut self, prompt: &'static str, busy: bool);

    /// The line is there.
    fn entered(&mut self);

    /// Ctrl-C came as a signal: the line that is typed goes on.
    fn interrupted(&mut self) -> io::Result<()>;

    fn print(&mut self, text: String) -> io::Result<()>;
}

pub struct Console {
    pub writer: Box<dyn Writer>,
    /// Otherwise standard output is written to.
    screen: Option<Box<dyn Screen>>,
    log: Option<File>,
    /// The number of errors that were reported.
    pub errors: usize,
    broken: Option<io::Error>,
}

impl Console {
    /// Writes to standard output.
    pub fn new(writer: Box<dyn Writer>) -> Console {
        Console { writer, screen: None, log: None, errors: 0, broken: None }
    }

    /// Reads and writes at a terminal from now on.
    pub fn attach(&mut self, screen: impl Screen + 'static) {
        self.screen = Some(Box::new(screen));
    }

    /// Prints lines; an empty text is none.
    pub fn say(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.write_log("<< ", text);
        let text = format!("{text}\n");
        let printed = match &mut self.screen {
            Some(screen) => screen.print(text),
            None => print(&text),
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

    pub fn await_line(&mut self, prompt: &'static str, busy: bool) {
        if let Some(screen) = &mut self.screen {
            screen.await_line(prompt, busy);
        }
    }

    /// No line is being edited any more.
    pub fn entered(&mut self) {
        if let Some(screen) = &mut self.screen {
            screen.entered();
        }
    }

    /// Ctrl-C came as a signal.
    pub fn interrupted(&mut self) {
        if let Some(Err(error)) = self.screen.as_mut().map(|screen| screen.interrupted()) {
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
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
