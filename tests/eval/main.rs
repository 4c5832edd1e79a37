//! The network: its file, its arithmetic, and incremental updates.

#[path = "../board/common.rs"]
mod common;

mod file;
mod network;
