//! What a page asks of the library and the coach, and the state that it shows.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::list::Query;
use super::schedule::Answer;
use crate::library::Taken;

/// A request of a page.
#[derive(Debug, Deserialize)]
#[serde(tag = "want", rename_all = "snake_case", deny_unknown_fields)]
pub enum Want {
    /// Add a part of a file, which has whole games. The parts come in order, each with the page's number for the
    /// file.
    Import {
        text: String,
        #[serde(default)]
        file: u32,
        is_first: bool,
        is_last: bool,
    },
    /// List games.
    Games(Query),
    /// The same, but all of them and nothing but their ids.
    Ids(Query),
    /// Get a game with its review and what the person added.
    Game {
        id: u64,
    },
    /// Keep the person's lines and comments in a game; null removes them.
    Edit {
        id: u64,
        own: Value,
    },
    /// Get all tags with their numbers of games.
    Tags,
    Tag {
        games: Vec<u64>,
        tag: String,
        on: bool,
    },
    Delete {
        games: Vec<u64>,
    },
    /// Take a deletion back.
    Restore {
        games: Vec<u64>,
    },
    /// Get the PGN of the first of these games, as many as one answer takes.
    Pgn {
        games: Vec<u64>,
    },
    /// Get games as a self-contained page.
    Page {
        games: Vec<u64>,
    },
    /// Analyse games before all else, with this many nodes per position.
    Analyse {
        games: Vec<u64>,
        nodes: u64,
    },
    StopAnalysis,
    /// Turn reviews of the person's games on or off.
    Review {
        runs: bool,
    },
    /// Get everything in the library as one text.
    Export {
        kind: Kind,
    },
    /// Set the person's names.
    Names {
        names: Vec<String>,
    },
    /// Get the players with the most games, and their number of games.
    Players,
    Overview,
    /// Get the exercises that are due.
    Today,
    /// Judge a move of an exercise.
    Judge {
        place: PlaceText,
        mv: String,
    },
    Answered {
        place: PlaceText,
        answer: Answer,
    },
    /// Get the continuations of the person's games after these moves, with White and with Black.
    Moves {
        moves: Vec<String>,
    },
    /// Add an opening line to train.
    Line {
        is_white: bool,
        name: String,
        moves: Vec<String>,
    },
    Lines,
    ForgetLine {
        id: u64,
    },
}

/// A place as text, since JavaScript's numbers are too short for it.
pub type PlaceText = [String; 2];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// All games, those that are reviewed with their annotations.
    Pgn,
    /// Everything else.
    Json,
}

/// Takes the answer to a request: JSON or an error.
pub type Reply = Box<dyn FnOnce(Result<Value, String>) + Send>;

/// The state that a page shows at once.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct State {
    /// What is wrong with the library.
    pub problem: Option<String>,
    pub games: u64,
    pub mine: usize,
    pub reviewed: usize,
    pub names: Vec<String>,
    /// Players and their number of games, to choose from while the person is unknown.
    pub players: Vec<(String, usize)>,
    /// The number of exercises due today, and of all that are not retired.
    pub due: usize,
    pub exercises: usize,
    /// Whether the person's games are reviewed when the machine has time.
    pub runs: bool,
    pub is_reviewing: bool,
    pub import: Option<Imported>,
    /// The analyses that were asked for.
    pub analysing: Option<Analysing>,
    /// Increases with each change of games, reviews and names.
    pub version: u64,
    /// The game on the board, once it is in the library.
    pub played: Option<u64>,
}

/// The running or the last import.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Imported {
    #[serde(flatten)]
    pub taken: Taken,
    /// Some of the games that were left out, with their lines.
    pub broken_games: Vec<String>,
    pub runs: bool,
    /// The page that sent the file was closed before its end.
    pub is_cut: bool,
}

/// The number of positions analysed and wanted, the seconds left, and the number of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Analysing {
    pub done: usize,
    pub all: usize,
    pub seconds: Option<u64>,
    pub games: usize,
}
