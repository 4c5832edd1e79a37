//! What the page and its engine say to each other, in JSON. Nothing in it names a file.

use serde::{Deserialize, Serialize};

use crate::analysis::{GameData, Note, Seen};
#[cfg(all(feature = "coach", not(target_family = "wasm")))]
pub use crate::coach::Want;

/// What is wanted of a coach that is not there.
#[cfg(not(all(feature = "coach", not(target_family = "wasm"))))]
pub type Want = serde_json::Map<String, serde_json::Value>;

/// What the page asks. Each question is answered once; what follows from it comes as events.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum Ask {
    Play(Match),
    /// A move of the person, as UCI writes it, after so many moves of the game.
    Move {
        mv: String,
        ply: usize,
    },
    TakeBack,
    Hint,
    Resign,
    OfferDraw,
    /// A position to analyse until it is told to stop, or to look at another one.
    Look(Look),
    Stop,
    Set(Settings),
    /// A PGN, or a part of one behind so many games and lines: its games are added to the list.
    Add {
        pgn: String,
        #[serde(default)]
        games: usize,
        #[serde(default)]
        lines: usize,
    },
    /// Games by their numbers are to be analysed, so many milliseconds for each position.
    Review {
        games: Vec<usize>,
        time: u64,
    },
    StopReview,
    Delete {
        games: Vec<usize>,
    },
    /// What changed in the list after an edition.
    Items {
        after: u64,
    },
    /// All of a game, with its analysis.
    Game {
        number: usize,
    },
    /// Games as a page that stands alone.
    Page {
        games: Vec<usize>,
    },
    /// Something of the coach.
    Coach(Want),
}

/// A game to be played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Match {
    /// Whether Zebu has White; without it, chance decides.
    pub zebu_is_white: Option<bool>,
    /// Without a rating Zebu plays as well as it can.
    pub elo: Option<u32>,
    /// Minutes and seconds for each move, "5+3".
    pub clock: Option<String>,
    /// Zebu's time for a move, in milliseconds, if there is no clock.
    pub move_time: Option<u64>,
    /// A FEN, if it is not the start of a game.
    pub start: Option<String>,
    /// The moves that are made already, as UCI writes them.
    pub moves: Vec<String>,
}

/// A position, by the way that leads there.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// The page's number for it, which the events repeat.
    pub number: u64,
    pub start: String,
    pub moves: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Lines of an analysis.
    pub lines: u32,
    pub threads: u32,
    /// In megabytes.
    pub hash: u32,
    /// At limited strength Zebu takes about as long for a move as a person does.
    pub takes_its_time: bool,
    /// The person's moves are judged while a game is played.
    pub judges: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { lines: 3, threads: 1, hash: 64, takes_its_time: true, judges: false }
    }
}

/// What is answered: nothing, or what is wrong and where.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    Done,
    Said(String),
    /// JSON as it is.
    #[serde(skip)]
    Json(String),
    Wrong(String),
}

impl Answer {
    pub fn json(&self) -> String {
        match self {
            Answer::Json(text) => text.clone(),
            _ => serde_json::to_string(self).unwrap_or_default(),
        }
    }
}

/// What the page is told without having asked.
#[derive(Serialize)]
#[serde(tag = "tell", rename_all = "snake_case")]
pub enum Tell<'a> {
    /// The first event of a tab.
    Hello {
        tab: u64,
        settings: &'a Settings,
        most_threads: u32,
        /// Ratings to choose from, and what their players are called.
        levels: Vec<(u32, &'static str)>,
        /// Where games that are over are kept.
        kept_in: Option<&'a str>,
    },
    Settings {
        settings: &'a Settings,
    },
    Game(Box<ShownGame>),
    /// What is known of the position that a tab looks at.
    Lines(Lines),
    /// A hint in words, and the move once it is told.
    Hint {
        ply: usize,
        mv: Option<String>,
        text: String,
    },
    /// What the person's move was worth: its name with a sign, and what is to be said of it.
    Judged {
        ply: usize,
        note: Note,
        name: String,
        words: String,
    },
    /// Something to be said, as it happened.
    Say {
        text: String,
    },
    /// How far the review is: its share, the seconds that are left, what it found, and words; and the edition of
    /// the list of games.
    Review {
        runs: bool,
        done: f64,
        left: Option<u64>,
        edition: u64,
        seen: Vec<Seen>,
        text: String,
    },
    /// What the coach has.
    Coach {
        state: serde_json::Value,
    },
}

/// The game in hand.
#[derive(Serialize)]
pub struct ShownGame {
    pub game: GameData,
    pub zebu_is_white: bool,
    /// Whether Zebu is to move.
    pub thinks: bool,
    /// How it ended.
    pub over: Option<String>,
    /// What White and Black have left, in milliseconds, and whether the clock runs.
    pub left: Option<[u64; 2]>,
    pub runs: bool,
    /// What it began with, to begin another one.
    pub terms: Match,
    /// Its number in the list of games, where it is when it has ended.
    pub number: Option<usize>,
}

#[derive(Serialize)]
pub struct Lines {
    pub number: u64,
    pub depth: u32,
    pub nodes: u64,
    pub speed: u64,
    pub over: bool,
    pub lines: Vec<ShownLine>,
    /// What the move that led here was worth.
    pub note: Option<Note>,
}

#[derive(Serialize)]
pub struct ShownLine {
    /// White's.
    pub score: String,
    pub win: f64,
    /// Each move as UCI writes it and in standard notation.
    pub moves: String,
}
