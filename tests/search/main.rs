//! The search: what it claims is proven, and what threads write at once is never mixed up.

mod announcements;
mod common;
#[path = "../shared/data.rs"]
mod data;
mod draws;
#[path = "../shared/folder.rs"]
mod folder;
mod mates;
mod solver;
mod tables;
mod threads;
mod tt;
#[cfg(feature = "tune")]
mod tunables;
