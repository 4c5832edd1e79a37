//! Searches of single positions, one after the other, until a stop.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::white_score::WhiteScore;
use engine::board::{Color, Game, Move};
use engine::eval::{Evaluator, Network};
use engine::search::{Engine, EngineError, Limits, Line, MAX_DEPTH, Score, Task};

/// How thoroughly to search a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Look {
    First,
    /// A longer search of a possible mistake, from an empty table and with a node limit, so that the result
    /// depends neither on earlier analysis nor on the machine.
    Closer,
    /// A still longer one of a position beside a move that is judged, by which a mark is given.
    Verdict,
}

pub struct Analyser<'a> {
    engine: Engine,
    network: Arc<Network>,
    limits: Limits,
    /// The number of lines per position.
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
    /// The second best line and those after it.
    pub others: Vec<OtherLine>,
    /// The best move, and those known to be about as good.
    pub good_moves: Vec<Move>,
}

#[derive(Clone)]
pub struct OtherLine {
    pub white_score: WhiteScore,
    pub pv: Vec<Move>,
}

/// A move that loses less winning chance than this, in percent, is as good as the best.
const AS_GOOD: f64 = 3.0;

/// The least error of a search about a move that matters, in percent of winning chance. A search may be as
/// wrong about the other moves by less.
pub const ERROR: f64 = 10.0;

impl PositionAnalysis {
    /// The analysis of a position by its lines, best first.
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

    /// By how much the position after a move contradicts this analysis: how much better than the best move it
    /// is, or if it is the best move, how much better or worse than expected.
    pub fn error(&self, played: Move, after: &PositionAnalysis, side: Color) -> f64 {
        let win_percent = |found: &PositionAnalysis| found.white_score.win_percent(side);
        let gain = win_percent(after) - win_percent(self);
        if self.pv.first() == Some(&played) { gain } else { gain.max(0.0) }
    }

    /// Corrects a move's score and line by the analysis of the position after it, and sorts the lines again.
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

    /// Drops the lines beyond a number, after noting all moves that are about as good as the best.
    pub fn keep(&mut self, others: usize, side: Color) {
        let chance = |score: WhiteScore| score.win_percent(side);
        let least = chance(self.white_score) - AS_GOOD;
        let good = self.others.iter().filter(|other| chance(other.white_score) > least);
        let pvs = [&self.pv].into_iter().chain(good.map(|other| &other.pv));
        self.good_moves = pvs.filter_map(|pv| pv.first().copied()).collect();
        self.others.truncate(others);
    }
}

/// The most moves that are kept as equally good.
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

    /// Clears the transposition table and the histories, so that results do not depend on earlier searches.
    pub fn clear(&mut self) {
        self.engine.clear();
    }

    /// Analyses the current position of a game. `None`: it was stopped.
    pub fn analyse(&mut self, game: &Game, look: Look) -> Option<PositionAnalysis> {
        let (limits, multi_pv) = match look {
            Look::First => (self.limits.clone(), self.multi_pv),
            Look::Closer => (closer(&self.limits), self.multi_pv.max(RIVALS)),
            Look::Verdict => (verdict(&self.limits), self.multi_pv.max(RIVALS)),
        };
        let mut lines = self.search(game, limits, multi_pv)?;
        // The second best may overtake the best when both are known better.
        lines.iter_mut().take(2).for_each(|line| self.complete(game, line));
        PositionAnalysis::of(lines, game.position().side())
    }

    /// Searches, and returns the lines, best first. `None`: it was stopped.
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

    /// Extends a line that a transposition table cutoff shortened, by short searches.
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
            // The rest of a mating line must be a mate; otherwise the short search missed it.
            if ends_in_mate && !matches!(next.score, Score::Mate(_)) {
                return;
            }
            next.moves.iter().for_each(|&mv| game.play(mv));
            line.moves.extend(next.moves);
        }
    }
}

/// The limits of a closer look: nodes instead of time.
fn closer(limits: &Limits) -> Limits {
    /// Roughly the speed of a current processor.
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

/// Nodes that need no longer search, and how much longer one for a verdict is.
const ENOUGH: u64 = 1_000_000;
const FOR_A_VERDICT: u64 = 4;

/// Whether a verdict takes a longer search than a closer look.
pub fn is_verified(limits: &Limits) -> bool {
    closer(limits).nodes.is_some_and(|nodes| nodes < ENOUGH)
}

fn verdict(limits: &Limits) -> Limits {
    let closer = closer(limits);
    let longer = |nodes: u64| nodes.saturating_mul(FOR_A_VERDICT).min(ENOUGH).max(nodes);
    Limits { nodes: closer.nodes.map(longer), ..closer }
}
