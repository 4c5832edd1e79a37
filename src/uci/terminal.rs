//! A terminal on which lines are edited.

use std::io::{self, ErrorKind};
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

use super::input::Input;
use crate::interrupt::on_interrupt;

/// The threads that read and print. While a line is being edited, texts go above it by way of the
/// printer: the editor takes one at a time, and the session must not wait for it.
pub struct Terminal {
    prompts: Sender<&'static str>,
    above: Sender<String>,
    /// The words that Tab completes.
    words: Arc<Mutex<Vec<String>>>,
    /// Whether a line is being edited.
    pub editing: bool,
    /// The cursor can be moved, so that there is a line to write above.
    pub has_cursor: bool,
}

impl Terminal {
    /// Reads one line for each prompt, so that at the end none is being edited, which would leave
    /// the terminal in its raw state.
    pub fn open(inputs: Sender<Input>) -> rustyline::Result<Terminal> {
        // Without a cursor the editor reads no keys, and with one not between two lines.
        let signals = inputs.clone();
        on_interrupt(move || drop(signals.send(Input::Signal)))?;
        let config =
            Config::builder().auto_add_history(true).completion_type(CompletionType::List).build();
        let mut editor = Editor::<Assistant, _>::with_config(config)?;
        let words: Arc<Mutex<Vec<String>>> = Arc::default();
        editor.set_helper(Some(Assistant { words: Arc::clone(&words), typed: false.into() }));
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
        Ok(Terminal { prompts, above, words, editing: false, has_cursor })
    }

    /// Lets the next line be typed.
    pub fn prompt(&mut self, prompt: &'static str) {
        self.editing = self.prompts.send(prompt).is_ok();
    }

    /// Prints above the line that is being edited.
    pub fn print_above(&self, text: String) -> io::Result<()> {
        self.above.send(text).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    /// The words that Tab completes from now on.
    pub fn complete(&self, words: Vec<String>) {
        *self.words.lock().unwrap_or_else(PoisonError::into_inner) = words;
    }
}

/// What helps while a line is typed.
struct Assistant {
    words: Arc<Mutex<Vec<String>>>,
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
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
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
