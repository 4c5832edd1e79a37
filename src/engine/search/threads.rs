//! What the threads of a search ask of the system.

use std::num::NonZero;
use std::thread::available_parallelism;

use super::tt::TableError;

/// The stack size of a search thread: ample for the deepest line.
pub const STACK_BYTES: usize = 16 << 20;

/// The most threads that search at once. With more, the main thread would hardly run.
pub fn most_threads() -> usize {
    const FOR_EACH_PROCESSOR: usize = 4;
    available_parallelism().map_or(1, NonZero::get) * FOR_EACH_PROCESSOR
}

/// A resource that the system denied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("the system has {}", threads(*.0))]
    Threads(usize),
}

fn threads(count: usize) -> String {
    match count {
        0 => "neither a thread nor memory for a search".to_string(),
        _ => format!("no more than {count}"),
    }
}
