//! Which move to play: limits in, reports and one outcome out.

mod engine;
mod entry;
mod history;
mod late;
mod limits;
mod node;
mod outlook;
mod pages;
mod picker;
mod pruning;
mod quiescence;
mod ranking;
mod report;
mod score;
mod single_thread;
mod singular;
mod strength;
mod syzygy;
mod table;
mod task;
mod time;
mod tree;
mod tuning;
mod wdl;
mod worker;

use std::sync::atomic;

pub use engine::{Engine, Listener, STACK_BYTES};
pub use limits::{Limits, Time};
pub use report::{Bound, Event, Line, SearchResult, per_second};
pub use score::{MAX_DEPTH, Score};
pub use single_thread::SingleThread;
pub use strength::{FULL_SKILL, MAX_ELO, MIN_ELO, Strength};
pub use syzygy::SyzygyOptions;
pub use table::TableError;
pub use task::Task;
pub use time::TimePlan;
pub use wdl::{Wdl, WdlModel, centipawns};
pub use worker::ThreadResult;
