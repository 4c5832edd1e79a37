//! The way out: every word to the other side goes through here, and is written down if wanted.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use log::debug;

/// Where text goes.
pub trait Sink {
    fn print(&mut self, text: &str) -> io::Result<()>;

    /// Lets a person type the next line, where there is one.
    fn prompt(&mut self, _: &'static str) {}

    /// The line was typed.
    fn answered(&mut self) {}
}

/// Standard output. Each text is there at once, even if a pipe is.
pub struct Stdout;

impl Sink for Stdout {
    fn print(&mut self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }
}

pub struct Wire {
    sink: Box<dyn Sink>,
    transcript: Option<File>,
}

impl Wire {
    pub fn new(sink: Box<dyn Sink>) -> Wire {
        Wire { sink, transcript: None }
    }

    /// Writes down both directions in this file from now on, or no longer.
    pub fn record(&mut self, file: Option<&Path>) -> io::Result<()> {
        let open = |file| OpenOptions::new().create(true).append(true).open(file);
        self.transcript = file.map(open).transpose()?;
        Ok(())
    }

    /// Sends lines; an empty text is none.
    pub fn send(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.write_down("<< ", text);
        self.sink.print(&format!("{text}\n"))
    }

    pub fn prompt(&mut self, prompt: &'static str) {
        self.sink.prompt(prompt);
    }

    pub fn answered(&mut self) {
        self.sink.answered();
    }

    /// Takes note of a line that came in.
    pub fn received(&mut self, line: &str) {
        self.write_down(">> ", line);
    }

    fn write_down(&mut self, direction: &str, text: &str) {
        debug!(target: "zebu::protocol", "{direction}{text}");
        if let Some(file) = &mut self.transcript {
            let lines: String = text.lines().map(|line| format!("{direction}{line}\n")).collect();
            // A full disk must not end a game.
            file.write_all(lines.as_bytes()).ok();
        }
    }
}
