//! Which move to play: limits in, reports and one outcome out.

mod alphabeta;
mod chances;
mod clock;
mod engine;
mod entry;
mod history;
mod known;
mod late;
mod limits;
mod outlook;
mod pages;
mod picker;
mod pruning;
mod quiescence;
mod ranking;
mod report;
mod score;
mod singular;
mod solo;
mod strength;
mod table;
mod task;
mod tree;
mod tuning;
mod worker;

use std::sync::atomic;

pub use chances::{Chances, Wdl, centipawns};
pub use clock::Plan;
pub use engine::{Engine, Listener, STACK_BYTES};
pub use known::Probing;
pub use limits::{Limits, Time};
pub use report::{Bound, Event, Line, Outcome, per_second};
pub use score::{MAX_DEPTH, Score};
pub use solo::Solo;
pub use strength::{FULL_SKILL, LEAST_ELO, MOST_ELO, Strength};
pub use table::TableError;
pub use task::Task;
pub use worker::Found;
