//! The coach behind the board: what tabs want of it, and what it tells all of them.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, never};

use super::messages::{Answer, Tell, Want};
use super::tabs::Tabs;
use crate::coach::{Background, NODES, Order, State};
use crate::config;
use crate::eval::Network;
use crate::notation::PgnGame;

/// Without a folder for a library it is not there.
pub struct Coach {
    background: Option<Background>,
    state: State,
}

impl Coach {
    pub fn begin(network: &Arc<Network>, hash: u32) -> Coach {
        let order = Order {
            nodes: NODES,
            threads: thread::available_parallelism().map_or(1, NonZero::get),
            hash: hash as usize,
            network: Arc::clone(network),
            rests: Arc::default(),
        };
        let file = config::folder().map(|folder| folder.join("games.zebu"));
        let begun = file.map(|file| Background::begin(file, order));
        let problem = match &begun {
            None => Some("There is no folder for a library of games.".to_string()),
            Some(Err(error)) => Some(format!("There is no thread for the coach: {error}.")),
            Some(Ok(_)) => None,
        };
        let state = State { problem, ..State::default() };
        Coach { background: begun.and_then(Result::ok), state }
    }

    pub fn ask(&self, want: Want, reply: Box<dyn FnOnce(Answer) + Send>) {
        match &self.background {
            Some(background) => background.ask(
                want,
                Box::new(|answer| {
                    reply(match answer {
                        Ok(found) => {
                            Answer::Json(serde_json::json!({ "found": found }).to_string())
                        }
                        Err(problem) => Answer::Wrong(problem),
                    });
                }),
            ),
            None => reply(Answer::Wrong(self.state.problem.clone().unwrap_or_default())),
        }
    }

    /// Keeps a game that is over, perhaps in the place of what it was before it went on.
    pub fn add(&self, game: PgnGame, went_on: bool) {
        self.background.iter().for_each(|background| background.add(game.clone(), went_on));
    }

    /// Whether the machine is wanted for something else.
    pub fn rest(&self, rests: bool) {
        self.background.iter().for_each(|background| background.rest(rests));
    }

    pub fn states(&self) -> Receiver<State> {
        self.background.as_ref().map_or_else(never, Background::states)
    }

    pub fn hear(&mut self, tabs: &mut Tabs) {
        let states = self.states();
        if let Some(state) = states.try_iter().last() {
            self.state = state;
            tabs.tell(&self.state());
        }
    }

    pub fn state(&self) -> Tell<'_> {
        Tell::Coach { state: serde_json::json!(self.state) }
    }
}
