//! How far a long task is: a bar on a terminal, elsewhere a line every minute.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::text::one_line;

const BETWEEN_LINES: Duration = Duration::from_secs(60);

pub struct Progress {
    bar: ProgressBar,
    last_line: Instant,
}

impl Progress {
    /// `length` is the whole task, if it has an end, and `done` the part that an earlier run did.
    pub fn new(length: Option<u64>, done: u64) -> Progress {
        let (bar, template) = match length {
            Some(length) => (ProgressBar::new(length), "{wide_bar} {percent}% {msg}, {eta} left"),
            None => (ProgressBar::no_length(), "{spinner} {msg}, {elapsed}"),
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_position(done);
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_secs(1));
        Progress { bar, last_line: Instant::now() }
    }

    pub fn update(&mut self, done: u64, message: impl FnOnce() -> String) {
        self.bar.set_position(done);
        if !self.bar.is_hidden() {
            self.bar.set_message(message());
        } else if self.last_line.elapsed() >= BETWEEN_LINES {
            self.last_line = Instant::now();
            match self.bar.length() {
                Some(_) => {
                    self.eprintln(&format!("{}, {} left", message(), HumanDuration(self.bar.eta())))
                }
                None => self.eprintln(&message()),
            }
        }
    }

    /// Lines on standard output that stay. A closed output is no error.
    pub fn println(&self, line: &str) {
        let line = visible(line);
        self.bar.suspend(|| writeln!(io::stdout(), "{line}").ok());
    }

    /// Lines on standard error that stay.
    pub fn eprintln(&self, line: &str) {
        let line = visible(line);
        self.bar.suspend(|| writeln!(io::stderr(), "{line}").ok());
    }
}

/// Lines in which nothing is hidden.
fn visible(text: &str) -> String {
    text.split('\n').map(one_line).collect::<Vec<_>>().join("\n")
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
