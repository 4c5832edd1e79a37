//! The state that survives a visit, in the browser's storage: settings, current game, list of games.

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::messages::{Match, Settings};
use engine::system::wasm::tell_page;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedState {
    pub settings: Settings,
    pub terms: Match,
    pub pgn: String,
    /// How the game ended.
    pub over: Option<String>,
    /// The number of the game in the list of games, once it is there.
    pub number: Option<usize>,
    /// The lines of the list of games.
    #[serde(skip)]
    list: String,
}

impl SavedState {
    /// Reads the state of an earlier visit, if it is valid: a line of JSON, and the list of games.
    pub fn of(text: &[u8]) -> SavedState {
        let text = String::from_utf8_lossy(text);
        let (json, list) = text.split_once('\n').unwrap_or((&text, ""));
        let kept: SavedState = serde_json::from_str(json).unwrap_or_default();
        SavedState { list: list.to_string(), ..kept }
    }

    pub fn list(&self) -> io::Result<String> {
        Ok(self.list.clone())
    }

    pub fn add_to_list(&self, lines: &str) -> io::Result<()> {
        tell_page(
            serde_json::json!({ "tell": "keep_games", "lines": lines }).to_string().as_bytes(),
        );
        Ok(())
    }

    /// The page replaces single lines itself.
    pub fn replace_list(&self, _: &str) -> io::Result<()> {
        Ok(())
    }

    /// The page keeps no file of finished games. The person can download them.
    pub fn games(&self) -> Option<PathBuf> {
        None
    }

    pub fn add_game(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    pub fn has_game(&self) -> bool {
        false
    }

    pub fn forget_game(&mut self) {
        self.number = None;
    }

    pub fn save(&self) -> io::Result<()> {
        let kept = serde_json::to_string(self)?;
        tell_page(serde_json::json!({ "tell": "keep", "kept": kept }).to_string().as_bytes());
        Ok(())
    }
}
