//! `zebu analyse` with files by many programs, some of them broken. Pages are opened in a browser, if there
//! is one.

mod accuracy;
mod command;
#[cfg(unix)]
mod limits;
mod motifs;
mod page;
mod positions;
mod reading;
mod sentences;

#[path = "../shared/data.rs"]
mod data;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Files without a broken game.
const VALID: [&str; 14] = [
    "black_begins",
    "chess960",
    "chessbase",
    "chesscom",
    "cutechess",
    "fastchess",
    "immortal",
    "lichess",
    "long",
    "no_result",
    "opera",
    "position",
    "remarks",
    "tcec",
];

/// The command for a file.
fn command(arguments: &[&str], input: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zebu"));
    command.arg("analyse").args(arguments).arg(input).env("XDG_CONFIG_HOME", "/nowhere");
    command
}

fn analyse(arguments: &[&str], input: &Path) -> Output {
    command(arguments, input).output().expect("the engine runs")
}

fn file(name: &str) -> PathBuf {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/analysis/games");
    PathBuf::from(folder).join(name).with_extension("pgn")
}

/// A new folder for the files of a test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("analysis").join(name);
    std::fs::remove_dir_all(&folder).ok();
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}
