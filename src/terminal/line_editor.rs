//! The editing of lines at a terminal.

use std::io::{self, ErrorKind};
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, ExternalPrinter, Helper};

use crate::interrupt::on_interrupt;
use crate::session::{Input, Screen, print};

/// The words that Tab completes.
#[derive(Clone, Default)]
pub struct Words(Arc<Mutex<Vec<String>>>);

impl Words {
    pub fn set(&self, words: Vec<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = words;
    }
}

/// The threads that read and print. While a line is being edited, texts go above it by way of the
/// printer: the editor takes one at a time, and the session must not wait for it.
pub struct LineEditor {
    prompts: Sender<&'static str>,
    above: Sender<String>,
    /// Whether a line is being edited.
    editing: bool,
    /// The cursor can be moved, so that there is a line to write above.
    has_cursor: bool,
    /// The prompt stands on a terminal without a cursor.
    prompted: bool,
}

impl LineEditor {
    /// Reads one line for each prompt, so that at the end none is being edited, which would leave
    /// the terminal in its raw state.
    pub fn open(inputs: Sender<Input>, words: Words) -> rustyline::Result<LineEditor> {
        // Without a cursor the editor reads no keys, and with one not between two lines.
        let signals = inputs.clone();
        on_interrupt(move || drop(signals.send(Input::Signal)))?;
        let config =
            Config::builder().auto_add_history(true).completion_type(CompletionType::List).build();
        let mut editor = Editor::<Assistant, _>::with_config(config)?;
        editor.set_helper(Some(Assistant { words, typed: false.into() }));
        let printer = editor.create_external_printer().ok();
        let has_cursor = printer.is_some();
        let (above, texts): (_, Receiver<String>) = channel();
        let (prompts, waiting): (_, Receiver<&'static str>) = channel();
        let print = move || {
            let Some(mut printer) = printer else { return };
            texts.iter().all(|text| printer.print(text).is_ok());
        };
        let read = move || {
            for prompt in waiting {
                let input = match editor.readline(prompt) {
                    Ok(line) => Input::Line(line),
                    Err(ReadlineError::Interrupted) => {
                        let helper = editor.helper();
                        let typed = helper.is_some_and(|helper| helper.typed.load(Relaxed));
                        Input::Interrupt { typed }
                    }
                    Err(ReadlineError::Signal(_)) => Input::Line(String::new()),
                    // Bytes that are no UTF-8.
                    Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                        Input::Line(char::REPLACEMENT_CHARACTER.to_string())
                    }
                    Err(_) => Input::End,
                };
                if inputs.send(input).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("printer".to_string()).spawn(print)?;
        thread::Builder::new().name("reader".to_string()).spawn(read)?;
        Ok(LineEditor { prompts, above, editing: false, has_cursor, prompted: false })
    }
}

impl Screen for LineEditor {
    fn await_line(&mut self, prompt: &'static str, busy: bool) {
        if !self.editing {
            let prompt = if self.has_cursor { prompt } else { "" };
            self.editing = self.prompts.send(prompt).is_ok();
        }
        // Without a cursor the prompt waits until nothing else is printed.
        if !self.has_cursor && !prompt.is_empty() && !busy && !self.prompted {
            self.prompted = print(prompt).is_ok();
        }
    }

    fn entered(&mut self) {
        self.editing = false;
        self.prompted = false;
    }

    /// What was typed without a cursor is gone.
    fn interrupted(&mut self) -> io::Result<()> {
        if mem::take(&mut self.prompted) { print("\n") } else { Ok(()) }
    }

    fn print(&mut self, text: String) -> io::Result<()> {
        if self.editing && self.has_cursor {
            self.above.send(text).map_err(|_| ErrorKind::BrokenPipe.into())
        } else {
            print(&text)
        }
    }
}

/// What helps while a line is typed.
struct Assistant {
    words: Words,
    /// Whether the line has letters.
    typed: AtomicBool,
}

impl Completer for Assistant {
    type Candidate = String;

    /// Completes the last word.
    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let start = line[..at].rfind(' ').map_or(0, |space| space + 1);
        let words = self.words.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |word: &&String| word.starts_with(&line[start..at]);
        Ok((start, words.iter().filter(fits).cloned().collect()))
    }
}

impl Hinter for Assistant {
    type Hint = String;

    /// Is asked after each key, and only looks on.
    fn hint(&self, line: &str, _: usize, _: &Context<'_>) -> Option<String> {
        self.typed.store(!line.is_empty(), Relaxed);
        None
    }
}

impl Highlighter for Assistant {}
impl Validator for Assistant {}
impl Helper for Assistant {}
