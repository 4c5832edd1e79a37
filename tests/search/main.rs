//! The search: its claims are proven, and concurrent writes never mix.

mod announcements;
mod common;
#[path = "../shared/data.rs"]
mod data;
mod draws;
#[path = "../shared/folder.rs"]
mod folder;
mod mates;
mod multi_pv;
mod solver;
mod tables;
mod threads;
mod tt;
#[cfg(feature = "tune")]
mod tunables;
