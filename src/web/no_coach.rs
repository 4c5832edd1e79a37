//! Where there is no coach, the page says so.

use std::sync::Arc;

use crossbeam_channel::{Receiver, never};

use super::messages::{Answer, Tell, Want};
use super::tabs::Tabs;
use crate::eval::Network;
use crate::notation::PgnGame;

const ABSENT: &str = if cfg!(target_family = "wasm") {
    "There is no coach in this page: a library of your games needs the program. Zebu's own board, zebu board, \
     has it."
} else {
    "This build of Zebu has no coach."
};

pub struct Coach;

impl Coach {
    pub fn begin(_: &Arc<Network>, _: u32) -> Coach {
        Coach
    }

    pub fn ask(&self, _: Want, reply: Box<dyn FnOnce(Answer) + Send>) {
        reply(Answer::Wrong(ABSENT.to_string()));
    }

    pub fn add(&self, _: PgnGame, _: bool) {}

    pub fn rest(&self, _: bool) {}

    pub fn states(&self) -> Receiver<()> {
        never()
    }

    pub fn hear(&mut self, _: &mut Tabs) {}

    pub fn state(&self) -> Tell<'_> {
        Tell::Coach { state: serde_json::json!({ "absent": ABSENT }) }
    }
}
