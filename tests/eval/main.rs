//! The network: its file, its arithmetic, and that adding what changed is as good as starting anew.

#[path = "../board/common.rs"]
mod common;

mod file;
mod network;
