//! Other programs and a terminal use the engine, and the scripts of the lab run. Tests whose programs are
//! missing are skipped.

#[path = "../shared/data.rs"]
mod data;

use std::env;
use std::process::Command;

use data::data;
use data::skip::skip;

fn python() -> String {
    env::var("ZEBU_PYTHON").unwrap_or_else(|_| "python3".to_string())
}

fn can_import(module: &str) -> bool {
    let import = format!("import {module}");
    let run = Command::new(python()).args(["-c", &import]).output();
    let can = run.is_ok_and(|output| output.status.success());
    if !can {
        skip("python", format!("{} has no {module}", python()));
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

/// Tests that consist of a script, with the Python module that they need.
macro_rules! scripts {
    ($($name:ident needs $module:literal;)*) => {
        $(
            #[test]
            fn $name() {
                if can_import($module) {
                    run(concat!(stringify!($name), ".py"), &[]);
                }
            }
        )*
    };
}

scripts! {
    book needs "chess.polyglot";
    bundled needs "subprocess";
    figures needs "chess.pgn";
    in_page needs "subprocess";
    labels needs "chess.engine";
    ladder needs "chess.pgn";
    levels needs "chess.engine";
    page needs "subprocess";
    ponder needs "chess.engine";
    report needs "chess.pgn";
    suite needs "chess.engine";
    terminal needs "termios";
}

scripts! {
    coach needs "subprocess";
}

scripts! {
    board needs "subprocess";
}

scripts! {
    coach_board needs "subprocess";
}

scripts! {
    by_name needs "ssl";
}

/// Plays four games, or `ZEBU_GAMES`.
#[test]
fn python_chess() {
    if can_import("chess.engine") {
        run("play.py", &[&env::var("ZEBU_GAMES").unwrap_or_else(|_| "4".to_string())]);
    }
}

/// Needs Syzygy tables; `ZEBU_POSITIONS` and `ZEBU_STARTS` are the numbers of positions and of games per
/// ending.
#[test]
fn tables() {
    let Some(folder) = data("syzygy") else { return };
    let number = |name, usual: &str| env::var(name).unwrap_or_else(|_| usual.to_string());
    if can_import("chess.syzygy") {
        let (positions, starts) = (number("ZEBU_POSITIONS", "500"), number("ZEBU_STARTS", "2"));
        run("tables.py", &[&folder.to_string_lossy(), &positions, &starts]);
    }
}
