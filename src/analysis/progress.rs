//! Progress of long tasks: a bar on a terminal, elsewhere a line every minute.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use engine::system::text::one_line;

const BETWEEN_LINES: Duration = Duration::from_secs(60);

pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
    /// The part that an earlier run did.
    done_before: u64,
    last_line: Instant,
}

impl Progress {
    /// `length` is the size of the whole task, if it has an end, and `done` the part that an earlier run did.
    pub fn new(length: Option<u64>, done: u64) -> Progress {
        let (bar, template) = match length {
            Some(length) => (ProgressBar::new(length), "{wide_bar} {percent}% {msg}"),
            None => (ProgressBar::no_length(), "{spinner} {msg}, {elapsed}"),
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_position(done);
        bar.enable_steady_tick(Duration::from_secs(1));
        let begun = Instant::now();
        Progress { bar, begun, done_before: done, last_line: begun }
    }

    pub fn update(&mut self, done: u64, message: impl FnOnce() -> String) {
        self.bar.set_position(done);
        let message = || match self.time_left(done) {
            Some(left) => format!("{}, {} left", message(), HumanDuration(left)),
            None => message(),
        };
        if !self.bar.is_hidden() {
            self.bar.set_message(message());
        } else if self.last_line.elapsed() >= BETWEEN_LINES {
            let line = message();
            self.last_line = Instant::now();
            self.eprintln(&line);
        }
    }

    /// Estimated from the mean speed so far. The bar's own estimate counts the time since the last step as
    /// standstill, and long tasks have few steps.
    fn time_left(&self, done: u64) -> Option<Duration> {
        let newly_done = done.checked_sub(self.done_before).filter(|&count| count > 0)?;
        let rest = self.bar.length()?.saturating_sub(done);
        let seconds = self.begun.elapsed().as_secs_f64() * rest as f64 / newly_done as f64;
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// Prints lines to standard output that stay. A closed output is not an error.
    pub fn println(&self, line: &str) {
        let line = visible(line);
        self.bar.suspend(|| writeln!(io::stdout(), "{line}").ok());
    }

    /// Prints lines to standard error that stay.
    pub fn eprintln(&self, line: &str) {
        let line = visible(line);
        self.bar.suspend(|| writeln!(io::stderr(), "{line}").ok());
    }
}

/// Makes invisible characters visible.
fn visible(text: &str) -> String {
    text.split('\n').map(one_line).collect::<Vec<_>>().join("\n")
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
