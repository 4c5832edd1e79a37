//! The command line of `forge`.

mod accuracy;
#[path = "../shared/folder.rs"]
mod folder;
mod games;
mod matches;
mod tool;
mod training;
mod tuning;
