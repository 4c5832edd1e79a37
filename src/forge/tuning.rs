//! Matches between sets of tunables, and tuning them.

mod matches;
mod pair;
pub mod parameters;
mod pentanomial;
mod spsa;
mod state_file;
mod tune;

pub use matches::{MatchArguments, run as run_match};
pub use tune::{TuneArguments, run as tune};
