//! The coach behind the board: answers the requests of tabs, and sends its state to all of them.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, never};

use super::messages::{Message, Reply, Want};
use super::tabs::Tabs;
use crate::coach::{Background, NODES, Order, State};
pub use crate::coach::{Export, Sink};
use engine::config;
use engine::eval::Network;
use engine::notation::PgnGame;

/// There is no coach without a folder for its library.
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

    pub fn ask(&self, want: Want, reply: Box<dyn FnOnce(Reply) + Send>) {
        match &self.background {
            Some(background) => background.ask(
                want,
                Box::new(|answer| {
                    reply(match answer {
                        Ok(found) => Reply::Json(serde_json::json!({ "found": found }).to_string()),
                        Err(problem) => Reply::Wrong(problem),
                    });
                }),
            ),
            None => reply(Reply::Wrong(self.state.problem.clone().unwrap_or_default())),
        }
    }

    /// Takes in games as PGN.
    pub fn import(&self, text: String, reply: Box<dyn FnOnce(Reply) + Send>) {
        self.ask(Want::Import { text, file: 0, is_first: true, is_last: true }, reply);
    }

    /// Hands over everything that the library has.
    pub fn export(&self, export: Export, mut sink: Sink) {
        match &self.background {
            Some(background) => background.export(export, sink),
            None => _ = sink(Err(self.state.problem.clone().unwrap_or_default())),
        }
    }

    /// Adds a finished game, or replaces it if it went on after an earlier end.
    pub fn add(&self, game: PgnGame, number: u64, went_on: bool) {
        self.background.iter().for_each(|background| background.add(game.clone(), number, went_on));
    }

    /// Pauses reviews while the machine is needed for something else.
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

    pub fn state(&self) -> Message<'_> {
        Message::Coach { state: serde_json::json!(self.state) }
    }
}
