//! `zebu coach`: what is kept survives kills, damage, full disks and other programs; and what is told of it.

mod background;
mod clocks;
mod command;
mod library;
mod measured;
mod planted;
mod training;

#[path = "../shared/folder.rs"]
mod folder;

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use engine::eval::Network;
use engine::notation::{PgnGame, PgnReader};
use folder::Folder;
use zebu::coach::Order;
use zebu::library::Library;

/// Three games of Ann's, in one of which she has Black, and one of others.
const GAMES: &str = include_str!("games.pgn");

fn coach(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the program runs")
}

/// The command with a library of its own, at few nodes unless they are named.
fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zebu"));
    command.args(["coach", "--threads", "1", "--library", "library.zebu"]);
    if !arguments.contains(&"--nodes") {
        command.args(["--nodes", "500"]);
    }
    command.args(arguments).current_dir(folder).env("XDG_CONFIG_HOME", "/nowhere");
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn order(nodes: u64) -> Order {
    let network = Network::load(None).expect("the embedded network");
    let rests = Arc::default();
    Order { nodes, threads: 1, hash: 1, network: Arc::clone(&network), rests }
}

/// A library with these games in it.
fn library(folder: &Folder, games: &str) -> Library {
    let library = Library::open(&folder.join("library.zebu")).expect("a new library");
    library.import(PgnReader::new(games.as_bytes()), |_| ()).expect("games");
    library
}

fn games(text: &[u8]) -> Vec<PgnGame> {
    PgnReader::new(text).map(|game| game.expect("a game")).collect()
}

fn go_on() -> AtomicBool {
    AtomicBool::new(false)
}
