//! The voice for a person at a terminal: games against Zebu, and analysis.

mod answers;
mod command;
mod commands;
mod interrupt;
mod line_editor;

use std::io;
use std::time::Instant;

use crossbeam_channel::{Receiver, at, never, select_biased};
use log::warn;

use crate::game::{
    Ask, Begun, GameFile, Happened, Level, Outcome, PlayedGame, Searcher, Table, Terms, shown,
};
use answers::Style;
use command::{TerminalCommand, first_words, parse};
use engine::bench::{Job, Report};
use engine::board::{Color, Position};
use engine::player::{DEFAULT_MOVE_TIME, Player};
use engine::search::SearchResult;
use engine::system::advice;
use engine::system::queue::{FULL, Next, Overflow, Queue};
use engine::uci::answers::{self as uci_answers, Log, count_speed, print, times};
use engine::uci::command::{Command, InputLine};
use interrupt::GivesBack;
use line_editor::{Key, LineEditor};

const PROMPT: &str = "zebu> ";

/// A session at the terminal.
struct Terminal {
    table: Table,
    log: Log,
    file: GameFile,
    /// The file that was loaded last.
    loaded: Option<String>,
    /// The person was warned that the game is not saved.
    was_warned: bool,
    debug: bool,
    /// The running benchmark or perft.
    job: Option<Job>,
    /// Commands that wait until the engine is free.
    waiting: Queue<TerminalCommand>,
    /// `None`: the commands come from the command line.
    editor: Option<LineEditor>,
    style: Style,
    errors: usize,
    broken: Option<io::Error>,
    end: Option<End>,
}

/// How a session ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Left,
    TurnedToUci,
}

/// Serves a person until they leave or type `uci`. In the latter case, UCI continues with the returned player
/// and lines. The last part restores the terminal when it is dropped.
pub fn talk(
    player: Player,
    complaints: Vec<String>,
) -> io::Result<Option<(Player, Receiver<InputLine>, GivesBack)>> {
    let (editor, lines, keys, gives_back) = LineEditor::open().map_err(io::Error::other)?;
    let mut terminal = Terminal::new(player, Some(editor));
    let greeting = terminal.style.greeting(terminal.table.game());
    terminal.say(&greeting);
    advice().into_iter().for_each(|advice| terminal.note(&advice));
    complaints.iter().for_each(|complaint| terminal.error(complaint));
    match terminal.run(&lines, &keys)? {
        End::Left => Ok(None),
        End::TurnedToUci => Ok(Some((terminal.table.into_opponent(), lines, gives_back))),
    }
}

/// Executes commands from the command line, and returns the number of errors.
pub fn execute(player: Player, commands: Vec<Command>) -> io::Result<usize> {
    let mut terminal = Terminal::new(player, None);
    for command in commands.into_iter().chain([Command::Quit]) {
        terminal.waiting.push_last(TerminalCommand::Uci(command));
    }
    terminal.run(&never(), &never())?;
    Ok(terminal.errors)
}

impl Terminal {
    fn new(player: Player, editor: Option<LineEditor>) -> Terminal {
        let terms = Terms {
            zebu: Some(Color::Black),
            level: Level::of(player.options()),
            clock: None,
            move_time: DEFAULT_MOVE_TIME,
        };
        Terminal {
            log: Log::open(player.options()),
            table: Table::new(player, PlayedGame::new(Position::start()), &terms),
            file: GameFile::default(),
            loaded: None,
            was_warned: false,
            debug: false,
            job: None,
            waiting: Queue::default(),
            editor,
            style: Style::from_environment(),
            errors: 0,
            broken: None,
            end: None,
        }
    }

