//! What outlives the page: the settings and the game in hand, which it keeps in the browser's storage.

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::messages::{Match, Settings};
use crate::wasm::tell_page;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    pub settings: Settings,
    pub terms: Match,
    pub pgn: String,
    /// How the game ended.
    pub over: Option<String>,
}

impl Kept {
    /// What an earlier visit left, if it can be read.
    pub fn of(json: &[u8]) -> Kept {
        serde_json::from_slice(json).unwrap_or_default()
    }

    /// The games that are over are kept by whoever downloads them.
    pub fn games(&self) -> Option<PathBuf> {
        None
    }

    pub fn add_game(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    pub fn has_game(&self) -> bool {
        false
    }

    pub fn forget_game(&mut self) {}

    pub fn save(&self) -> io::Result<()> {
        let kept = serde_json::to_string(self)?;
        tell_page(serde_json::json!({ "tell": "keep", "kept": kept }).to_string().as_bytes());
        Ok(())
    }
}
