//! How the engine talks with a person at a terminal: games against Zebu, and analysis.

mod command;
mod commands;
mod line_editor;
mod timed_game;
mod writer;

use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

use crate::board::Color;
use crate::game::{GameFile, PlayedGame, TimeControl};
use crate::search::SearchResult;
use crate::session::front_end::{FrontEnd, run};
use crate::session::{DEFAULT_MOVE_TIME, Session};
use crate::uci::{Command, Protocol};
use command::{TerminalCommand, completions, parse};
use line_editor::{LineEditor, Words};

pub use writer::TerminalWriter;

const PROMPT: &str = "zebu> ";

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Think,
    /// The move is made on the board.
    Play,
    /// The move alone is told.
    Hint,
}

/// A person who gives orders, and their game.
struct Terminal {
    /// Zebu replies to moves; otherwise it looks on.
    plays: bool,
    /// The person's.
    side: Color,
    /// The session has its moves too.
    game: PlayedGame,
    /// How long Zebu thinks about a move without a clock.
    move_time: Duration,
    /// Of this game, and of those that follow.
    time_control: Option<TimeControl>,
    file: GameFile,
    /// To leave without the game was asked for once.
    was_warned: bool,
    /// Of the search that is running.
    purpose: Purpose,
    queue: VecDeque<Queued>,
    writer: TerminalWriter,
    words: Words,
    /// Executes what is not of the terminal alone.
    protocol: Protocol,
    turned_to_uci: bool,
    over: bool,
}

/// A command that waits until what is running ends.
struct Queued {
    command: TerminalCommand,
    /// A `stop` came after it: it ends as soon as it has begun.
    stopped: bool,
}

/// Talks with a person until they leave. Once `uci` is typed, nothing but UCI is spoken.
pub fn talk(mut session: Session) -> io::Result<()> {
    let mut terminal = Terminal {
        plays: true,
        side: Color::White,
        game: PlayedGame::from(session.game.clone()),
        move_time: DEFAULT_MOVE_TIME,
        time_control: None,
        file: GameFile::default(),
        was_warned: false,
        purpose: Purpose::Think,
        queue: VecDeque::new(),
        writer: TerminalWriter::from_environment(),
        words: Words::default(),
        protocol: Protocol::default(),
        turned_to_uci: false,
        over: false,
    };
    let editor = LineEditor::open(session.sender(), terminal.words.clone());
    session.console.attach(editor.map_err(io::Error::other)?);
    session.console.say(&terminal.writer.greeting(&session.game));
    session.report_start();
    run(&mut session, &mut terminal)?;
    if terminal.turned_to_uci {
        terminal.protocol.execute(&mut session, Command::Uci);
        run(&mut session, &mut terminal.protocol)?;
    }
    Ok(())
}

impl FrontEnd for Terminal {
    fn on_line(&mut self, session: &mut Session, line: &str) -> Result<(), String> {
        if let Some(command) = parse(line).map_err(|error| error.to_string())? {
            self.schedule(session, command);
        }
        Ok(())
    }

    fn on_end(&mut self, session: &mut Session) {
        self.stop(session);
        self.enqueue(TerminalCommand::Uci(Command::Quit));
    }

    fn on_result(&mut self, session: &mut Session, result: &SearchResult) {
        let position = *session.game.position();
        let Some(best) = result.best.filter(|_| self.purpose != Purpose::Think) else {
            session.console.say(&session.console.writer.result(Some(result), session.context()));
            if result.best.is_some() {
                session.console.note("It is not played: type it, or play, for that.");
            }
            return;
        };
        let san = format!("{} {}", position.san_number(), position.san(best));
        if self.purpose == Purpose::Hint {
            return session.console.note(&format!("{san} is good."));
        }
        if self.flag_fell(session) {
            return;
        }
        session.console.note(&format!("Zebu plays {san}."));
        self.make_move(session, best);
        self.show_board(session);
    }

    fn stop(&mut self, session: &mut Session) {
        self.queue.iter_mut().for_each(|queued| queued.stopped = true);
        session.stop();
    }

    fn execute_next(&mut self, session: &mut Session) -> bool {
        let Some(Queued { command, stopped }) = self.queue.pop_front() else { return false };
        if let Err(error) = self.execute(session, command) {
            session.console.error(&error);
        }
        self.update_clock(session);
        if stopped {
            session.stop();
        }
        true
    }

    fn prompt(&self, session: &Session) -> Option<&'static str> {
        if session.is_idle() {
            self.words.set(completions(&session.game));
        }
        let is_quit =
            |queued: &Queued| matches!(queued.command, TerminalCommand::Uci(Command::Quit));
        (!self.queue.iter().any(is_quit)).then_some(PROMPT)
    }

    fn is_over(&self) -> bool {
        self.over
    }

    /// When the person's flag falls. That of Zebu is looked at when it moves.
    fn alarm(&self, session: &Session) -> Option<Instant> {
        self.game.flag_falls_at().filter(|_| !self.zebu_thinks(session))
    }

    fn on_alarm(&mut self, session: &mut Session) {
        if !self.zebu_thinks(session) {
            self.flag_fell(session);
        }
    }
}

impl Terminal {
    /// Executes a command at once if it does not disturb a search, and otherwise in its turn.
    fn schedule(&mut self, session: &mut Session, command: TerminalCommand) {
        if !matches!(command, TerminalCommand::Uci(Command::Quit)) {
            self.was_warned = false;
        }
        match command {
            TerminalCommand::Uci(Command::Stop) => return self.stop(session),
            TerminalCommand::Uci(Command::BadPosition(error)) => {
                return session.console.error(&error.to_string());
            }
            TerminalCommand::Uci(Command::Uci | Command::Quit) => {
                self.queue.clear();
                session.stop();
            }
            TerminalCommand::Uci(command) if command.is_immediate() => {
                return self.protocol.execute(session, command);
            }
            TerminalCommand::Help => return session.console.say(&self.writer.help()),
            _ => {}
        }
        self.enqueue(command);
        // A person who goes on has seen enough of a search that would never end.
        if session.is_endless() {
            session.stop();
        }
    }

    fn enqueue(&mut self, command: TerminalCommand) {
        self.queue.push_back(Queued { command, stopped: false });
    }
}