    fn run(&mut self, lines: &Receiver<InputLine>, keys: &Receiver<Key>) -> io::Result<End> {
        loop {
            while self.is_free() && self.end.is_none() {
                let Some(Next { item, is_stopped, .. }) = self.waiting.pop() else { break };
                self.execute(item).unwrap_or_else(|problem| self.error(&problem));
                if is_stopped {
                    self.stop_running();
                }
            }
            self.waiting.has_lost();
            if let Some(error) = self.broken.take() {
                return Err(error);
            }
            if let Some(end) = self.end {
                return Ok(end);
            }
            self.await_line();
            let play = self.table.events(Searcher::Opponent);
            let advice = self.table.events(Searcher::Adviser);
            let output = self.job.as_ref().map_or_else(never, |job| job.output.clone());
            let due = self.table.wakes_at().map_or_else(never, at);
            let now = Instant::now;
            let happened = select_biased! {
                recv(play) -> event => {
                    event.map(|event| self.table.heard(Searcher::Opponent, &event, now()))
                }
                recv(advice) -> event => {
                    event.map(|event| self.table.heard(Searcher::Adviser, &event, now()))
                }
                recv(output) -> report => {
                    match report {
                        Ok(Ok(report)) => self.show_report(&report),
                        Ok(Err(problem)) => self.error(&problem.to_string()),
                        Err(_) => self.job = None,
                    }
                    Ok(Vec::new())
                }
                recv(due) -> _ => Ok(self.table.due(now())),
                recv(keys) -> key => {
                    key.iter().for_each(|&key| self.press(key));
                    Ok(Vec::new())
                }
                recv(lines) -> line => {
                    if let Ok(InputLine::Line(line)) = line {
                        self.take(&line);
                    }
                    Ok(Vec::new())
                }
            };
            self.show(happened.unwrap_or_default());
        }
    }

    fn is_free(&self) -> bool {
        self.table.is_free() && self.job.is_none()
    }

    /// Shows the prompt, unless the person has typed the last line.
    fn await_line(&mut self) {
        let is_free = self.is_free();
        let leaves = |command: &_| matches!(command, TerminalCommand::Uci(Command::Quit));
        let Some(editor) = self.editor.as_mut().filter(|_| !self.waiting.iter().any(leaves)) else {
            return;
        };
        if is_free {
            editor.complete(first_words(self.table.game().position()));
        }
        let done = editor.await_line(PROMPT, !is_free);
        self.check(done);
    }

    fn take(&mut self, line: &str) {
        self.editor.iter_mut().for_each(LineEditor::entered);
        self.log(">>", line);
        match parse(line) {
            Ok(None) => {}
            Ok(Some(command)) => self.schedule(command, line.len()),
            Err(problem) => self.error(&problem.to_string()),
        }
    }

    /// Executes a command at once if it does not need the engine. Otherwise queues it, and stops an endless
    /// search.
    fn schedule(&mut self, command: TerminalCommand, length: usize) {
        if !matches!(command, TerminalCommand::Uci(Command::Quit)) {
            self.was_warned = false;
        }
        match command {
            TerminalCommand::Uci(Command::Stop) => self.stop(),
            TerminalCommand::Uci(Command::PonderHit) => self.table.ponder_hit(Instant::now()),
            TerminalCommand::Uci(Command::IsReady | Command::Debug(_)) | TerminalCommand::Help => {
                self.execute(command).unwrap_or_else(|problem| self.error(&problem));
            }
            TerminalCommand::Uci(Command::Uci | Command::Quit) => {
                self.waiting.clear();
                self.stop();
                self.waiting.push_last(command);
            }
            _ => {
                if self.waiting.push(command, length) == Err(Overflow::Full) {
                    self.error(FULL);
                }
                self.table.stop_endless(Instant::now());
            }
        }
        let happened = self.table.due(Instant::now());
        self.show(happened);
    }

    /// Stops the running command and all waiting ones.
    fn stop(&mut self) {
        self.waiting.stop();
        self.stop_running();
    }

    fn stop_running(&mut self) {
        self.ask(Ask::Stop);
        self.job.iter().for_each(Job::stop);
    }

    /// Ctrl-C stops the running command, or else tells how to leave. Ctrl-D leaves.
    fn press(&mut self, key: Key) {
        if let Some(editor) = &mut self.editor {
            match key {
                Key::Signal => {
                    let done = editor.interrupted();
                    self.check(done);
                }
                Key::Interrupt { .. } | Key::End => editor.entered(),
            }
        }
        match key {
            Key::End => {
                self.stop();
                self.waiting.push_last(TerminalCommand::Uci(Command::Quit));
            }
            _ if !self.is_free() => self.stop(),
            Key::Interrupt { typed: true } => {}
            Key::Interrupt { typed: false } | Key::Signal => self.note("quit, or Ctrl-D, leaves."),
        }
    }

