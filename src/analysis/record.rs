//! A game as it was written down, and what can be wrong with it.

use std::fmt;
use std::io;

use crate::board::{Color, FenError, Game, Move, Position, SanError};

/// A game of a PGN file.
#[derive(Clone)]
pub struct Record {
    /// Its number in the file, counted from 1.
    pub number: usize,
    pub tags: Vec<(String, String)>,
    pub start: Position,
    /// What was said before the first move.
    pub preface: Vec<String>,
    pub plies: Vec<Ply>,
    pub result: GameResult,
}

/// A move of the game and what was written about it.
#[derive(Clone)]
pub struct Ply {
    pub mv: Move,
    pub nags: Vec<u8>,
    pub comments: Vec<String>,
    /// As they stood between the parentheses. Nobody has checked their moves.
    pub variations: Vec<String>,
}

impl Ply {
    pub fn new(mv: Move) -> Ply {
        Ply { mv, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

impl Record {
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag(&self.tags, name)
    }

    /// The game so far, then after each move.
    pub fn positions(&self) -> Vec<Position> {
        let mut positions = vec![self.start];
        let mut position = self.start;
        for ply in &self.plies {
            position = position.after(ply.mv);
            positions.push(position);
        }
        positions
    }

    /// The game after so many moves.
    pub fn game(&self, moves: usize) -> Game {
        let mut game = Game::new(self.start);
        self.plies.iter().take(moves).for_each(|ply| game.play(ply.mv));
        game
    }

    pub fn player(&self, color: Color) -> &str {
        player(&self.tags, color)
    }

    pub fn players(&self) -> String {
        players(&self.tags)
    }
}

pub fn tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

fn player(tags: &[(String, String)], color: Color) -> &str {
    let name = if color == Color::White { "White" } else { "Black" };
    tag(tags, name).filter(|name| !matches!(*name, "" | "?")).unwrap_or(name)
}

pub fn players(tags: &[(String, String)]) -> String {
    format!("{} - {}", player(tags, Color::White), player(tags, Color::Black))
}

/// How a game ended, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    Won(Color),
    Drawn,
    Unknown,
}

impl GameResult {
    pub fn read(word: &str) -> Option<GameResult> {
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

/// What is wrong in a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("'{}' is not a tag", shortened(.0))]
    Tag(String),
    #[error("'{}' is not a token of PGN", shortened(.0))]
    Unreadable(String),
    #[error("'{0}' closes nothing")]
    ClosesNothing(char),
    #[error("'{{' is never closed")]
    OpenComment,
    #[error("'(' is never closed")]
    OpenVariation,
    #[error("'(' stands before the first move")]
    EarlyVariation,
    #[error("variant '{}' is not chess", shortened(.0))]
    Variant(String),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("'{}', move {number} of {color}: {problem}", shortened(.word))]
    Move { word: String, number: u16, color: Color, problem: SanError },
}

/// Why a game could not be read.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    #[error("game {number} ({}), line {line}: {fault}", shortened(.players))]
    Game { number: usize, players: String, line: usize, fault: Fault },
    #[error("it cannot be read further: {0}")]
    Unreadable(#[from] io::Error),
}

/// The beginning of a text from outside, for a message of one line.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    let start: String = text.chars().take(LONGEST).collect();
    let more = if start.len() < text.len() { "…" } else { "" };
    format!("{}{more}", start.escape_debug())
}
