//! The command line of `forge`.

mod games;
mod matches;
mod tool;
mod training;
#[cfg(feature = "tune")]
mod tuning;
