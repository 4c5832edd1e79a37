//! The search: what it claims is proven, and what threads write at once is never mixed up.

mod announcements;
mod common;
mod draws;
mod mates;
mod solver;
mod tables;
mod threads;
mod tt;
#[cfg(feature = "tune")]
mod tunables;
