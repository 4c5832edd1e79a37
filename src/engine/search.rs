//! The search: takes a position with limits, reports its progress, and returns the move to play.

mod alpha_beta;
#[cfg(not(target_family = "wasm"))]
mod engine;
#[cfg(target_family = "wasm")]
#[path = "search/page_engine.rs"]
mod engine;
mod history;
mod iterative_deepening;
mod memory;
mod move_picker;
mod places;
mod ply;
mod quiescence;
mod report;
mod root;
mod sight;
mod single_thread;
mod strength;
mod task;
mod threads;
mod time;
mod tt;
mod tunables;
mod vote;
mod wdl_probe;
mod worker;

#[cfg(target_family = "wasm")]
pub use engine::obey;
pub use engine::{Engine, Running};
pub use iterative_deepening::ThreadResult;
pub use report::{
    Bound, Event, Line, Listener, MAX_DEPTH, Score, SearchResult, Wdl, WdlModel, centipawns,
    per_second,
};
pub use root::SyzygyOptions;
pub use single_thread::SingleThread;
pub use strength::{FULL_SKILL, MAX_ELO, MIN_ELO, Sight, Strength, elo_of_skill, title};
pub use task::Task;
pub use threads::{EngineError, STACK_BYTES, most_threads};
pub use time::{Limits, Overhead, Time, TimePlan};
#[cfg(feature = "tune")]
pub use tunables::TunableValues;
pub use tunables::{TUNABLES, Tunable, Tunables};
