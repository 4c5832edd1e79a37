//! What earlier versions kept outside of the library: a list of games, finished games, and the state of the board.
//! It is read in once, and stays where it is.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::board_state::BoardState;
use crate::library::{Library, LibraryError, Taken};
use engine::notation::PgnReader;

/// The texts of an earlier version; empty where there was none.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Earlier {
    /// The list of games: a line for each change.
    pub list: String,
    /// The finished games as PGN.
    pub games: String,
    /// The state of the board in JSON.
    pub board: String,
}

impl Earlier {
    /// Adds the games to a library, with the annotations that they had, and keeps the state of the board there.
    pub fn bring(&self, library: &Library) -> Result<Taken, LibraryError> {
        let texts = listed(&self.list);
        let all = texts.iter().map(String::as_str).chain([&*self.games]).collect::<Vec<_>>();
        let taken = library.import(PgnReader::new(all.join("\n\n").as_bytes()), |_| ())?;
        if let Ok(board) = serde_json::from_str::<BoardState>(&self.board)
            && library.board::<BoardState>()?.is_none()
        {
            library.keep_board(&board)?;
        }
        library.set_migrated()?;
        Ok(taken)
    }
}

/// The PGN of the games in a list. Of each number the last line counts.
fn listed(lines: &str) -> Vec<String> {
    let mut games = BTreeMap::new();
    for line in lines.lines() {
        // A number, the kind of change, a hash, and the content.
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        if let [number, kind, _, content] = words[..]
            && let Ok(number) = number.parse::<u64>()
        {
            games.insert(number, text(kind, content));
        }
    }
    games.into_values().flatten().collect()
}

/// The PGN of a line, if its game was not deleted.
fn text(kind: &str, content: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Analysed {
        pgn: String,
    }
    match kind {
        "opened" => serde_json::from_str(content.split_once('\t')?.1).ok(),
        "analysed" => serde_json::from_str(content).ok().map(|it: Analysed| it.pgn),
        _ => None,
    }
}
