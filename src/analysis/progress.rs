//! How far the analysis is: a bar in a terminal, and a line for each part that is done.

use std::io::{self, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Steps that make the bar move smoothly, however small the file is.
const STEPS: f64 = 10_000.0;

pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    pub fn new() -> Progress {
        let bar = ProgressBar::new(STEPS as u64);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {percent}% {msg}, {eta} left") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_secs(1));
        Progress { bar }
    }

    /// `share` is the part of the work that is done.
    pub fn show(&self, share: f64, message: String) {
        self.bar.set_position((share.clamp(0.0, 1.0) * STEPS) as u64);
        self.bar.set_message(message);
    }

    /// A line that stays. If nobody can be told, nobody is.
    pub fn say(&self, line: &str) {
        self.bar.suspend(|| writeln!(io::stdout(), "{line}").ok());
    }

    /// A line about what went wrong.
    pub fn complain(&self, line: &str) {
        self.bar.suspend(|| writeln!(io::stderr(), "zebu: {line}").ok());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
