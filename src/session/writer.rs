//! What a session says, whoever reads it.

use super::options::Options;
use crate::board::{Game, Move, Position};
use crate::eval::Network;
use crate::search::{Line, SearchResult};
use crate::tablebase::Tablebase;

/// What answers are about.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub game: &'a Game,
    pub options: &'a Options,
    pub tablebase: Option<&'a Tablebase>,
}

impl Context<'_> {
    pub fn position(&self) -> &Position {
        self.game.position()
    }
}

/// How things are said: by UCI, or for people. An empty text is not printed.
pub trait Writer {
    fn search_begins(&self) -> String {
        String::new()
    }

    fn line(&self, line: &Line, context: Context) -> String;

    /// The root move that is being searched.
    fn current(&self, _depth: u32, _mv: Move, _number: usize, _: Context) -> String {
        String::new()
    }

    /// What a search has found; `None` if there was none.
    fn result(&self, result: Option<&SearchResult>, context: Context) -> String;

    /// The answer to `d`.
    fn display(&self, context: Context) -> String;

    /// The answer to `eval`.
    fn evaluation(&self, network: &Network, position: &Position) -> String;

    fn note(&self, text: &str) -> String;
    fn error(&self, text: &str) -> String;
}
