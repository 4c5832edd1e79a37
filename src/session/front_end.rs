//! The loop of a session: what its front end is told, and what it answers for.

use std::io;
use std::time::Instant;

use super::Session;
use super::input::Input;
use crate::search::SearchResult;

/// Who gives the orders: a program by UCI, or a person at a terminal.
pub trait FrontEnd {
    /// Fails if the line says nothing that is known.
    fn on_line(&mut self, session: &mut Session, line: &str) -> Result<(), String>;

    /// No line comes any more.
    fn on_end(&mut self, session: &mut Session);

    /// A search has ended, and nothing is running.
    fn on_result(&mut self, session: &mut Session, result: &SearchResult);

    /// Stops what is running, and all that waits for it.
    fn stop(&mut self, session: &mut Session);

    /// Executes the next of the commands that wait, if there is one. Nothing is running.
    fn execute_next(&mut self, session: &mut Session) -> bool;

    /// What stands before the next line, if one is wanted.
    fn prompt(&self, session: &Session) -> Option<&'static str>;

    fn is_over(&self) -> bool;

    /// When it wants to be woken if nothing comes in before.
    fn alarm(&self, _: &Session) -> Option<Instant> {
        None
    }

    /// It is woken, perhaps too early.
    fn on_alarm(&mut self, _: &mut Session) {}
}

/// Runs a session until its front end ends it, or until nothing can be printed any more.
pub fn run(session: &mut Session, front_end: &mut dyn FrontEnd) -> io::Result<()> {
    loop {
        while !front_end.is_over() {
            if let Some(result) = session.take_result() {
                front_end.on_result(session, &result);
                session.replied();
            } else if !session.is_idle() || !front_end.execute_next(session) {
                break;
            }
        }
        session.console.check()?;
        if front_end.is_over() {
            return Ok(());
        }
        if let Some(prompt) = front_end.prompt(session) {
            session.console.await_line(prompt, !session.is_idle());
        }
        let Some(input) = session.next_input(front_end.alarm(session)) else {
            session.answer_in_time();
            front_end.on_alarm(session);
            continue;
        };
        match input {
            Input::Line(line) => {
                session.console.entered();
                session.console.received(&line);
                if let Err(error) = front_end.on_line(session, &line) {
                    session.console.error(&error);
                }
            }
            Input::Interrupt { typed } => {
                session.console.entered();
                interrupt(session, front_end, typed);
            }
            Input::Signal => {
                session.console.interrupted();
                interrupt(session, front_end, false);
            }
            Input::End => {
                session.console.entered();
                front_end.on_end(session);
            }
            Input::Search(number, event) => session.on_event(number, event),
            Input::Text(text) => session.console.say(&text),
            Input::TaskDone(done) => session.on_task_done(done),
        }
    }
}

/// Ctrl-C stops what is running, or says how to leave.
fn interrupt(session: &mut Session, front_end: &mut dyn FrontEnd, typed: bool) {
    if !session.is_idle() {
        front_end.stop(session);
    } else if !typed {
        session.console.note("quit, or Ctrl-D, leaves.");
    }
}
