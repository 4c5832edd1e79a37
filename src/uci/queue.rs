//! The commands that wait until what is running ends.

use std::collections::VecDeque;

use super::command::Command;

#[derive(Default)]
pub struct Queue(VecDeque<Queued>);

pub struct Queued {
    pub command: Command,
    /// A `stop` came after it: it ends as soon as it has begun.
    pub stopped: bool,
}

impl Queue {
    pub fn push(&mut self, command: Command) {
        if is_position(&command) {
            // A position that nothing asks for before the next one is not kept.
            let asks = |queued: &Queued| {
                !matches!(queued.command, Command::SetOption(..) | Command::NewGame)
            };
            let last = self.0.iter().rposition(asks);
            if let Some(last) = last.filter(|&last| is_position(&self.0[last].command)) {
                self.0.remove(last);
            }
        }
        self.0.push_back(Queued { command, stopped: false });
    }

    pub fn pop(&mut self) -> Option<Queued> {
        self.0.pop_front()
    }

    /// Whether something waits that takes its time.
    pub fn has_search(&self) -> bool {
        let searches = |queued: &Queued| {
            matches!(queued.command, Command::Go { .. } | Command::Perft(_) | Command::Bench(_))
        };
        self.0.iter().any(searches)
    }

    /// No further command comes: what would never end by itself ends as soon as it has begun.
    pub fn stop_endless(&mut self) {
        for queued in &mut self.0 {
            queued.stopped |=
                matches!(&queued.command, Command::Go { go, .. } if go.ponder || !go.ends());
        }
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether the session ends after these commands.
    pub fn quits(&self) -> bool {
        self.0.iter().any(|queued| matches!(queued.command, Command::Quit))
    }

    /// A stop is for all that came before it.
    pub fn stop(&mut self) {
        for queued in &mut self.0 {
            queued.stopped = true;
        }
    }

    /// A hit is for the last `go ponder`. Whether that one waits here.
    pub fn ponder_hit(&mut self) -> bool {
        let pondering = self.0.iter_mut().rev().find_map(|queued| match &mut queued.command {
            Command::Go { go, .. } if go.ponder => Some(go),
            _ => None,
        });
        pondering.map(|go| go.ponder = false).is_some()
    }
}

fn is_position(command: &Command) -> bool {
    matches!(command, Command::Position { .. } | Command::BadPosition(_))
}
