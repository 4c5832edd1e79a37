//! What is counted in a file of games.

use std::collections::HashSet;

use super::{GameCounts, GameRecord};
use crate::sigmoid::ScoreBin;

/// The width of a score bin. Scores beyond the largest are in the last bin.
pub const BIN_WIDTH: i32 = 25;
pub const MAX_SCORE: i32 = 2000;
const BINS: usize = 2 * (MAX_SCORE / BIN_WIDTH) as usize;

/// The least score that is a mate.
const MATE: i16 = 31_000;

/// One position of this many is sampled to estimate the share of duplicates.
const SAMPLE: u64 = 16;

pub struct Statistics {
    pub counts: GameCounts,
    /// Games by length, in plies.
    pub lengths: Vec<u64>,
    /// By score, for the side to move.
    pub bins: Vec<ScoreBin>,
    pub mates: u64,
    /// Positions by the number of pieces on the board.
    pub pieces: [u64; 33],
    pub in_check: u64,
    /// Positions not in check whose move captures or promotes.
    pub noisy: u64,
    games: HashSet<u64>,
    openings: HashSet<u64>,
    sample: HashSet<u64>,
    sampled: u64,
}

impl Statistics {
    pub fn new() -> Statistics {
        let score =
            |bin| f64::from(bin as i32 * BIN_WIDTH - MAX_SCORE) + 0.5 * f64::from(BIN_WIDTH);
        Statistics {
            counts: GameCounts::default(),
            lengths: Vec::new(),
            bins: (0..BINS)
                .map(|bin| ScoreBin { score: score(bin), ..ScoreBin::default() })
                .collect(),
            mates: 0,
            pieces: [0; 33],
            in_check: 0,
            noisy: 0,
            games: HashSet::new(),
            openings: HashSet::new(),
            sample: HashSet::new(),
            sampled: 0,
        }
    }

    pub fn add(&mut self, game: &GameRecord) {
        for (position, ply) in game.positions() {
            self.add_score(ply.score, game.outcome.half_points(position.side()));
            self.pieces[position.occupied().len() as usize] += 1;
            if position.in_check() {
                self.in_check += 1;
            } else if position.is_noisy(ply.mv) {
                self.noisy += 1;
            }
            if position.key().is_multiple_of(SAMPLE) {
                self.sampled += 1;
                self.sample.insert(position.key());
            }
        }
        self.counts.add(game);
        self.games.insert(game.fingerprint());
        self.openings.insert(game.start.key());
        let plies = game.plies.len();
        self.lengths.resize(self.lengths.len().max(plies + 1), 0);
        self.lengths[plies] += 1;
    }

    fn add_score(&mut self, score: i16, half_points: u8) {
        self.mates += u64::from(score.unsigned_abs() >= MATE.unsigned_abs());
        let score = i32::from(score).clamp(-MAX_SCORE, MAX_SCORE - 1);
        let bin = &mut self.bins[((score + MAX_SCORE) / BIN_WIDTH) as usize];
        bin.positions += 1.0;
        bin.points += 0.5 * f64::from(half_points);
    }

    pub fn duplicate_games(&self) -> u64 {
        self.counts.games() - self.games.len() as u64
    }

    pub fn duplicate_openings(&self) -> u64 {
        self.counts.games() - self.openings.len() as u64
    }

    /// An estimate of the share of duplicates, in percent.
    pub fn duplicate_positions(&self) -> f64 {
        100.0 * (self.sampled - self.sample.len() as u64) as f64 / self.sampled.max(1) as f64
    }
}
