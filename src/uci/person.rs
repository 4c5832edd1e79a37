//! A person at a terminal, and their game against Zebu.

use std::time::Duration;

use super::command::{DEFAULT_MOVE_TIME, TERMINAL_WORDS};
use crate::board::{Color, Game, Position};

/// The state of a game with a person.
pub struct Person {
    /// Zebu replies to moves; otherwise it looks on.
    pub plays: bool,
    pub side: Color,
    pub resigned: Option<Color>,
    /// How long Zebu thinks about a move.
    pub move_time: Duration,
    /// Leaving a game that is not saved was asked for.
    pub leaves: bool,
}

impl Person {
    pub fn new() -> Person {
        Person {
            plays: true,
            side: Color::White,
            resigned: None,
            move_time: DEFAULT_MOVE_TIME,
            leaves: false,
        }
    }

    /// Whatever is asked for, it is not to leave.
    pub fn stays(&mut self) {
        self.leaves = false;
    }
}

/// The words that Tab completes: commands and legal moves.
pub fn words(game: &Game) -> Vec<String> {
    TERMINAL_WORDS.iter().map(|word| word.to_string()).chain(legal_moves(game.position())).collect()
}

pub fn legal_moves(position: &Position) -> Vec<String> {
    position.legal_moves().iter().map(|&mv| position.san(mv)).collect()
}
