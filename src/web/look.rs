//! The lines of the position that a tab analyses, sent a few times a second.

use std::time::Duration;

use super::messages::{Lines, ShownLine};
use crate::analysis::{Note, WhiteScore, moves_text};
use engine::board::{Color, Game};
use engine::search::{Bound, Line};
use engine::system::time::Instant;

/// The least time between two updates.
const BETWEEN: Duration = Duration::from_millis(100);

/// The length of a shown line, in moves.
const SHOWN_MOVES: usize = 12;

pub struct Look {
    pub tab: u64,
    /// The page's number for the position.
    pub number: u64,
    pub game: Game,
    lines: Vec<Line>,
    is_over: bool,
    /// When to send the lines, if they have changed.
    pub tells_at: Option<Instant>,
    told: Option<Instant>,
}

impl Look {
    pub fn new(tab: u64, number: u64, game: Game) -> Look {
        let lines = Vec::new();
        Look { tab, number, game, lines, is_over: false, tells_at: None, told: None }
    }

    pub fn heard(&mut self, line: Line, now: Instant) {
        if line.bound != Bound::Exact {
            return;
        }
        match self.lines.get_mut(line.pv_index - 1) {
            Some(old) => *old = line,
            None => self.lines.push(line),
        }
        let next = self.told.map_or(now, |told| told + BETWEEN);
        self.tells_at.get_or_insert(next);
    }

    /// The search is over.
    pub fn end(&mut self, now: Instant) {
        self.is_over = true;
        self.tells_at = Some(now);
    }

    /// Whether it is time to send the lines.
    pub fn is_due(&mut self, now: Instant) -> bool {
        let is_due = self.tells_at.take_if(|at| *at <= now).is_some();
        if is_due {
            self.told = Some(now);
        }
        is_due
    }

    /// The lines, and the note on the move that led here.
    pub fn lines(&self, note: Option<Note>) -> Lines {
        let position = self.game.position();
        let shown = |line: &Line| {
            let score = WhiteScore::of(line.score, position.side());
            ShownLine {
                score: score.to_string(),
                win: score.win_percent(Color::White),
                moves: moves_text(position, line.moves.iter().take(SHOWN_MOVES)),
            }
        };
        let last = self.lines.iter().max_by_key(|line| line.nodes);
        Lines {
            number: self.number,
            depth: self.lines.first().map_or(0, |line| line.depth),
            nodes: last.map_or(0, |line| line.nodes),
            speed: last.map_or(0, Line::nodes_per_second),
            over: self.is_over,
            lines: self.lines.iter().map(shown).collect(),
            note,
        }
    }
}
