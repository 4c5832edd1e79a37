//! What a GUI notices of the engine, as a process: the protocol and its corners.

mod any_order;
mod book;
mod command_line;
mod configuration;
#[path = "../shared/data.rs"]
mod data;
mod driver;
mod exchanges;
#[cfg(target_os = "linux")]
mod faults;
#[cfg(target_os = "linux")]
mod flood;
#[path = "../shared/folder.rs"]
mod folder;
mod options;
mod robustness;
mod searching;
mod strength;
mod tables;
#[cfg(target_os = "linux")]
mod terminal;
mod timing;
