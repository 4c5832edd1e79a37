//! The way in: a thread that reads lines, from a pipe or from a person at a terminal.

use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use rustyline::error::ReadlineError;
use rustyline::{Config, DefaultEditor, ExternalPrinter};

use super::chore::Progress;
use super::wire::Sink;
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
    /// Lets the person type the next line after this prompt.
    pub prompts: Sender<&'static str>,
    pub columns: usize,
}

/// Standard output while a line may be edited on it.
struct Above(Box<dyn ExternalPrinter + Send>);

impl Sink for Above {
    fn print(&mut self, text: &str) -> io::Result<()> {
        self.0.print(text.to_string()).map_err(io::Error::other)
    }
}

/// Reads lines from a terminal, one for each prompt: so nobody is left in the middle of a line,
/// with the terminal in its raw state, when the engine ends.
pub fn read_terminal(inputs: Sender<Input>) -> rustyline::Result<Terminal> {
    let config = Config::builder().auto_add_history(true).build();
    let mut editor = DefaultEditor::with_config(config)?;
    let columns = editor.dimensions().map_or(80, |(columns, _)| usize::from(columns));
    let sink = Box::new(Above(Box::new(editor.create_external_printer()?)));
    let (prompts, waiting): (_, Receiver<&'static str>) = channel();
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
    thread::Builder::new().name("reader".to_string()).spawn(read)?;
    Ok(Terminal { sink, prompts, columns })
}
