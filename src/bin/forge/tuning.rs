//! Matches between sets of the search's constants, and tuning them. In this build, with the feature
//! `tune`, they are values.

mod matches;
mod pair;
mod parameters;
mod pentanomial;
mod spsa;
mod state_file;
mod tune;

pub use matches::{MatchArguments, run as run_match};
pub use tune::{TuneArguments, run as tune};
