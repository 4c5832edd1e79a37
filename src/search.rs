//! Which move to play: limits in, reports and one result out.

mod alpha_beta;
mod endgames;
mod engine;
mod extensions;
mod history;
mod history_updates;
mod iterative_deepening;
mod lmr;
mod move_picker;
mod node;
mod prefetch;
mod pruning;
mod quiescence;
mod report;
mod root_move;
mod root_rank;
mod rows;
mod score;
mod scored_moves;
mod shared;
mod single_thread;
mod strength;
mod syzygy;
mod task;
mod time;
mod told_score;
mod tt;
mod tunables;
mod wdl;
mod worker;

pub use endgames::KnownResult;
pub use engine::{Engine, EngineError, Listener, STACK_BYTES};
pub use iterative_deepening::ThreadResult;
pub use report::{Bound, Event, Line, SearchResult, per_second};
pub use score::{MAX_DEPTH, Score};
pub use single_thread::SingleThread;
pub use strength::{FULL_SKILL, MAX_ELO, MIN_ELO, Strength};
pub use task::{SyzygyOptions, Task};
pub use time::{Limits, Overhead, Time, TimePlan};
#[cfg(feature = "tune")]
pub use tunables::TunableValues;
pub use tunables::{TUNABLES, Tunable, Tunables};
pub use wdl::{Wdl, WdlModel, centipawns};
