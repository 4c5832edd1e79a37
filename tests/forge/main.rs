//! The command line of `forge`.

mod games;
mod tool;
mod training;
