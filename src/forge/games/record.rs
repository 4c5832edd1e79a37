//! A self-play game: starting position, moves with their scores, outcome.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use engine::board::{Color, Move, Position};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOutcome {
    BlackWins,
    Draw,
    WhiteWins,
}

impl GameOutcome {
    pub const ALL: [GameOutcome; 3] =
        [GameOutcome::BlackWins, GameOutcome::Draw, GameOutcome::WhiteWins];

    pub fn win(winner: Color) -> GameOutcome {
        match winner {
            Color::White => GameOutcome::WhiteWins,
            Color::Black => GameOutcome::BlackWins,
        }
    }

    /// For this side: 0 lost, 1 drawn, 2 won.
    pub fn half_points(self, side: Color) -> u8 {
        match side {
            Color::White => self as u8,
            Color::Black => 2 - self as u8,
        }
    }
}

/// A move and the score of its search for the side to move: centipawns, or 32000 - `n` for a mate
/// in `n` plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredPly {
    pub mv: Move,
    pub score: i16,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    pub start: Position,
    pub outcome: GameOutcome,
    pub plies: Vec<ScoredPly>,
}

impl GameRecord {
    /// The position before each ply.
    pub fn positions(&self) -> impl Iterator<Item = (Position, ScoredPly)> + '_ {
        let mut next = self.start;
        let mut last = None;
        self.plies.iter().map(move |&ply| {
            next = last.map_or(next, |mv| next.after(mv));
            last = Some(ply.mv);
            (next, ply)
        })
    }

    /// Equal for games with the same start and moves, whatever their scores.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.start.key().hash(&mut hasher);
        for ply in &self.plies {
            ply.mv.hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// Counts of games by outcome, and of their positions.
#[derive(Clone, Debug, Default)]
pub struct GameCounts {
    /// By [`GameOutcome`].
    outcomes: [u64; 3],
    pub positions: u64,
}

impl GameCounts {
    pub fn add(&mut self, game: &GameRecord) {
        self.outcomes[game.outcome as usize] += 1;
        self.positions += game.plies.len() as u64;
    }

    pub fn games(&self) -> u64 {
        self.outcomes.iter().sum()
    }

    /// The share of an outcome in percent.
    pub fn percent(&self, outcome: GameOutcome) -> f64 {
        100.0 * self.outcomes[outcome as usize] as f64 / self.games().max(1) as f64
    }
}

impl fmt::Display for GameCounts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [black, draws, white] = GameOutcome::ALL.map(|outcome| self.percent(outcome));
        let (games, positions) = (self.games(), self.positions);
        write!(f, "{games} games (White {white:.0} %, draws {draws:.0} %, ")?;
        write!(f, "Black {black:.0} %), {positions} positions")
    }
}

/// The share of positions that were searched with more nodes, so that their scores are worth training on. The
/// position's key decides, so that a game file needs no mark for each.
#[derive(Clone, Copy, Debug)]
pub struct Labels(pub f64);

impl Labels {
    pub fn contains(self, position: &Position) -> bool {
        // Other decisions by key use the upper half.
        f64::from(position.key() as u32) <= self.0 * f64::from(u32::MAX)
    }
}
