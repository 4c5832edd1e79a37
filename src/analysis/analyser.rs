//! Searches of single positions, one after the other, until a stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::white_score::WhiteScore;
use crate::board::{Game, Move};
use crate::eval::{Evaluator, Network};
use crate::search::{Engine, EngineError, Limits, Line, Score, Task};

pub struct Analyser<'a> {
    engine: Engine,
    network: Arc<Network>,
    limits: Limits,
    stop: &'a AtomicBool,
}

/// The result of a search.
pub struct PositionAnalysis {
    /// For the side to move.
    pub score: Score,
    pub white_score: WhiteScore,
    pub depth: u32,
    /// Empty only if there is no legal move.
    pub pv: Vec<Move>,
}

impl<'a> Analyser<'a> {
    pub fn new(
        threads: usize,
        megabytes: usize,
        network: Arc<Network>,
        limits: Limits,
        stop: &'a AtomicBool,
    ) -> Result<Analyser<'a>, EngineError> {
        Ok(Analyser { engine: Engine::new(threads, megabytes)?, network, limits, stop })
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Clears the hash table and the histories: the analysis of a game depends on that game alone.
    pub fn clear(&mut self) {
        self.engine.clear();
    }

    /// Analyses the current position of a game; `None` if a stop came first.
    pub fn analyse(&mut self, game: &Game) -> Option<PositionAnalysis> {
        let position = *game.position();
        let key_history = game.repeatable_keys().collect();
        let evaluator = Evaluator::Network(Arc::clone(&self.network));
        let task = Task { key_history, evaluator, ..Task::new(position, self.limits.clone()) };
        let mut last: Option<Line> = None;
        self.engine.search(task, self.stop, |line| last = Some(line))?;
        let mut line = last?;
        self.complete(game, &mut line);
        Some(PositionAnalysis {
            score: line.score,
            white_score: WhiteScore::of(line.score, position.side()),
            depth: line.depth,
            pv: line.moves,
        })
    }

    /// Lengthens a line that the transposition table cut off: short searches find what it forgot.
    fn complete(&mut self, game: &Game, line: &mut Line) {
        const WANTED: usize = 8;
        const NODES: u64 = 2000;
        let ends_in_mate = matches!(line.score, Score::Mate(_));
        let mut game = game.clone();
        line.moves.iter().for_each(|&mv| game.play(mv));
        while line.moves.len() < WANTED && game.ending().is_none() {
            let limits = Limits { nodes: Some(NODES), ..Limits::default() };
            let key_history = game.repeatable_keys().collect();
            let evaluator = Evaluator::Network(Arc::clone(&self.network));
            let task = Task { key_history, evaluator, ..Task::new(*game.position(), limits) };
            let mut next: Option<Line> = None;
            let done = self.engine.search(task, self.stop, |line| next = Some(line));
            let Some(next) = done.and(next) else { return };
            // The rest of a mate is a mate, or the short search did not see it.
            if ends_in_mate && !matches!(next.score, Score::Mate(_)) {
                return;
            }
            next.moves.iter().for_each(|&mv| game.play(mv));
            line.moves.extend(next.moves);
        }
    }
}
