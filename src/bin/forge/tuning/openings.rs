//! Where games between two sides begin: a book of positions, or random moves.

use std::fs;
use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use zebu::board::Position;
use zebu::eval::Evaluator;
use zebu::notation::{EpdError, epd_positions};
use zebu::search::SingleThread;

use crate::files::FileError;
use crate::opening::{is_balanced, random_opening, random_stream};

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

    /// The opening with this number, the same whenever it is asked for. A random one is balanced by
    /// a search with the defaults.
    pub fn opening(&self, number: u64, search: &mut SingleThread) -> Position {
        match self {
            Openings::Book(positions) => positions[(number % positions.len() as u64) as usize],
            Openings::Random { seed } => {
                let mut random = random_stream(*seed, number);
                loop {
                    let opening = random_opening(&mut random, 0.0);
                    if is_balanced(opening, NODES, MAX_SCORE, Evaluator::default(), search) {
                        return opening;
                    }
                }
            }
        }
    }
}
