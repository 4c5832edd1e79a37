//! The editing of lines at a terminal.

use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::{mem, process, thread};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, ExternalPrinter, Helper};

use super::command::completions;
use super::interrupt::{GivesBack, on_interrupt};
use engine::uci::answers::print;
use engine::uci::command::InputLine;

/// The exit status after a Ctrl-C that nobody handles.
const INTERRUPTED: i32 = 130;

/// What is typed apart from lines.
#[derive(Clone, Copy)]
pub enum Key {
    /// Ctrl-C, and whether something was typed before it.
    Interrupt { typed: bool },
    /// Ctrl-C where the terminal makes a signal of it; the line that is being typed stays.
    Signal,
    /// Ctrl-D.
    End,
}

/// The words that Tab completes.
type Words = Arc<Mutex<Vec<String>>>;

/// The threads that read and print. While a line is edited, a thread of its own prints texts above it: the
/// editor takes one at a time, and the loop must not wait for that.
pub struct LineEditor {
    prompts: Sender<&'static str>,
    above: Sender<String>,
    words: Words,
    /// Whether a line is being edited.
    editing: bool,
    /// The terminal has a cursor, so that texts can be printed above the line.
    has_cursor: bool,
    /// The prompt stands on a terminal without a cursor.
    prompted: bool,
    /// Ctrl-C came while no line was edited.
    pub is_interrupted: Arc<AtomicBool>,
}

impl LineEditor {
    /// Reads one line for each prompt, so that none is being edited at the end. Once this is dropped, lines
    /// are read without a prompt, each when it is asked for. The last part gives the terminal back.
    pub fn open() -> rustyline::Result<(LineEditor, Receiver<InputLine>, Receiver<Key>, GivesBack)>
    {
        let (keys, pressed) = unbounded();
        let (lines, typed) = bounded(0);
        // Without a cursor the editor reads no keys, and with one not between two lines.
        let signals = keys.clone();
        let is_interrupted = Arc::new(AtomicBool::new(false));
        let interrupted = Arc::clone(&is_interrupted);
        let gives_back = on_interrupt(move || {
            interrupted.store(true, Relaxed);
            if signals.send(Key::Signal).is_err() {
                process::exit(INTERRUPTED);
            }
        })?;
        let config =
            Config::builder().auto_add_history(true).completion_type(CompletionType::List).build();
        let words = Words::default();
        let mut editor = Editor::<Assistant, _>::with_config(config)?;
        editor.set_helper(Some(Assistant { words: words.clone(), typed: false.into() }));
        let printer = editor.create_external_printer().ok();
        let has_cursor = printer.is_some();
        let (above, texts) = unbounded::<String>();
        let (prompts, waiting) = unbounded::<&str>();
        let print = move || {
            let Some(mut printer) = printer else { return };
            texts.iter().all(|text| printer.print(text).is_ok());
        };
        let read = move || {
            loop {
                let prompt = match waiting.recv() {
                    Ok(prompt) => prompt,
                    // Who takes an empty line waits for one.
                    Err(_) if lines.send(InputLine::Line(String::new())).is_ok() => "",
                    Err(_) => return,
                };
                let key = match editor.readline(prompt) {
                    Err(ReadlineError::Interrupted) => {
                        let helper = editor.helper();
                        let typed = helper.is_some_and(|helper| helper.typed.load(Relaxed));
                        Err(Key::Interrupt { typed })
                    }
                    Err(ReadlineError::Signal(_)) => Ok(String::new()),
                    // Bytes that are no UTF-8.
                    Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                        Ok(char::REPLACEMENT_CHARACTER.to_string())
                    }
                    line => line.map_err(|_| Key::End),
                };
                let sent = match key {
                    Ok(line) => lines.send(InputLine::Line(line)).is_ok(),
                    Err(key) => keys.send(key).is_ok(),
                };
                if !sent {
                    return;
                }
            }
        };
        thread::Builder::new().name("printer".to_string()).spawn(print)?;
        thread::Builder::new().name("reader".to_string()).spawn(read)?;
        let editor = LineEditor {
            prompts,
            above,
            words,
            editing: false,
            has_cursor,
            prompted: false,
            is_interrupted,
        };
        Ok((editor, typed, pressed, gives_back))
    }

    /// Tab completes these words, at the beginning of a line, from now on.
    pub fn complete(&self, words: Vec<String>) {
        *self.words.lock().unwrap_or_else(PoisonError::into_inner) = words;
    }

    /// Lets the next line be typed, if none is. While the engine is `busy`, it may print at any time.
    pub fn await_line(&mut self, prompt: &'static str, busy: bool) -> io::Result<()> {
        if !self.editing {
            let prompt = if self.has_cursor { prompt } else { "" };
            self.editing = self.prompts.send(prompt).is_ok();
        }
        // Without a cursor the prompt waits until nothing else is printed.
        if !self.has_cursor && !busy && !self.prompted {
            self.prompted = true;
            return print(prompt);
        }
        Ok(())
    }

    /// The line is there.
    pub fn entered(&mut self) {
        self.editing = false;
        self.prompted = false;
    }

    /// Ctrl-C came as a signal. What was typed without a cursor is gone.
    pub fn interrupted(&mut self) -> io::Result<()> {
        if mem::take(&mut self.prompted) { print("\n") } else { Ok(()) }
    }

    pub fn print(&mut self, text: String) -> io::Result<()> {
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

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(completions(&line[..at], &words))
    }
}

impl Hinter for Assistant {
    type Hint = String;

    /// Gives no hint: it only notes after each key whether something is typed.
    fn hint(&self, line: &str, _: usize, _: &Context<'_>) -> Option<String> {
        self.typed.store(!line.is_empty(), Relaxed);
        None
    }
}

impl Highlighter for Assistant {}
impl Validator for Assistant {}
impl Helper for Assistant {}
