//! Searches of single positions, one after the other, until a stop.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::white_score::WhiteScore;
use crate::board::{Color, Game, Move};
use crate::eval::{Evaluator, Network};
use crate::search::{Engine, EngineError, Limits, Line, MAX_DEPTH, Score, Task};

/// How a position is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Look {
    First,
    /// For longer and by itself, at moves that may be bad: the result does not depend on what was analysed
    /// before, nor on how fast the machine is.
    Closer,
}

pub struct Analyser<'a> {
    engine: Engine,
    network: Arc<Network>,
    limits: Limits,
    /// The lines to find for each position.
    multi_pv: usize,
    stop: &'a AtomicBool,
}

/// The result of a search.
#[derive(Clone)]
pub struct PositionAnalysis {
    pub white_score: WhiteScore,
    pub depth: u32,
    /// Empty only if there is no legal move.
    pub pv: Vec<Move>,
    /// The lines after the best one.
    pub others: Vec<OtherLine>,
    /// The moves that are known to be about as good as the best one, with it.
    pub good_moves: Vec<Move>,
}

#[derive(Clone)]
pub struct OtherLine {
    pub white_score: WhiteScore,
    pub pv: Vec<Move>,
}

/// Moves that give away less than this, in percent of the chance to win, are as good as the best.
const AS_GOOD: f64 = 3.0;

/// An error of a search about a move, in percent of the chance to win, that counts: with a smaller one, it
/// may be as wrong about other moves.
pub const ERROR: f64 = 10.0;

impl PositionAnalysis {
    /// Of a position by lines, the best first.
    pub fn of(lines: impl IntoIterator<Item = Line>, side: Color) -> Option<PositionAnalysis> {
        let mut lines = lines.into_iter();
        let best = lines.next()?;
        let other = |line: Line| OtherLine {
            white_score: WhiteScore::of(line.score, side),
            pv: line.moves,
        };
        Some(PositionAnalysis {
            white_score: WhiteScore::of(best.score, side),
            depth: best.depth,
            pv: best.moves,
            others: lines.map(other).collect(),
            good_moves: Vec::new(),
        })
    }

    /// How much better than the best move a move is by the position after it, or if it is the best move,
    /// how much better or worse than it seemed.
    pub fn error(&self, played: Move, after: &PositionAnalysis, side: Color) -> f64 {
        let win_percent = |found: &PositionAnalysis| found.white_score.win_percent(side);
        let gain = win_percent(after) - win_percent(self);
        if self.pv.first() == Some(&played) { gain } else { gain.max(0.0) }
    }

    /// If the search was wrong about a move, what is known after it counts, and the line that is best then
    /// comes first.
    pub fn back_up(&mut self, played: Move, after: &PositionAnalysis, side: Color) {
        let error = self.error(played, after, side);
        if error.abs() < ERROR || error < 0.0 && self.others.is_empty() {
            return;
        }
        let line = |white_score, pv| OtherLine { white_score, pv };
        let found = line(self.white_score, mem::take(&mut self.pv));
        let pv = [&[played], &after.pv[..]].concat();
        self.others.insert(0, found);
        self.others.retain(|line| line.pv.first() != Some(&played));
        self.others.insert(0, line(after.white_score.before(side), pv));
        let chance = |line: &OtherLine| line.white_score.win_percent(side);
        self.others.sort_by(|one, other| chance(other).total_cmp(&chance(one)));
        let best = self.others.remove(0);
        (self.white_score, self.pv) = (best.white_score, best.pv);
    }

    /// Keeps so many of the other lines, and of all of them the moves that are about as good as the best.
    pub fn keep(&mut self, others: usize, side: Color) {
        let chance = |score: WhiteScore| score.win_percent(side);
        let least = chance(self.white_score) - AS_GOOD;
        let good = self.others.iter().filter(|other| chance(other.white_score) > least);
        let pvs = [&self.pv].into_iter().chain(good.map(|other| &other.pv));
        self.good_moves = pvs.filter_map(|pv| pv.first().copied()).collect();
        self.others.truncate(others);
    }
}

/// As many moves as can be as good.
const RIVALS: usize = 5;

impl<'a> Analyser<'a> {
    pub fn new(
        megabytes: usize,
        network: Arc<Network>,
        limits: Limits,
        multi_pv: usize,
        stop: &'a AtomicBool,
    ) -> Result<Analyser<'a>, EngineError> {
        Ok(Analyser { engine: Engine::new(1, megabytes)?, network, limits, multi_pv, stop })
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Clears the hash table and the histories: what follows does not depend on what was.
    pub fn clear(&mut self) {
        self.engine.clear();
    }

    /// Analyses the current position of a game; `None` if a stop came first.
    pub fn analyse(&mut self, game: &Game, look: Look) -> Option<PositionAnalysis> {
        let (limits, multi_pv) = match look {
            Look::First => (self.limits.clone(), self.multi_pv),
            Look::Closer => (closer(&self.limits), self.multi_pv.max(RIVALS)),
        };
        let mut lines = self.search(game, limits, multi_pv)?;
        // The second may come first once more is known.
        lines.iter_mut().take(2).for_each(|line| self.complete(game, line));
        PositionAnalysis::of(lines, game.position().side())
    }

    /// The lines of a search, the best first; `None` if a stop came first.
    fn search(&mut self, game: &Game, limits: Limits, multi_pv: usize) -> Option<Vec<Line>> {
        if self.is_stopped() {
            return None;
        }
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

/// The limits of a closer look, which are none of time.
fn closer(limits: &Limits) -> Limits {
    /// About what a processor of today does.
    const NODES_PER_MILLISECOND: u64 = 1000;
    const LONGER: u64 = 2;
    const DEEPER: u32 = 2;
    let time = limits.move_time.map(|time| time.as_millis() as u64);
    let of_time = time.map(|time| time.saturating_mul(NODES_PER_MILLISECOND));
    let nodes = limits.nodes.into_iter().chain(of_time).min();
    Limits {
        nodes: nodes.map(|nodes| nodes.saturating_mul(LONGER)),
        depth: limits.depth.map(|depth| (depth + DEEPER).min(MAX_DEPTH)),
        ..Limits::default()
    }
}
