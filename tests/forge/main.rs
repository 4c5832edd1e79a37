//! The command line of `forge`.

mod accuracy;
#[path = "../shared/folder.rs"]
mod folder;
mod games;
#[cfg(feature = "tune")]
mod matches;
mod tool;
mod training;
#[cfg(feature = "tune")]
mod tuning;
