//! A terminal on which lines are edited.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use rustyline::error::ReadlineError;
use rustyline::{Config, DefaultEditor, ExternalPrinter};

use super::input::Input;

/// The threads that read and print. While a line is being edited, texts go above it by way of the
/// printer: the editor takes one at a time, and the session must not wait for it.
pub struct Terminal {
    pub columns: usize,
    prompts: Sender<&'static str>,
    above: Sender<String>,
    /// Whether a line is being edited.
    pub editing: bool,
}

impl Terminal {
    /// Reads one line for each prompt, so that at the end none is being edited, which would leave
    /// the terminal in its raw state.
    pub fn open(inputs: Sender<Input>) -> rustyline::Result<Terminal> {
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
        Ok(Terminal { columns, prompts, above, editing: false })
    }

    /// Lets the next line be typed.
    pub fn prompt(&mut self, prompt: &'static str) {
        self.editing = self.prompts.send(prompt).is_ok();
    }

    /// Prints above the line that is being edited.
    pub fn print_above(&self, text: String) -> io::Result<()> {
        self.above.send(text).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}
