//! In place of the coach in builds without it: the page says that there is none.

use std::sync::Arc;

use crossbeam_channel::{Receiver, never};

use super::messages::{Message, Reply, Want};
use super::tabs::Tabs;
use engine::eval::Network;
use engine::notation::PgnGame;

const ABSENT: &str = if cfg!(target_family = "wasm") {
    "There is no coach in this page: a library of your games needs the program. Zebu's own board, zebu board, \
     has it."
} else {
    "This build of Zebu has no coach."
};

#[derive(Clone, Copy)]
pub enum Export {
    Pgn,
    Json,
}

pub type Sink = Box<dyn FnMut(Result<Vec<u8>, String>) -> bool + Send>;

pub struct Coach;

impl Coach {
    pub fn begin(_: &Arc<Network>, _: u32) -> Coach {
        Coach
    }

    pub fn ask(&self, _: Want, reply: Box<dyn FnOnce(Reply) + Send>) {
        reply(Reply::Wrong(ABSENT.to_string()));
    }

    pub fn import(&self, _: String, reply: Box<dyn FnOnce(Reply) + Send>) {
        reply(Reply::Wrong(ABSENT.to_string()));
    }

    pub fn export(&self, _: Export, mut sink: Sink) {
        sink(Err(ABSENT.to_string()));
    }

    pub fn add(&self, _: PgnGame, _: u64, _: bool) {}

    pub fn rest(&self, _: bool) {}

    pub fn states(&self) -> Receiver<()> {
        never()
    }

    pub fn hear(&mut self, _: &mut Tabs) {}

    pub fn state(&self) -> Message<'_> {
        Message::Coach { state: serde_json::json!({ "absent": ABSENT }) }
    }
}
