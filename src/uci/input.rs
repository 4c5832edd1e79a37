//! The way in: a thread that reads lines, from a pipe or from a person at a terminal.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use rustyline::error::ReadlineError;
use rustyline::{Config, DefaultEditor, ExternalPrinter};

use super::chore::Progress;
use super::wire::{Sink, Stdout};
use crate::search::Event;

/// What the session waits for.
pub enum Input {
    Line(String),
    /// A person pressed Ctrl-C.
    Interrupt,
    /// Nobody will say anything any more.
    End,
    Search(Event),
    Chore(Progress),
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

/// A terminal on which a person edits lines.
pub struct Terminal {
    pub sink: Box<dyn Sink>,
    pub columns: usize,
}

/// Standard output with a person at it. While a line is being edited, texts go above it by way of
/// a thread: the editor takes one at a time, and the session must not wait for it.
struct Screen {
    prompts: Sender<&'static str>,
    above: Sender<String>,
    asking: bool,
}

impl Sink for Screen {
    fn print(&mut self, text: &str) -> io::Result<()> {
        if self.asking {
            self.above.send(text.to_string()).map_err(|_| io::ErrorKind::BrokenPipe.into())
        } else {
            Stdout.print(text)
        }
    }

    fn prompt(&mut self, prompt: &'static str) {
        self.asking = self.prompts.send(prompt).is_ok();
    }

    fn answered(&mut self) {
        self.asking = false;
    }
}

/// Reads lines from a terminal, one for each prompt: so nobody is left in the middle of a line,
/// with the terminal in its raw state, when the engine ends.
pub fn read_terminal(inputs: Sender<Input>) -> rustyline::Result<Terminal> {
    let config = Config::builder().auto_add_history(true).build();
    let mut editor = DefaultEditor::with_config(config)?;
    let columns = editor.dimensions().map_or(80, |(columns, _)| usize::from(columns));
    // A terminal that cannot move its cursor has none, and no line to write above.
    let mut printer = editor.create_external_printer().ok();
    let (above, texts): (_, Receiver<String>) = channel();
    let (prompts, waiting): (_, Receiver<&'static str>) = channel();
    let print = move || {
        for text in texts {
            let done = match &mut printer {
                Some(printer) => printer.print(text).is_ok(),
                None => io::stdout().write_all(text.as_bytes()).is_ok(),
            };
            if !done {
                return;
            }
        }
    };
    let read = move || {
        for prompt in waiting {
            let input = match editor.readline(prompt) {
                Ok(line) => Input::Line(line),
                Err(ReadlineError::Interrupted) => Input::Interrupt,
                Err(ReadlineError::Signal(_)) => Input::Line(String::new()),
                Err(_) => Input::End,
            };
            if inputs.send(input).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("printer".to_string()).spawn(print)?;
    thread::Builder::new().name("reader".to_string()).spawn(read)?;
    let sink = Box::new(Screen { prompts, above, asking: false });
    Ok(Terminal { sink, columns })
}
