//! Where games between two sides begin: a book of positions, or random moves.

use std::fs;
use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use zebu::board::Position;
use zebu::eval::Evaluator;
use zebu::notation::{EpdError, EpdLine};
use zebu::search::{Limits, SingleThread, Task};

use crate::file_error::FileError;
use crate::opening::random_opening;

/// Random openings are searched with this many nodes, and refused beyond this score.
const NODES: u64 = 10_000;
const MAX_SCORE: i32 = 150;

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
    /// Random ones, or those of an EPD file in an order that the seed decides.
    pub fn new(book: Option<&Path>, seed: u64) -> Result<Openings, BookError> {
        let Some(path) = book else { return Ok(Openings::Random { seed }) };
        let text = fs::read_to_string(path).map_err(FileError::on(path))?;
        let mut positions = Vec::new();
        for (line, epd) in (1..).zip(text.lines()).filter(|(_, epd)| !epd.trim().is_empty()) {
            let wrong = |error| BookError::Line { path: path.to_owned(), line, error };
            let position = EpdLine::parse(epd).map_err(wrong)?.position;
            if position.ending().is_none() {
                positions.push(position);
            }
        }
        if positions.is_empty() {
            return Err(BookError::Empty(path.to_owned()));
        }
        positions.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        Ok(Openings::Book(positions))
    }

    /// The opening with this number, the same whenever it is asked for. A random one is balanced by
    /// a search with the defaults.
    pub fn opening(&self, number: u64, search: &mut SingleThread) -> Position {
        match self {
            Openings::Book(positions) => positions[(number % positions.len() as u64) as usize],
            Openings::Random { seed } => {
                let mut random = random_stream(*seed, number);
                loop {
                    let opening = random_opening(&mut random, 0.0);
                    if is_balanced(opening, search) {
                        return opening;
                    }
                }
            }
        }
    }
}

fn is_balanced(opening: Position, search: &mut SingleThread) -> bool {
    search.clear();
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let task = Task { evaluator: Evaluator::default(), ..Task::new(opening, limits) };
    search.search(task).is_some_and(|found| found.score.abs() <= MAX_SCORE)
}

/// Random numbers for one of many purposes with the same seed.
pub fn random_stream(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    let streams = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    Xoshiro256PlusPlus::seed_from_u64(streams.wrapping_add(number))
}
