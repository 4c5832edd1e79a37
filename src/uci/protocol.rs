//! The protocol: commands come in any order, and each `go` gets one `bestmove`.

use std::io;

use super::command::Command;
use super::parse::parse;
use super::queue::{Queue, Queued};
use super::vampirc::advertised;
use super::writer::UciWriter;
use crate::NAME;
use crate::board::{Game, Position};
use crate::search::SearchResult;
use crate::session::front_end::{FrontEnd, run};
use crate::session::{Session, UciOption, read_pipe};

/// A program that gives orders by UCI.
#[derive(Default)]
pub struct Protocol {
    queue: Queue,
    /// The last `position` was refused: there is nothing to search.
    refused: bool,
    over: bool,
}

/// Talks UCI on standard input and output until one of them ends.
pub fn talk(mut session: Session) -> io::Result<()> {
    read_pipe(session.sender())?;
    run(&mut session, &mut Protocol::default())
}

/// Executes commands and ends when the last one is done. Returns the number of errors.
pub fn execute_all(mut session: Session, commands: Vec<Command>) -> io::Result<usize> {
    let mut protocol = Protocol::default();
    for command in commands.into_iter().chain([Command::Quit]) {
        protocol.queue.push(command);
    }
    run(&mut session, &mut protocol)?;
    Ok(session.console.errors)
}

impl FrontEnd for Protocol {
    fn on_line(&mut self, session: &mut Session, line: &str) -> Result<(), String> {
        if let Some(command) = parse(line).map_err(|error| error.to_string())? {
            self.schedule(session, command);
        }
        Ok(())
    }

    fn on_end(&mut self, session: &mut Session) {
        self.quit_in_turn(session);
    }

    fn on_result(&mut self, session: &mut Session, result: &SearchResult) {
        answer_go(session, Some(result));
    }

    fn stop(&mut self, session: &mut Session) {
        self.queue.stop();
        session.stop();
    }

    fn execute_next(&mut self, session: &mut Session) -> bool {
        let Some(Queued { command, stopped }) = self.queue.pop() else { return false };
        self.execute(session, command);
        if stopped {
            session.stop();
        }
        true
    }

    fn prompt(&self, _: &Session) -> Option<&'static str> {
        (!self.queue.quits()).then_some("")
    }

    fn is_over(&self) -> bool {
        self.over
    }
}

impl Protocol {
    /// Executes a command at once if it does not disturb a search, and otherwise in its turn.
    fn schedule(&mut self, session: &mut Session, command: Command) {
        if command.is_immediate() {
            return self.execute(session, command);
        }
        match &command {
            Command::Quit if self.queue.has_search() => return self.quit_in_turn(session),
            Command::Quit => {
                self.queue.clear();
                session.stop();
            }
            Command::BadPosition(error) => session.console.error(&error.to_string()),
            _ => {}
        }
        self.queue.push(command);
    }

    /// Ends the session when all that was asked for is done.
    fn quit_in_turn(&mut self, session: &mut Session) {
        self.queue.stop_endless();
        if session.is_endless() {
            session.stop();
        }
        self.queue.push(Command::Quit);
    }

    pub fn execute(&mut self, session: &mut Session, command: Command) {
        match command {
            Command::Uci => introduce(session),
            Command::IsReady => {
                session.prepare();
                session.console.say("readyok");
            }
            Command::Debug(on) => session.debug = on,
            Command::Stop => self.stop(session),
            Command::PonderHit => {
                if !self.queue.ponder_hit() {
                    session.ponder_hit();
                }
            }
            Command::SetOption(option, value) => session.set_option(option, value),
            Command::NewGame => {
                session.new_game();
                if self.refused {
                    session.game = Game::new(Position::start());
                    self.refused = false;
                }
            }
            Command::Position { game, left_out } => {
                for part in left_out {
                    session.console.note(&part.to_string());
                }
                session.game = *game;
                self.refused = false;
            }
            Command::BadPosition(_) => self.refused = true,
            Command::Go { .. } | Command::Perft(_) if self.refused => {
                session.console.error("the last position was refused");
                if let Command::Go { .. } = command {
                    answer_go(session, None);
                }
            }
            Command::Go { go, problems } => {
                for problem in problems {
                    session.console.error(&problem.to_string());
                }
                if let Err(error) = session.go(&go) {
                    session.console.error(&error);
                    answer_go(session, None);
                }
            }
            Command::Perft(depth) => session.perft(depth),
            Command::Bench(settings) => session.bench(settings),
            Command::Display => {
                session.console.say(&session.console.writer.display(session.context()));
            }
            Command::Eval => session.show_evaluation(),
            Command::Quit => self.over = true,
        }
    }
}

/// Answers `uci`; from now on nothing but UCI is spoken.
fn introduce(session: &mut Session) {
    session.console.writer = Box::new(UciWriter);
    let mut text = format!("id name {NAME}\nid author the Zebu developers");
    for option in UciOption::all() {
        text += &format!("\n{}", advertised(option, &session.defaults));
    }
    session.console.say(&text);
    session.report_start();
    session.console.say("uciok");
}

/// Prints the one answer to `go`: what the search has found, if there was one.
fn answer_go(session: &mut Session, result: Option<&SearchResult>) {
    session.console.say(&session.console.writer.result(result, session.context()));
}
