//! What is counted when games are looked through.

use std::collections::HashSet;

use zebu::board::Move;

use crate::curve::Bin;
use crate::games::Game;
use crate::merge::fingerprint;
use crate::tally::Tally;

/// Scores are counted in bins of this width, up to this size; all larger ones are in the last bin.
pub const BIN: i32 = 25;
pub const LARGEST: i32 = 2000;
const BINS: usize = 2 * (LARGEST / BIN) as usize;

/// From here on a score is a mate.
const MATE: i16 = 31_000;

/// Of all positions, so many are looked at to estimate how many come more than once.
const SAMPLE: u64 = 16;

#[derive(Debug, thiserror::Error)]
#[error("game {game}, ply {ply}: {mv} is illegal in {fen}")]
pub struct IllegalMove {
    game: u64,
    ply: usize,
    mv: Move,
    fen: String,
}

pub struct Survey {
    pub tally: Tally,
    /// Games by length, in plies.
    pub lengths: Vec<u64>,
    /// By score, for the side to move.
    pub bins: Vec<Bin>,
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

impl Survey {
    pub fn new() -> Survey {
        let score = |bin| f64::from(bin as i32 * BIN - LARGEST) + 0.5 * f64::from(BIN);
        Survey {
            tally: Tally::default(),
            lengths: Vec::new(),
            bins: (0..BINS).map(|bin| Bin { score: score(bin), ..Bin::default() }).collect(),
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

    pub fn count(&mut self, game: &Game) -> Result<(), IllegalMove> {
        for (i, (position, ply)) in game.positions().enumerate() {
            if !position.is_legal(ply.mv) {
                let number = self.tally.games() + 1;
                let fen = position.fen();
                return Err(IllegalMove { game: number, ply: i + 1, mv: ply.mv, fen });
            }
            self.count_score(ply.score, game.outcome.half_points(position.side()));
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
        self.tally.count(game);
        self.games.insert(fingerprint(game));
        self.openings.insert(game.start.key());
        let plies = game.plies.len();
        self.lengths.resize(self.lengths.len().max(plies + 1), 0);
        self.lengths[plies] += 1;
        Ok(())
    }

    fn count_score(&mut self, score: i16, half_points: u32) {
        self.mates += u64::from(score.unsigned_abs() >= MATE.unsigned_abs());
        let score = i32::from(score).clamp(-LARGEST, LARGEST - 1);
        let bin = &mut self.bins[((score + LARGEST) / BIN) as usize];
        bin.positions += 1.0;
        bin.points += 0.5 * f64::from(half_points);
    }

    /// How many games are there more than once, as often as they are.
    pub fn games_again(&self) -> u64 {
        self.tally.games() - self.games.len() as u64
    }

    pub fn openings_again(&self) -> u64 {
        self.tally.games() - self.openings.len() as u64
    }

    /// The share of positions that were there before, in percent.
    pub fn positions_again(&self) -> f64 {
        100.0 * (self.sampled - self.sample.len() as u64) as f64 / self.sampled.max(1) as f64
    }
}
