//! Which build this is: results of different ones must not be added up.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use zebu::eval::Evaluator;
use zebu::search::{EngineError, Limits, SingleThread, Task};

use crate::opening::random_opening;

const POSITIONS: u32 = 8;
const DEPTH: u32 = 8;

/// The nodes of some searches: another network or another search has other ones.
pub fn fingerprint() -> Result<u64, EngineError> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut search = SingleThread::new(1)?;
    let nodes = (0..POSITIONS).map(|_| {
        search.clear();
        let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
        let task = Task::new(random_opening(&mut random, 0.0), limits);
        let task = Task { evaluator: Evaluator::default(), ..task };
        search.search(task).map_or(0, |found| found.line.nodes)
    });
    Ok(nodes.sum())
}
