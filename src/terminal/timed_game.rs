//! A game by the clock: when it runs, and what happens when a flag falls.

use std::time::{Duration, Instant};

use super::{Purpose, Terminal};
use crate::board::Move;
use crate::game::{TimeControl, shown};
use crate::session::{Go, Session};
use crate::text::shortened;

impl Terminal {
    /// Sets the clock, turns it off, or tells it.
    pub(super) fn set_clock(
        &mut self,
        session: &mut Session,
        wanted: Option<&str>,
    ) -> Result<(), String> {
        match wanted {
            None => {}
            Some("off") => {
                self.time_control = None;
                self.game.turn_clock_off();
            }
            Some(text) => {
                let control = TimeControl::parse(text).ok_or_else(|| {
                    let text = shortened(text);
                    format!(
                        "clock takes minutes and perhaps seconds: clock 5+3; or off; not '{text}'"
                    )
                })?;
                self.time_control = Some(control);
                self.game.set_clock(self.time_control);
            }
        }
        let (Some(clock), Some(left)) = (self.game.clock(), self.game.left(Instant::now())) else {
            let least = self.move_time.as_secs_f64();
            session
                .console
                .note(&format!("There is no clock; Zebu takes up to {least} s for a move."));
            return Ok(());
        };
        let [white, black] = left.map(shown);
        let increment = match clock.control.increment {
            Duration::ZERO => String::new(),
            increment => format!(", and {} s more with each move", increment.as_secs_f64()),
        };
        let stands = match (self.plays, clock.has_begun()) {
            (false, _) => " The clock stands while Zebu looks on.",
            (true, false) => " The clock starts with the next move.",
            (true, true) => "",
        };
        let text = format!("White has {white}, Black has {black}{increment}.{stands}");
        session.console.note(&text);
        Ok(())
    }

    /// A game that was lost on time, or given up, goes on; on time without the clock.
    pub(super) fn go_on(&mut self, session: &mut Session) {
        if self.game.go_on() {
            session.console.note("The game goes on without the clock.");
        }
    }

    /// Lets the clock run while a game is played and somebody thinks about a move.
    pub(super) fn update_clock(&mut self, session: &Session) {
        let thinks = self.game.position().side() == self.side || self.zebu_thinks(session);
        self.game.run_clock(self.plays && thinks, Instant::now());
    }

    /// Makes a move on the board, and presses the clock.
    pub(super) fn make_move(&mut self, session: &mut Session, mv: Move) {
        self.game.play(mv, Instant::now());
        session.game.play(mv);
        self.update_clock(session);
    }

    pub(super) fn zebu_thinks(&self, session: &Session) -> bool {
        !session.is_idle() && self.purpose == Purpose::Play
    }

    /// Whether the side to move has lost on time just now, which is told.
    pub(super) fn flag_fell(&mut self, session: &mut Session) -> bool {
        let Some(outcome) = self.game.flag_fell(Instant::now()) else { return false };
        let is_person = self.game.position().side() == self.side;
        let goes_on = if is_person { "A move" } else { "Play" };
        session.console.note(&format!(
            "{outcome} {goes_on} goes on without the clock, undo takes a move and its time back, new starts another game.",
        ));
        true
    }

    /// Zebu's limits for a move.
    pub(super) fn limits(&self, purpose: Purpose) -> Go {
        /// The part of a person's time that a hint may take.
        const HINT: u32 = 20;
        let milliseconds = |time: Duration| Some(time.as_millis() as u64);
        let left = self.game.left(Instant::now());
        let limits = match (self.game.clock(), left) {
            (Some(clock), Some(left)) if purpose == Purpose::Play => Go {
                time: left.map(milliseconds),
                increment: [milliseconds(clock.control.increment); 2],
                ..Go::default()
            },
            _ => {
                let own = left.map(|left| left[self.game.position().side().index()] / HINT);
                let most = own.map_or(self.move_time, |own| own.min(self.move_time));
                Go { move_time: milliseconds(most), ..Go::default() }
            }
        };
        // A hint is not worse because the opponent is.
        Go { analyse: purpose == Purpose::Hint, silent: true, ..limits }
    }
}
