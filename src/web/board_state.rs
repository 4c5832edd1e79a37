//! What of the board survives a restart, in the library: its key, the settings, the game that runs.

use std::collections::BTreeMap;

use rand::RngExt;
use rand::distr::Alphanumeric;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::messages::{Match, Settings};

/// Letters and digits of a key: 190 bits.
const KEY_LENGTH: usize = 32;

#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BoardState {
    pub key: String,
    pub settings: Settings,
    pub terms: Match,
    /// The game that runs, or that was played last.
    pub pgn: String,
    /// How the game ended.
    pub over: Option<String>,
    /// The notes on the person's moves, by ply.
    pub notes: BTreeMap<usize, Value>,
}

impl BoardState {
    /// Makes a key if there is none. Returns whether it did.
    pub fn begin(&mut self) -> bool {
        let has_key = self.key.len() == KEY_LENGTH
            && self.key.bytes().all(|letter| letter.is_ascii_alphanumeric());
        if !has_key {
            self.key = new_key();
        }
        !has_key
    }
}

pub fn new_key() -> String {
    rand::rng().sample_iter(Alphanumeric).take(KEY_LENGTH).map(char::from).collect()
}
