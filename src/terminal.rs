//! The loop of a person at a terminal: games against Zebu, and analysis.

mod answers;
mod command;
mod commands;
mod line_editor;
mod words;

use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, at, never, select_biased};
use log::warn;

use crate::advice;
use crate::bench::Job;
use crate::board::{Color, Position};
use crate::game::{GameFile, PlayedGame, TimeControl};
use crate::interrupt::GivesBack;
use crate::player::{Answer, DEFAULT_MOVE_TIME, Player, Thinking};
use crate::search::{Bound, Event, Line, SearchResult};
use crate::uci::answers::{log, print};
use crate::uci::command::{Command, Input};
use answers::Style;
use command::{TerminalCommand, first_words, parse};
use line_editor::{Key, LineEditor};
use words::{Hints, Judged};

const PROMPT: &str = "zebu> ";

/// The most commands that wait.
const MOST_WAITING: usize = 10_000;

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Think,
    /// The move is made on the board.
    Play,
    /// It is told what the move is about, and at last the move.
    Hint,
    /// What a move did is told.
    Judge,
}

/// A person who gives orders, and their game.
struct Terminal {
    player: Player,
    game: PlayedGame,
    file: GameFile,
    /// The file that was loaded last.
    loaded: Option<String>,
    /// Zebu replies to moves; otherwise it looks on.
    plays: bool,
    /// The person's.
    side: Color,
    /// How long Zebu thinks about a move without a clock.
    move_time: Duration,
    /// Of this game, and of those that follow.
    time_control: Option<TimeControl>,
    /// What moves do is said.
    has_words: bool,
    judged: Option<Judged>,
    hints: Option<Hints>,
    /// `quit` was typed once although the game is not saved.
    was_warned: bool,
    debug: bool,
    /// The engine does one thing at a time: a search for some purpose, or a benchmark or count.
    thinking: Option<Thinking>,
    purpose: Purpose,
    /// The best line that the search has found.
    found: Option<Line>,
    job: Option<Job>,
    /// What waits for the end of that, each command with its number.
    waiting: VecDeque<(TerminalCommand, u64)>,
    /// The number of commands that came in, of the one that is executed, and of the last before `stop`.
    commands: u64,
    number: u64,
    stopped: u64,
    /// `None`: a person reads the output, but types nothing.
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

/// Talks with a person until they leave, or type `uci`: from then on only UCI is spoken, with this player and
/// the lines that follow. The last part gives the terminal back when it is dropped.
pub fn talk(
    player: Player,
    complaints: Vec<String>,
) -> io::Result<Option<(Player, Receiver<Input>, GivesBack)>> {
    let (editor, lines, keys, gives_back) = LineEditor::open().map_err(io::Error::other)?;
    let mut terminal = Terminal::new(player, Some(editor));
    let greeting = terminal.style.greeting(terminal.game.board());
    terminal.say(&greeting);
    advice().into_iter().for_each(|advice| terminal.note(&advice));
    complaints.iter().for_each(|complaint| terminal.error(complaint));
    match terminal.run(&lines, &keys)? {
        End::Left => Ok(None),
        End::TurnedToUci => Ok(Some((terminal.player, lines, gives_back))),
    }
}

/// Executes commands for a person, and ends when the last one is done. Returns the number of errors.
pub fn execute(player: Player, commands: Vec<Command>) -> io::Result<usize> {
    let mut terminal = Terminal::new(player, None);
    for command in commands.into_iter().chain([Command::Quit]) {
        terminal.wait(TerminalCommand::Uci(command));
    }
    terminal.run(&never(), &never())?;
    Ok(terminal.errors)
}

impl Terminal {
    fn new(player: Player, editor: Option<LineEditor>) -> Terminal {
        Terminal {
            player,
            game: PlayedGame::new(Position::start()),
            file: GameFile::default(),
            loaded: None,
            plays: true,
            side: Color::White,
            move_time: DEFAULT_MOVE_TIME,
            time_control: None,
            has_words: false,
            judged: None,
            hints: None,
            was_warned: false,
            debug: false,
            thinking: None,
            purpose: Purpose::Think,
            found: None,
            job: None,
            waiting: VecDeque::new(),
            commands: 0,
            number: 0,
            stopped: 0,
            editor,
            style: Style::from_environment(),
            errors: 0,
            broken: None,
            end: None,
        }
    }

    fn run(&mut self, lines: &Receiver<Input>, keys: &Receiver<Key>) -> io::Result<End> {
        loop {
            while self.is_free() && self.end.is_none() {
                let Some((command, number)) = self.waiting.pop_front() else { break };
                self.number = number;
                self.execute(command).unwrap_or_else(|problem| self.error(&problem));
                self.answer();
                self.update_clock();
            }
            if let Some(error) = self.broken.take() {
                return Err(error);
            }
            if let Some(end) = self.end {
                return Ok(end);
            }
            self.await_line();
            let thinking = self.thinking.as_ref();
            let events = thinking.map_or_else(never, |thinking| thinking.events.clone());
            let output = self.job.as_ref().map_or_else(never, |job| job.output.clone());
            let late = thinking.and_then(Thinking::late_at);
            let alarm = late.into_iter().chain(self.alarm()).min().map_or_else(never, at);
            select_biased! {
                recv(events) -> event => event.iter().for_each(|event| self.hear(event)),
                recv(output) -> text => match text {
                    Ok(Ok(text)) => self.say(&text),
                    Ok(Err(problem)) => self.error(&problem),
                    Err(_) => self.job = None,
                },
                recv(alarm) -> _ => {
                    self.thinking.iter_mut().for_each(Thinking::late);
                    if !self.zebu_thinks() {
                        self.flag_fell();
                    }
                }
                recv(keys) -> key => key.iter().for_each(|&key| self.press(key)),
                recv(lines) -> line => if let Ok(Input::Line(line)) = line {
                    self.take(&line);
                },
            }
            self.answer();
        }
    }

