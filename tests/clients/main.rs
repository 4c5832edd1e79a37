//! Other people's programs play with the engine. Who has not got them sees the test skipped.

use std::env;
use std::process::Command;

/// python-chess plays four games, or as many as `ZEBU_GAMES` says, with the Python that
/// `ZEBU_PYTHON` names.
#[test]
fn python_chess() {
    let python = env::var("ZEBU_PYTHON").unwrap_or_else(|_| "python3".to_string());
    let games = env::var("ZEBU_GAMES").unwrap_or_else(|_| "4".to_string());
    let has_chess = Command::new(&python).args(["-c", "import chess.engine"]).output();
    if !has_chess.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: {python} has no python-chess");
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/play.py");
    let run = Command::new(&python)
        .args([script, env!("CARGO_BIN_EXE_zebu"), &games])
        .env("XDG_CONFIG_HOME", "/nowhere")
        .status();
    assert!(run.is_ok_and(|status| status.success()));
}