    /// Passes an order to the table, and shows what happens. `false`: it was refused.
    fn ask(&mut self, what: Ask) -> bool {
        let happened = self.table.ask(what, Instant::now());
        let is_done = !happened.iter().any(|it| matches!(it, Happened::Refused(_)));
        self.show(happened);
        is_done
    }

    fn show(&mut self, happened: Vec<Happened>) {
        let mut shows_board = false;
        for it in happened {
            match it {
                Happened::Begun => shows_board = self.editor.is_some(),
                Happened::TakenBack => shows_board = true,
                Happened::Moved { name, by_zebu } => {
                    if by_zebu {
                        self.note(&format!("Zebu plays {name}."));
                    }
                    shows_board = true;
                }
                Happened::GoesOn { lost_clock: true } => {
                    self.note("The game goes on without the clock.");
                }
                Happened::GoesOn { lost_clock: false } => {}
                Happened::Over(outcome) => self.show_outcome(outcome),
                Happened::Thinks(begun) => {
                    self.show_begun(&begun);
                    if let Some(left) = self.table.game().left(Instant::now()) {
                        let [white, black] = left.map(shown);
                        self.note(&format!("Zebu thinks: White {white}, Black {black}."));
                    }
                    shows_board = false;
                }
                Happened::Looks(begun) => {
                    self.show_begun(&begun);
                    if begun.note.is_none() {
                        self.say(&self.style.header());
                    }
                }
                Happened::Line(line) => {
                    let numbered = self.table.options().multi_pv > 1;
                    let line = self.style.line(&line, self.table.game().position(), numbered);
                    self.say(&line);
                }
                Happened::Looked(result) => self.show_result(&result),
                Happened::Hint(hint) => self.note(&hint.to_string()),
                Happened::Judged(judged) => self.note(&judged.to_string()),
                Happened::Refused(refused) => self.error(&refused.to_string()),
                Happened::Problem(problem) => self.error(&problem),
            }
        }
        if shows_board {
            self.show_board();
        }
    }

    fn show_report(&mut self, report: &Report) {
        let chess960 = self.table.options().chess960;
        self.say(&uci_answers::report(report, self.table.game().position(), chess960));
        count_speed(report).iter().for_each(|speed| self.note(speed));
    }

    fn show_begun(&mut self, begun: &Begun) {
        match &begun.note {
            Some(note) => self.note(note),
            None if self.debug => self.note(&times(&begun.plan)),
            None => {}
        }
    }

    fn show_result(&mut self, result: &SearchResult) {
        self.say(&self.style.result(result, self.table.game().position()));
        if result.best.is_some() && self.editor.is_some() {
            self.note("It is not played: type it, or play, for that.");
        }
    }

    /// Tells how a game ended, unless the board shows it.
    fn show_outcome(&mut self, outcome: Outcome) {
        let is_zebus = self.table.zebu() == Some(self.table.game().position().side());
        match outcome {
            Outcome::Board(_) => {}
            _ if outcome.is_on_time() => {
                let goes_on = if is_zebus { "Play" } else { "A move" };
                self.note(&format!(
                    "{outcome} {goes_on} goes on without the clock, undo takes a move and its time back, new starts another game.",
                ));
            }
            _ => self.note(&format!("{outcome} new starts another game.")),
        }
    }

    fn show_board(&mut self) {
        self.say(&self.style.board(self.table.game()));
    }

    /// Prints a text, unless it is empty.
    fn say(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.log("<<", text);
        let text = format!("{text}\n");
        let printed = match &mut self.editor {
            Some(editor) => editor.print(text),
            None => print(&text),
        };
        self.check(printed);
    }

    /// The loop ends if something could not be printed.
    fn check(&mut self, printed: io::Result<()>) {
        if let Err(error) = printed {
            self.broken.get_or_insert(error);
        }
    }

    fn note(&mut self, text: &str) {
        self.say(&self.style.note(text));
    }

    fn error(&mut self, text: &str) {
        warn!("{text}");
        self.errors += 1;
        self.say(&self.style.error(text));
    }

    fn log(&mut self, direction: &str, text: &str) {
        self.log.write(direction, text).unwrap_or_else(|problem| self.error(&problem));
    }
}
