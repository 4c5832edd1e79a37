//! What the session waits for, and the thread that reads lines from a pipe.

use std::io::{self, BufRead};
use std::mem;
use std::sync::mpsc::Sender;
use std::thread;

use crate::search::Event;

/// An event.
pub enum Input {
    Line(String),
    /// Ctrl-C at a terminal, and whether something was typed.
    Interrupt {
        typed: bool,
    },
    /// Ctrl-C where the terminal makes a signal of it: the line that is typed goes on.
    Signal,
    /// No line will come any more.
    End,
    /// What a search of this number reports.
    Search(u64, Event),
    /// What a background task prints.
    Text(String),
    TaskDone(Result<(), String>),
}

/// Reads standard input to its end. Bytes that are no UTF-8 become replacement characters.
pub fn read_pipe(inputs: Sender<Input>) -> io::Result<()> {
    let read = move || {
        let mut reader = io::stdin().lock();
        let mut bytes = Vec::new();
        let mut is_first = true;
        while reader.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
            let line = String::from_utf8_lossy(&bytes);
            // As in files, a byte order mark says nothing.
            let line = match mem::take(&mut is_first) {
                true => line.trim_start_matches('\u{feff}'),
                false => &line,
            };
            let line = line.trim().to_string();
            bytes.clear();
            if inputs.send(Input::Line(line)).is_err() {
                return;
            }
        }
        inputs.send(Input::End).ok();
    };
    thread::Builder::new().name("reader".to_string()).spawn(read).map(drop)
}
