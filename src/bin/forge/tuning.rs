//! Matches between sets of tunables, and tuning them. This build has the feature `tune`, so they are values.

mod matches;
mod pair;
mod parameters;
mod pentanomial;
mod spsa;
mod state_file;
mod tune;

pub use matches::{MatchArguments, run as run_match};
pub use tune::{TuneArguments, run as tune};
