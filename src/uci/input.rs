//! What the session waits for, and the thread that reads lines from a pipe.

use std::io::{self, BufRead};
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
    /// No line will come any more.
    End,
    Search(Event),
    /// What a background task prints.
    Text(String),
    TaskDone(Result<(), String>),
}

/// Reads standard input to its end. Bytes that are no UTF-8 become replacement characters.
pub fn read_pipe(inputs: Sender<Input>) -> io::Result<()> {
    let read = move || {
        let mut reader = io::stdin().lock();
        let mut bytes = Vec::new();
        while reader.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
            let line = String::from_utf8_lossy(&bytes).trim().to_string();
            bytes.clear();
            if inputs.send(Input::Line(line)).is_err() {
                return;
            }
        }
        inputs.send(Input::End).ok();
    };
    thread::Builder::new().name("reader".to_string()).spawn(read).map(drop)
}
