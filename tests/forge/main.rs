//! The command line of `forge`.

mod accuracy;
mod games;
mod matches;
mod tool;
mod training;
#[cfg(feature = "tune")]
mod tuning;
