//! Other programs and a terminal use the engine, and the scripts of the lab run. Tests whose programs
//! are not installed are skipped.

#[path = "../shared/data.rs"]
mod data;

use std::env;
use std::process::Command;

use data::data;

fn python() -> String {
    env::var("ZEBU_PYTHON").unwrap_or_else(|_| "python3".to_string())
}

fn can_import(module: &str) -> bool {
    let import = format!("import {module}");
    let run = Command::new(python()).args(["-c", &import]).output();
    let can = run.is_ok_and(|output| output.status.success());
    if !can {
        eprintln!("skipped: {} has no {module}", python());
    }
    can
}

fn run(script: &str, arguments: &[&str]) {
    let script = format!("{}/tests/clients/{script}", env!("CARGO_MANIFEST_DIR"));
    let run = Command::new(python())
        .args([&script, env!("CARGO_BIN_EXE_zebu")])
        .args(arguments)
        .env("XDG_CONFIG_HOME", "/nowhere")
        .status();
    assert!(run.is_ok_and(|status| status.success()));
}

/// Four games or `ZEBU_GAMES`, with the Python that `ZEBU_PYTHON` names.
#[test]
fn python_chess() {
    if can_import("chess.engine") {
        run("play.py", &[&env::var("ZEBU_GAMES").unwrap_or_else(|_| "4".to_string())]);
    }
}

#[test]
fn book() {
    if can_import("chess.polyglot") {
        run("book.py", &[]);
    }
}

#[test]
fn levels() {
    if can_import("chess.engine") {
        run("levels.py", &[]);
    }
}

#[test]
fn scaling() {
    if can_import("chess.engine") {
        run("scaling.py", &[]);
    }
}

#[test]
fn suite() {
    if can_import("chess.engine") {
        run("suite.py", &[]);
    }
}

/// Needs Syzygy tables; `ZEBU_POSITIONS` and `ZEBU_STARTS` are the numbers of positions and of games
/// per ending.
#[test]
fn tables() {
    let Some(folder) = data("syzygy") else { return };
    let number = |name, usual: &str| env::var(name).unwrap_or_else(|_| usual.to_string());
    if can_import("chess.syzygy") {
        let (positions, starts) = (number("ZEBU_POSITIONS", "500"), number("ZEBU_STARTS", "2"));
        run("tables.py", &[&folder.to_string_lossy(), &positions, &starts]);
    }
}

#[test]
fn report() {
    if can_import("chess.pgn") {
        run("report.py", &[]);
    }
}

#[test]
fn ladder() {
    if can_import("chess.pgn") {
        run("ladder.py", &[]);
    }
}

#[test]
fn figures() {
    if can_import("chess.pgn") {
        run("figures.py", &[]);
    }
}

#[test]
fn matches() {
    if can_import("chess.engine") {
        run("match.py", &[]);
    }
}

#[test]
fn page() {
    if can_import("subprocess") {
        run("page.py", &[]);
    }
}

#[test]
fn terminal() {
    if can_import("pty") && can_import("termios") {
        run("terminal.py", &[]);
    }
}
