//! Plays self-play games.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use zebu::board::{self, Position};
use zebu::eval::Evaluator;
use zebu::search::{Limits, SingleThread, Task, ThreadResult};

use crate::adjudicator::{Adjudicator, outcome_of};
use crate::games::{GameRecord, ScoredPly};

/// Hard node limit, in soft limits.
const HARD_LIMIT: u64 = 8;

/// Openings are searched with this many soft limits, and refused beyond this score.
const OPENING_LIMIT: u64 = 10;
const OPENING_SCORE: i32 = 300;

/// One thread's player, both sides at once.
pub struct Player {
    search: SingleThread,
    evaluator: Evaluator,
    /// See [`Task::scale_eval`].
    scale_eval: bool,
    nodes: u64,
    /// Nodes of all searches so far.
    pub searched: u64,
}

impl Player {
    pub fn new(search: SingleThread, evaluator: Evaluator, scale_eval: bool, nodes: u64) -> Player {
        Player { search, evaluator, scale_eval, nodes, searched: 0 }
    }

    /// Forgets earlier games: table and histories.
    pub fn clear(&mut self) {
        self.search.clear();
    }

    /// Whether a deeper search finds neither side far ahead.
    pub fn is_balanced(&mut self, start: Position) -> bool {
        let game = board::Game::new(start);
        self.search_with(&game, OPENING_LIMIT * self.nodes)
            .is_some_and(|found| found.score.abs() <= OPENING_SCORE)
    }

    /// A game to the end, unless `stop` is set meanwhile. `win_score` adjudicates a win.
    pub fn play(
        &mut self,
        start: Position,
        win_score: i32,
        stop: &AtomicBool,
    ) -> Option<GameRecord> {
        let mut game = board::Game::new(start);
        let mut plies = Vec::new();
        let mut adjudicator = Adjudicator::new(win_score);
        let outcome = loop {
            if let Some(ending) = game.ending() {
                break outcome_of(ending);
            }
            let found = self.search(&game).filter(|_| !stop.load(Relaxed))?;
            let mv = *found.line.moves.first()?;
            plies.push(ScoredPly { mv, score: found.score as i16 });
            let side = game.position().side();
            if let Some(outcome) = adjudicator.after(plies.len(), side, found.score) {
                break outcome;
            }
            game.play(mv);
        };
        Some(GameRecord { start, outcome, plies })
    }

    pub fn search(&mut self, game: &board::Game) -> Option<ThreadResult> {
        self.search_with(game, self.nodes)
    }

    fn search_with(&mut self, game: &board::Game, nodes: u64) -> Option<ThreadResult> {
        let limits = Limits {
            soft_nodes: Some(nodes),
            nodes: Some(HARD_LIMIT * nodes),
            ..Limits::default()
        };
        let key_history = game.repeatable_keys().collect();
        let evaluator = self.evaluator.clone();
        let task = Task {
            key_history,
            evaluator,
            scale_eval: self.scale_eval,
            ..Task::new(*game.position(), limits)
        };
        let found = self.search.search(task)?;
        self.searched += found.line.nodes;
        Some(found)
    }
}
