//! A game by the clock: when it runs, and what happens when a flag falls.

use std::time::{Duration, Instant};

use super::game_clock::{GameClock, TimeControl, shown};
use super::game_file::Forfeit;
use super::{Purpose, Terminal};
use crate::board::Move;
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
                self.clock_off();
            }
            Some(text) => {
                let control = TimeControl::parse(text).ok_or_else(|| {
                    let text = shortened(text);
                    format!(
                        "clock takes minutes and perhaps seconds: clock 5+3; or off; not '{text}'"
                    )
                })?;
                self.time_control = Some(control);
                self.new_clock(session);
            }
        }
        let Some(clock) = self.running_clock() else {
            let least = self.move_time.as_secs_f64();
            session
                .console
                .note(&format!("There is no clock; Zebu takes up to {least} s for a move."));
            return Ok(());
        };
        let [white, black] = self.left(clock, session).map(shown);
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

    /// The clock that was asked for begins anew with the game on the board.
    pub(super) fn new_clock(&mut self, session: &Session) {
        let moves = session.game.moves().len();
        self.clock = self.time_control.map(|control| GameClock::new(control, moves));
        if let Some(Forfeit::OnTime(_)) = self.forfeit {
            self.forfeit = None;
        }
    }

    /// What the clock has shown stays known.
    fn clock_off(&mut self) {
        if let Some(clock) = &mut self.clock {
            clock.is_off = true;
        }
    }

    /// A game that was lost on time, or given up, goes on; on time without the clock.
    pub(super) fn go_on(&mut self, session: &mut Session) {
        if let Some(Forfeit::OnTime(_)) = self.forfeit.take() {
            self.clock_off();
            session.console.note("The game goes on without the clock.");
        }
    }

    pub(super) fn running_clock(&self) -> Option<&GameClock> {
        self.clock.as_ref().filter(|clock| !clock.is_off)
    }

    /// What White and Black have left.
    pub(super) fn left(&self, clock: &GameClock, session: &Session) -> [Duration; 2] {
        clock.left(session.game.position().side(), Instant::now())
    }

    /// Lets the clock run while a game is played and somebody thinks about a move.
    pub(super) fn update_clock(&mut self, session: &Session) {
        let to_move = session.game.position().side();
        let thinks = to_move == self.side || self.zebu_thinks(session);
        let is_over = self.forfeit.is_some() || session.game.ending().is_some();
        let runs = self.plays && thinks && !is_over;
        if let Some(clock) = &mut self.clock {
            let runs = runs && clock.has_begun() && !clock.is_off;
            clock.run(runs, to_move, Instant::now());
        }
    }

    /// Makes a move on the board, and presses the clock.
    pub(super) fn make_move(&mut self, session: &mut Session, mv: Move) {
        let side = session.game.position().side();
        session.game.play(mv);
        if let Some(clock) = &mut self.clock {
            clock.press(side, Instant::now());
        }
        self.update_clock(session);
    }

    fn zebu_thinks(&self, session: &Session) -> bool {
        !session.is_idle() && self.purpose == Purpose::Play
    }

    /// When the person's flag falls. That of Zebu is looked at when it moves.
    pub(super) fn flag_falls_at(&self, session: &Session) -> Option<Instant> {
        let clock = self.clock.as_ref().filter(|_| !self.zebu_thinks(session))?;
        clock.falls_at(session.game.position().side())
    }

    /// Whether the side to move has lost on time just now, which is told.
    pub(super) fn flag_fell(&mut self, session: &mut Session) -> bool {
        let side = session.game.position().side();
        let falls = self.clock.as_ref().and_then(|clock| clock.falls_at(side));
        if falls.is_none_or(|falls| Instant::now() < falls) {
            return false;
        }
        let forfeit = Forfeit::OnTime(side);
        self.forfeit = Some(forfeit);
        self.update_clock(session);
        let goes_on = if side == self.side { "A move" } else { "Play" };
        session.console.note(&format!(
            "{} {goes_on} goes on without the clock, undo takes a move and its time back, new starts another game.",
            forfeit.verdict(&session.game),
        ));
        true
    }

    /// Zebu's limits for a move.
    pub(super) fn limits(&self, session: &Session, purpose: Purpose) -> Go {
        /// The part of a person's time that a hint may take.
        const HINT: u32 = 20;
        let milliseconds = |time: Duration| Some(time.as_millis() as u64);
        let clock = self.running_clock();
        let left = clock.map(|clock| self.left(clock, session));
        let limits = match (clock, left) {
            (Some(clock), Some(left)) if purpose == Purpose::Play => Go {
                time: left.map(milliseconds),
                increment: [milliseconds(clock.control.increment); 2],
                ..Go::default()
            },
            _ => {
                let own = left.map(|left| left[session.game.position().side().index()] / HINT);
                let most = own.map_or(self.move_time, |own| own.min(self.move_time));
                Go { move_time: milliseconds(most), ..Go::default() }
            }
        };
        // A hint is not worse because the opponent is.
        Go { analyse: purpose == Purpose::Hint, silent: true, ..limits }
    }
}
