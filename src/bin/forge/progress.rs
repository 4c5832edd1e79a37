//! How far a long piece of work is: a bar in a terminal, elsewhere a line every minute.

use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

const BETWEEN_LINES: Duration = Duration::from_secs(60);

pub struct Progress {
    bar: ProgressBar,
    last_line: Instant,
}

impl Progress {
    /// `length` is the whole work, if it has an end, and `done` what was done of it before.
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
        Progress { bar, last_line: Instant::now() }
    }

    pub fn tell(&mut self, done: u64, message: impl FnOnce() -> String) {
        self.bar.set_position(done);
        if !self.bar.is_hidden() {
            self.bar.set_message(message());
        } else if self.last_line.elapsed() >= BETWEEN_LINES {
            self.last_line = Instant::now();
            match self.bar.length() {
                Some(_) => eprintln!("{}, {} left", message(), HumanDuration(self.bar.eta())),
                None => eprintln!("{}", message()),
            }
        }
    }

    /// Leaves the last word.
    pub fn finish(self, message: &str) {
        self.bar.finish_and_clear();
        eprintln!("{message}");
    }
}
