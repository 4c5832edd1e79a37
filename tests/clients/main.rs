//! Other people's programs play with the engine, and somebody sits at a terminal. Who has not got
//! the programs sees the tests skipped.

use std::env;
use std::process::Command;

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

/// Four games, or as many as `ZEBU_GAMES` says, with the Python that `ZEBU_PYTHON` names.
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
fn suite() {
    if can_import("chess.engine") {
        run("suite.py", &[]);
    }
}

#[test]
fn terminal() {
    if can_import("pty") && can_import("termios") {
        run("terminal.py", &[]);
    }
}
