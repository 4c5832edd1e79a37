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
    /// The lines to find for each position.
    multi_pv: usize,
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
    /// The lines after the best one.
    pub others: Vec<OtherLine>,
}

pub struct OtherLine {
    pub white_score: WhiteScore,
    pub pv: Vec<Move>,
}

/// Moves that give away less than this, in percent of the chance to win, are as good as the best.
const AS_GOOD: f64 = 3.0;

/// As many moves as can be as good.
const RIVALS: usize = 5;

impl<'a> Analyser<'a> {
    pub fn new(
        threads: usize,
        megabytes: usize,
        network: Arc<Network>,
        limits: Limits,
        multi_pv: usize,
        stop: &'a AtomicBool,
    ) -> Result<Analyser<'a>, EngineError> {
        Ok(Analyser { engine: Engine::new(threads, megabytes)?, network, limits, multi_pv, stop })
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
        let side = game.position().side();
        let mut lines = self.search(game, self.limits.clone(), self.multi_pv)?.into_iter();
        let mut line = lines.next()?;
        self.complete(game, &mut line);
        let other = |line: Line| OtherLine {
            white_score: WhiteScore::of(line.score, side),
            pv: line.moves,
        };
        Some(PositionAnalysis {
            score: line.score,
            white_score: WhiteScore::of(line.score, side),
            depth: line.depth,
            pv: line.moves,
            others: lines.map(other).collect(),
        })
    }

    /// The moves of the current position that are about as good as its best; none after a stop.
    pub fn good_moves(&mut self, game: &Game) -> Vec<Move> {
        let side = game.position().side();
        let lines = self.search(game, self.limits.clone(), RIVALS).unwrap_or_default();
        let chance = |line: &Line| WhiteScore::of(line.score, side).win_percent(side);
        let Some(best) = lines.first().map(chance) else { return Vec::new() };
        let good = lines.iter().filter(|line| chance(line) > best - AS_GOOD);
        good.filter_map(|line| line.moves.first().copied()).collect()
    }

    /// The lines of a search, the best first; `None` if a stop came first.
    fn search(&mut self, game: &Game, limits: Limits, multi_pv: usize) -> Option<Vec<Line>> {
        let evaluator = Evaluator::Network(Arc::clone(&self.network));
        let task = Task { evaluator, multi_pv, ..Task::in_game(game, limits) };
        let mut lines: Vec<Line> = Vec::new();
        self.engine.search(task, self.stop, |line| match lines.get_mut(line.pv_index - 1) {
            Some(old) => *old = line,
            None => lines.push(line),
        })?;
        Some(lines)
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
            let lines = self.search(&game, limits, 1).unwrap_or_default();
            let Some(next) = lines.into_iter().next() else { return };
            // The rest of a mate is a mate, or the short search did not see it.
            if ends_in_mate && !matches!(next.score, Score::Mate(_)) {
                return;
            }
            next.moves.iter().for_each(|&mv| game.play(mv));
            line.moves.extend(next.moves);
        }
    }
}