    fn is_free(&self) -> bool {
        self.thinking.is_none() && self.job.is_none()
    }

    fn zebu_thinks(&self) -> bool {
        self.thinking.is_some() && self.purpose == Purpose::Play
    }

    /// When the person's flag falls. That of Zebu is looked at when it moves.
    fn alarm(&self) -> Option<Instant> {
        self.game.flag_falls_at().filter(|_| !self.zebu_thinks())
    }

    /// Lets a line be typed, unless the last one was.
    fn await_line(&mut self) {
        let is_free = self.is_free();
        let leaves =
            |(command, _): &(_, u64)| matches!(command, TerminalCommand::Uci(Command::Quit));
        let Some(editor) = self.editor.as_mut().filter(|_| !self.waiting.iter().any(leaves)) else {
            return;
        };
        if is_free {
            editor.complete(first_words(self.game.board()));
        }
        let done = editor.await_line(PROMPT, !is_free);
        self.check(done);
    }

    fn take(&mut self, line: &str) {
        self.editor.iter_mut().for_each(LineEditor::entered);
        self.log(">>", line);
        match parse(line) {
            Ok(None) => {}
            Ok(Some(command)) => self.schedule(command),
            Err(problem) => self.error(&problem.to_string()),
        }
    }

    /// Executes a command at once if it does not need the engine. Any other one ends a search that would
    /// never end by itself.
    fn schedule(&mut self, command: TerminalCommand) {
        if !matches!(command, TerminalCommand::Uci(Command::Quit)) {
            self.was_warned = false;
        }
        match command {
            TerminalCommand::Uci(Command::Stop) => self.stop(),
            TerminalCommand::Uci(Command::PonderHit) => {
                self.thinking.iter_mut().for_each(Thinking::ponder_hit);
            }
            TerminalCommand::Uci(Command::IsReady | Command::Debug(_)) | TerminalCommand::Help => {
                self.execute(command).unwrap_or_else(|problem| self.error(&problem));
            }
            TerminalCommand::Uci(Command::Uci | Command::Quit) => {
                self.waiting.clear();
                self.stop();
                self.wait(command);
            }
            _ if self.waiting.len() == MOST_WAITING => self.error("too much waits already"),
            _ => {
                self.wait(command);
                self.thinking.iter_mut().filter(|it| it.is_endless()).for_each(Thinking::stop);
            }
        }
    }

    fn wait(&mut self, command: TerminalCommand) {
        self.commands += 1;
        self.waiting.push_back((command, self.commands));
    }

    /// Stops what is running, and all that waits for it.
    fn stop(&mut self) {
        self.stopped = self.commands;
        self.thinking.iter_mut().for_each(Thinking::stop);
        self.job.iter().for_each(Job::stop);
    }

    /// Ctrl-C stops what is running, or says how to leave. Ctrl-D leaves.
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
                self.wait(TerminalCommand::Uci(Command::Quit));
            }
            _ if !self.is_free() => self.stop(),
            Key::Interrupt { typed: true } => {}
            Key::Interrupt { typed: false } | Key::Signal => self.note("quit, or Ctrl-D, leaves."),
        }
    }

    fn hear(&mut self, event: &Event) {
        self.thinking.iter_mut().for_each(|thinking| thinking.hear(event));
        while let Some(problem) = self.player.damaged_table() {
            self.error(&problem);
        }
        if let Event::Line(line) = event
            && line.pv_index == 1
            && line.bound == Bound::Exact
        {
            self.found = Some(line.clone());
        }
        if let (Event::Line(line), Purpose::Think) = (event, self.purpose) {
            let numbered = self.player.options().multi_pv > 1;
            self.say(&self.style.line(line, self.game.position(), numbered));
        }
    }

    /// Takes the result of the search as soon as there is one.
    fn answer(&mut self) {
        let Some(thinking) = &mut self.thinking else { return };
        let Some(Answer { result, .. }) = thinking.answer() else { return };
        self.thinking.take().iter().for_each(|thinking| self.player.answered(thinking));
        self.take_result(&result);
    }

    fn take_result(&mut self, result: &SearchResult) {
        let position = *self.game.position();
        if self.purpose == Purpose::Judge {
            return self.take_judgement().unwrap_or_else(|problem| self.error(&problem));
        }
        let Some(best) = result.best.filter(|_| self.purpose != Purpose::Think) else {
            self.say(&self.style.result(result, &position));
            if result.best.is_some() && self.editor.is_some() {
                self.note("It is not played: type it, or play, for that.");
            }
            return;
        };
        if self.purpose == Purpose::Hint {
            return self.take_hint(best);
        }
        if self.flag_fell() {
            return;
        }
        self.note(&format!("Zebu plays {} {}.", position.san_number(), position.san(best)));
        self.make_move(best);
        self.found.iter().for_each(|line| self.game.set_score(line.score));
        self.show_board();
    }

    /// Prints lines; an empty text is none.
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
        log(&mut self.player.log, direction, text).unwrap_or_else(|problem| self.error(&problem));
    }
}
