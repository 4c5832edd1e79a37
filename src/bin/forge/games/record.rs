//! A self-play game: start, moves with their scores, outcome.

use std::hash::{DefaultHasher, Hash, Hasher};

use zebu::board::{Color, Move, Position};

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
