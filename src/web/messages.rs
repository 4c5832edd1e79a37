//! The JSON messages between the page and its engine. None names a file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::analysis::{GameData, Note};
use crate::coach::{State, Want};

/// A question of the page. Each gets one answer; its effects come as events.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum Ask {
    Play(Match),
    /// The person's move in UCI notation, and the number of moves before it.
    Move {
        mv: String,
        ply: usize,
    },
    TakeBack,
    Hint,
    Resign,
    OfferDraw,
    /// Analyse a position until another question ends it.
    Look(Look),
    Stop,
    Set(Settings),
    /// A request to the library or the coach.
    Library(Want),
}

/// The terms of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Match {
    /// Whether Zebu has White. By default, chance decides.
    pub zebu_is_white: Option<bool>,
    /// The rating of the level. By default, Zebu has full strength.
    pub elo: Option<u32>,
    /// Minutes and seconds for each move, "5+3".
    pub clock: Option<String>,
    /// Zebu's time for a move, in milliseconds, if there is no clock.
    pub move_time: Option<u64>,
    /// The FEN of the start, unless it is the usual one.
    pub start: Option<String>,
    /// The moves already made, in UCI notation.
    pub moves: Vec<String>,
}

/// A position, given by the moves that lead to it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// The page's number for the position, which the events repeat.
    pub number: u64,
    pub start: String,
    pub moves: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The number of lines of an analysis.
    pub lines: u32,
    pub threads: u32,
    /// In megabytes.
    pub hash: u32,
    /// At limited strength, Zebu takes about as long for a move as a person.
    pub takes_its_time: bool,
    /// The person's moves are judged during a game.
    pub judges: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { lines: 3, threads: 1, hash: 64, takes_its_time: true, judges: false }
    }
}

/// The answer to a question.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    Done,
    Said(String),
    /// What the library or the coach answers.
    Found(Value),
    Wrong(String),
}

impl Reply {
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// An event that the page gets without a question.
#[derive(Serialize)]
#[serde(tag = "tell", rename_all = "snake_case")]
pub enum Message<'a> {
    /// The first event of a tab.
    Hello {
        tab: u64,
        settings: &'a Settings,
        most_threads: u32,
        /// Ratings to choose from, and their names.
        levels: Vec<(u32, &'static str)>,
        /// The file of the library.
        kept_in: Option<&'a str>,
    },
    Settings {
        settings: &'a Settings,
    },
    Game(Box<ShownGame>),
    /// The analysis of the position that a tab looks at.
    Lines(Lines),
    /// A hint in words, and the move if the hint names it.
    Hint {
        ply: usize,
        mv: Option<String>,
        text: String,
    },
    /// The judgement of the person's move: its name with a sign, and the words.
    Judged {
        ply: usize,
        note: Note,
        name: String,
        words: String,
    },
    /// A message about something that happened.
    Say {
        text: String,
    },
    /// The state of the library and the coach.
    Library {
        state: &'a State,
    },
}

/// The current game.
#[derive(Serialize)]
pub struct ShownGame {
    pub game: GameData,
    /// The notes on the person's moves, by ply.
    pub notes: BTreeMap<usize, Value>,
    pub zebu_is_white: bool,
    /// Whether Zebu is to move.
    pub thinks: bool,
    /// The outcome of the game.
    pub over: Option<String>,
    /// The time left of White and Black in milliseconds, and whether the clock runs.
    pub left: Option<[u64; 2]>,
    pub runs: bool,
    /// The terms of the game, to start another one.
    pub terms: Match,
}

#[derive(Serialize)]
pub struct Lines {
    pub number: u64,
    pub depth: u32,
    pub nodes: u64,
    pub speed: u64,
    pub over: bool,
    pub lines: Vec<ShownLine>,
    /// The note on the move that led here.
    pub note: Option<Note>,
}

#[derive(Serialize)]
pub struct ShownLine {
    /// The score from White's point of view.
    pub score: String,
    pub win: f64,
    /// Each move in UCI notation and SAN.
    pub moves: String,
}
