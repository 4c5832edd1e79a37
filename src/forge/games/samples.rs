//! Games and files for tests.

use std::fs;
use std::path::{Path, PathBuf};

use engine::board::Position;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::file::FILE_HEAD;
use super::format::{encode, length, read};
use super::record::{GameOutcome, GameRecord, ScoredPly};
use engine::opening::random_opening;

/// Random games, half of them from double Chess960, with scores that jump now and then.
pub fn games(count: usize, seed: u64) -> Vec<GameRecord> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..count).map(|_| game(&mut random)).collect()
}

/// Short games as bytes, for fuzzing: with more queens than in a set, with extreme scores, and without moves.
pub fn extremes() -> Vec<Vec<u8>> {
    let queens = "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1".parse().unwrap();
    let scores = [i16::MIN, i16::MAX, 0, -1, 32_000];
    let ply = |(mv, score)| ScoredPly { mv, score };
    let full = |start: Position| {
        let plies = start.legal_moves().iter().copied().zip(scores).take(1).map(ply).collect();
        GameRecord { start, outcome: GameOutcome::ALL[0], plies }
    };
    let mut all = vec![full(queens), full(Position::start())];
    for mut game in games(6, 9) {
        game.plies.truncate(all.len() - 2);
        game.plies.iter_mut().zip(scores).for_each(|(ply, score)| ply.score = score);
        all.push(game);
    }
    all.iter().map(|game| encode(game).unwrap()).collect()
}

fn game(random: &mut impl RngExt) -> GameRecord {
    let start = random_opening(random, 0.5);
    let mut position = start;
    let mut plies = Vec::new();
    let mut score = 0_i16;
    while plies.len() < 150 && position.ending().is_none() {
        let moves = position.legal_moves();
        let mv = moves[random.random_range(0..moves.len())];
        let change = if random.random_bool(0.05) { i16::MAX } else { 50 };
        score = score.wrapping_neg().wrapping_add(random.random_range(-change..=change));
        plies.push(ScoredPly { mv, score });
        position = position.after(mv);
    }
    let outcome = GameOutcome::ALL[random.random_range(0..GameOutcome::ALL.len())];
    GameRecord { start, outcome, plies }
}

/// A game file that is removed after the test.
pub struct TempFile(PathBuf);

impl TempFile {
    /// `name` must be unique among the tests.
    pub fn new(name: &str) -> TempFile {
        let name = format!("zebu-games-{}-{name}", std::process::id());
        TempFile(std::env::temp_dir().join(name))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn bytes(&self) -> Vec<u8> {
        fs::read(&self.0).unwrap()
    }

    pub fn write(&self, bytes: &[u8]) {
        fs::write(&self.0, bytes).unwrap();
    }

    /// Writes games, and returns their offsets and the end of the last one.
    pub fn write_games(&self, games: &[GameRecord]) -> Vec<usize> {
        let mut bytes = FILE_HEAD.to_vec();
        let mut places = vec![bytes.len()];
        for game in games {
            bytes.extend(encode(game).unwrap());
            places.push(bytes.len());
        }
        self.write(&bytes);
        places
    }

    /// Writes a game, if only its checksum is wrong, and others.
    pub fn write_fuzzed(&self, game: &[u8], others: &[Vec<u8>]) -> Option<()> {
        let (game, _) = read(game).filter(|_| length(game) == Some(game.len()))?;
        let mut games = vec![game];
        games.extend(others.iter().filter_map(|bytes| read(bytes)).map(|(game, _)| game));
        self.write_games(&games);
        Some(())
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        fs::remove_file(&self.0).ok();
    }
}
