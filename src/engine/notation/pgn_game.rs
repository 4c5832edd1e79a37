//! PGN games: their data, their faults, and writing them.

use std::fmt;
use std::io;

use crate::board::{Color, FenError, Move, Position, SanError};
use crate::system::text::shortened;

#[derive(Clone, Debug)]
pub struct PgnGame {
    /// The game's number in the file, from 1.
    pub number: usize,
    pub tags: Tags,
    pub start: Position,
    /// The comments before the first move.
    pub preface: Vec<String>,
    pub moves: Vec<PgnMove>,
    pub result: GameResult,
}

/// A move with its annotations.
#[derive(Clone, Debug)]
pub struct PgnMove {
    pub mv: Move,
    pub nags: Vec<u8>,
    pub comments: Vec<String>,
    /// The text between the parentheses. Its moves are not checked.
    pub variations: Vec<String>,
}

impl PgnMove {
    pub fn new(mv: Move) -> PgnMove {
        PgnMove { mv, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

impl PgnGame {
    /// A game without moves.
    pub fn new(number: usize, start: Position) -> PgnGame {
        PgnGame {
            number,
            tags: Tags::default(),
            start,
            preface: Vec::new(),
            moves: Vec::new(),
            result: GameResult::Unknown,
        }
    }

    /// The starting position and the position after each move.
    pub fn positions(&self) -> Vec<Position> {
        let mut positions = vec![self.start];
        let mut position = self.start;
        for played in &self.moves {
            position = position.after(played.mv);
            positions.push(position);
        }
        positions
    }
}

/// Names and values, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    pub fn push(&mut self, name: String, value: String) {
        self.0.push((name, value));
    }

    /// Replaces a value, or adds a tag.
    pub fn set(&mut self, name: &str, value: String) {
        match self.0.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value,
            None => self.push(name.to_string(), value),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|&(key, _)| key == name).map(|(_, value)| value)
    }

    /// The player's name, or the color if there is none.
    pub fn player(&self, color: Color) -> &str {
        let name = if color == Color::White { "White" } else { "Black" };
        self.get(name).filter(|name| !matches!(*name, "" | "?")).unwrap_or(name)
    }

    pub fn players(&self) -> String {
        format!("{} - {}", self.player(Color::White), self.player(Color::Black))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    Won(Color),
    Drawn,
    Unknown,
}

impl GameResult {
    pub fn parse(word: &str) -> Option<GameResult> {
        match word.replace(['–', '—'], "-").as_str() {
            "1-0" => Some(GameResult::Won(Color::White)),
            "0-1" => Some(GameResult::Won(Color::Black)),
            "1/2-1/2" | "1/2" | "½-½" | "½" => Some(GameResult::Drawn),
            "*" => Some(GameResult::Unknown),
            _ => None,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            GameResult::Won(Color::White) => "1-0",
            GameResult::Won(Color::Black) => "0-1",
            GameResult::Drawn => "1/2-1/2",
            GameResult::Unknown => "*",
        })
    }
}

/// A fault in a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnFault {
    #[error("'{}' is not a tag", shortened(.0))]
    Tag(String),
    #[error("'{0}' closes nothing")]
    ClosesNothing(char),
    /// The number of lines after its own that it swallowed.
    #[error("'{{' is never closed{}", lost(*.0))]
    OpenComment(usize),
    #[error("'(' is never closed{}", lost(*.0))]
    OpenVariation(usize),
    #[error("a {0} of more than a megabyte")]
    TooLong(&'static str),
    #[error("'(' stands before the first move")]
    EarlyVariation,
    #[error("variant '{}' is not chess", shortened(.0))]
    Variant(String),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("'{}', move {number} of {color}: {error}", shortened(.word))]
    Move { word: String, number: u16, color: Color, error: SanError },
}

/// Describes the lines that an unclosed token swallowed.
fn lost(lines: usize) -> String {
    match lines {
        0 => String::new(),
        1 => ": 1 more line is lost in it".to_string(),
        _ => format!(": {lines} more lines are lost in it"),
    }
}

#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    #[error("game {number} ({}), line {line}: {fault}", shortened(.players))]
    Game {
        number: usize,
        players: String,
        line: usize,
        fault: PgnFault,
        /// The game up to the fault, if it has moves.
        beginning: Option<Box<PgnGame>>,
    },
    #[error("it cannot be read further: {0}")]
    Io(#[from] io::Error),
}

impl PgnError {
    /// The readable part of the game.
    pub fn beginning(&self) -> Option<PgnGame> {
        match self {
            PgnError::Game { beginning: Some(game), .. } => Some((**game).clone()),
            _ => None,
        }
    }
}

/// The line width, which only longer tokens exceed.
const WIDTH: usize = 80;

/// The seven tag roster.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Writes a game with its annotations and an empty line at the end.
pub fn to_pgn(game: &PgnGame) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text += &format!("[{name} \"{value}\"]\n");
    };
    for name in ROSTER {
        match name {
            "Result" => tag(name, &game.result.to_string()),
            "Date" => tag(name, game.tags.get(name).unwrap_or("????.??.??")),
            _ => tag(name, game.tags.get(name).unwrap_or("?")),
        }
    }
    for (name, value) in game.tags.iter().filter(|(name, _)| !ROSTER.contains(name)) {
        tag(name, value);
    }
    text + "\n" + &wrapped(&movetext(game)) + "\n\n"
}

/// The tokens, between which a line may be broken.
fn movetext(game: &PgnGame) -> Vec<String> {
    let comment = |text: &String| format!("{{ {text} }}");
    let mut words: Vec<String> = game.preface.iter().map(comment).collect();
    let mut needs_number = true;
    for (played, position) in game.moves.iter().zip(game.positions()) {
        if needs_number || position.side() == Color::White {
            words.push(position.san_number());
        }
        words.push(position.san(played.mv));
        words.extend(played.nags.iter().map(|nag| format!("${nag}")));
        words.extend(played.comments.iter().map(comment));
        words.extend(played.variations.iter().map(|text| format!("({text})")));
        needs_number = !played.comments.is_empty() || !played.variations.is_empty();
    }
    words.push(game.result.to_string());
    words
}

fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        let length = word.chars().count();
        if column > 0 {
            let fits = column + 1 + length <= WIDTH;
            text.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        text += word;
        column += length;
    }
    text
}
