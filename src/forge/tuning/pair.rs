//! Pairs of games between two sides: the same opening with colors swapped.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use engine::board::{Color, Game, Position};
use engine::eval::Evaluator;
use engine::notation::{EpdError, epd_positions};
use engine::search::{
    EngineError, Limits, Overhead, SingleThread, Task, ThreadResult, Time, Tunables,
};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Deserialize;

use crate::common::FileError;
use crate::games::GameOutcome;
use crate::play::game::{Adjudicator, play_game};
use engine::opening::{is_balanced, random_opening, random_stream};

/// Random openings are searched with this many nodes, and refused beyond this score.
const OPENING_NODES: u64 = 10_000;
const MAX_SCORE: i32 = 150;

/// The reserve that a side keeps on its clock for each move.
const OVERHEAD: Overhead = Overhead { next: Duration::from_millis(10), each: Duration::ZERO };

/// The source of starting positions: a book, or random moves.
pub enum Openings {
    Random { seed: u64 },
    Book(Vec<Position>),
}

#[derive(Debug, thiserror::Error)]
pub enum BookError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{}:{line}: {error}", .path.display())]
    Line { path: PathBuf, line: usize, error: EpdError },
    #[error("{} has no positions", .0.display())]
    Empty(PathBuf),
}

impl Openings {
    /// Random openings, or those of an EPD file in an order given by the seed.
    pub fn new(book: Option<&Path>, seed: u64) -> Result<Openings, BookError> {
        let Some(path) = book else { return Ok(Openings::Random { seed }) };
        let text = fs::read_to_string(path).map_err(FileError::on(path))?;
        let mut positions = epd_positions(&text).map_err(|(line, error)| BookError::Line {
            path: path.to_owned(),
            line,
            error,
        })?;
        positions.retain(|position| position.ending().is_none());
        if positions.is_empty() {
            return Err(BookError::Empty(path.to_owned()));
        }
        positions.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        Ok(Openings::Book(positions))
    }

    /// The opening with this number, always the same one. A random one is balanced by a search with the
    /// defaults.
    pub fn opening(&self, number: u64, search: &mut SingleThread) -> Position {
        match self {
            Openings::Book(positions) => positions[(number % positions.len() as u64) as usize],
            Openings::Random { seed } => {
                let mut random = random_stream(*seed, number);
                loop {
                    let opening = random_opening(&mut random, 0.0);
                    if is_balanced(opening, OPENING_NODES, MAX_SCORE, Evaluator::default(), search)
                    {
                        return opening;
                    }
                }
            }
        }
    }
}

#[derive(Clone)]
pub struct Side {
    pub tunables: Tunables,
    pub limit: Limit,
    pub evaluator: Evaluator,
}

/// The limit of a side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// For each search.
    Nodes(u64),
    Clock(TimeControl),
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct TimeControl {
    base: Duration,
    increment: Duration,
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeControl, String> {
        let seconds = |text: &str| Duration::try_from_secs_f64(text.parse().ok()?).ok();
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        match (seconds(base), seconds(increment)) {
            (Some(base), Some(increment)) if !base.is_zero() => Ok(TimeControl { base, increment }),
            _ => Err("seconds and an increment are needed, like 2+0.02".to_string()),
        }
    }
}

/// For files.
impl TryFrom<String> for TimeControl {
    type Error = String;

    fn try_from(text: String) -> Result<TimeControl, String> {
        text.parse()
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Limit::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Limit::Clock(TimeControl { base, increment }) => {
                write!(f, "{}+{} s", base.as_secs_f64(), increment.as_secs_f64())
            }
        }
    }
}

/// The first side's results as White and as Black: 0 lost, 1 drawn, 2 won.
pub type PairResult = [u8; 2];

/// One thread's searches, one for each side.
pub struct PairPlayer {
    searches: [SingleThread; 2],
    /// The score of both sides from which a win is adjudicated.
    win_score: Option<i32>,
    /// Nodes of all searches so far.
    pub nodes: u64,
    /// Games lost on time so far.
    pub forfeits: u64,
}

impl PairPlayer {
    /// A win is adjudicated from this score on; 0 means never.
    pub fn new(megabytes: usize, win_score: i32) -> Result<PairPlayer, EngineError> {
        let searches = [SingleThread::new(megabytes)?, SingleThread::new(megabytes)?];
        let win_score = (win_score > 0).then_some(win_score);
        Ok(PairPlayer { searches, win_score, nodes: 0, forfeits: 0 })
    }

    /// A search for choosing the opening. It is cleared before a game.
    pub fn search(&mut self) -> &mut SingleThread {
        &mut self.searches[0]
    }

    /// Plays both games and returns their results, unless `stop` is set.
    pub fn play(
        &mut self,
        sides: &[Side; 2],
        start: Position,
        stop: &AtomicBool,
    ) -> Option<PairResult> {
        let mut result = [0; 2];
        for (points, first) in result.iter_mut().zip(Color::BOTH) {
            *points = self.game(sides, first, start, stop)?.half_points(first);
        }
        Some(result)
    }

    /// A game in which the first side has this color.
    fn game(
        &mut self,
        sides: &[Side; 2],
        first: Color,
        start: Position,
        stop: &AtomicBool,
    ) -> Option<GameOutcome> {
        self.searches.iter_mut().for_each(SingleThread::clear);
        let adjudicator = self.win_score.map(Adjudicator::new);
        let mut lost_on_time = None;
        let mut clocks = [0, 1].map(|i| match sides[i].limit {
            Limit::Clock(control) => Some(control.base),
            Limit::Nodes(_) => None,
        });
        let game = play_game(start, adjudicator, |game| {
            let color = game.position().side();
            let mover = usize::from(color != first);
            let begin = Instant::now();
            let found = self.find_move(mover, &sides[mover], clocks[mover], game)?;
            if stop.load(Relaxed) {
                return None;
            }
            self.nodes += found.line.nodes;
            if let (Limit::Clock(control), Some(left)) = (sides[mover].limit, &mut clocks[mover]) {
                match left.checked_sub(begin.elapsed()) {
                    Some(rest) => *left = rest + control.increment,
                    None => {
                        self.forfeits += 1;
                        lost_on_time = Some(GameOutcome::win(!color));
                        return None;
                    }
                }
            }
            Some(found)
        });
        lost_on_time.or(game.map(|game| game.outcome))
    }

    fn find_move(
        &mut self,
        mover: usize,
        side: &Side,
        clock: Option<Duration>,
        game: &Game,
    ) -> Option<ThreadResult> {
        let &Side { tunables, limit, ref evaluator } = side;
        let limits = match (limit, clock) {
            (Limit::Clock(TimeControl { increment, .. }), Some(left)) => {
                let time = Some(Time { left, increment, moves_to_go: None });
                Limits { time, ..Limits::default() }
            }
            (Limit::Nodes(nodes), _) => Limits { nodes: Some(nodes), ..Limits::default() },
            (Limit::Clock(_), None) => return None,
        };
        let evaluator = evaluator.clone();
        let task = Task { evaluator, tunables, overhead: OVERHEAD, ..Task::in_game(game, limits) };
        self.searches[mover].search(task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls() {
        let limit = |text: &str| text.parse().map(|control| Limit::Clock(control).to_string());
        assert_eq!(limit("2+0.02").unwrap(), "2+0.02 s");
        assert_eq!(limit("60").unwrap(), "60+0 s");
        for wrong in ["", "+", "0+1", "-1+1", "1+x", "1e30", "nan", "2+0.02+1"] {
            assert!(limit(wrong).is_err(), "{wrong}");
        }
    }
}
