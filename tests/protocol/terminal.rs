//! A person at a terminal, which the program `script` provides. It has no cursor, so that what is said
//! comes line by line.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::driver::Engine;

/// The engine at a terminal with this locale, or `None` where there is no `script`.
fn at_terminal(locale: &str) -> Option<Engine> {
    if Command::new("script").arg("--version").output().is_err() {
        println!("skipped: there is no script");
        return None;
    }
    let mut command = Command::new("script");
    command.args(["-qec", env!("CARGO_BIN_EXE_zebu"), "/dev/null"]);
    command.env("XDG_CONFIG_HOME", "/nowhere").env("TERM", "dumb").env("LC_ALL", locale);
    command.env_remove("ZEBU_CONFIG").env_remove("ZEBU_LOG");
    Some(Engine::start_by(command))
}

#[test]
fn zebu_replies_and_the_game_is_not_lost() {
    let Some(mut engine) = at_terminal("C.UTF-8") else { return };
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("terminal game.pgn");
    fs::remove_file(&file).ok();
    let asked = |engine: &mut Engine, line: &str, wanted: &str| {
        engine.send(line);
        engine.until_containing(wanted);
    };
    engine.until_containing("Zebu replies");
    asked(&mut engine, "level 1500", "Zebu plays at 1500 Elo.");
    asked(&mut engine, "e4", "Zebu plays 1... ");
    asked(&mut engine, "hint", "2. ");
    asked(&mut engine, "go depth 3", "It is not played");
    asked(&mut engine, "nf3", "did you mean Nf3?");
    asked(&mut engine, "play depth 3", "did you mean 'go depth 3'?");
    asked(&mut engine, "quit", "The game is not saved");
    asked(&mut engine, &format!("save {}", file.display()), "The game is in");
    asked(&mut engine, "undo", "White to move.");
    asked(&mut engine, "play black", "Zebu plays 1. ");
    asked(&mut engine, "flip", "a  b  c  d");
    asked(&mut engine, "resign", "Black resigns, White wins.");
    asked(&mut engine, &format!("load {}", file.display()), "Zebu looks on");
    asked(&mut engine, "fen", "/PPPP1PPP/RNBQKBNR w KQkq ");
    asked(&mut engine, "pieces unicode", "♜");
    engine.send("quit");
    assert!(engine.end().success());
    let saved = fs::read_to_string(&file).expect("the game was saved");
    assert!(saved.contains("[White \"Player\"]\n[Black \"Zebu "), "{saved}");
    assert!(saved.contains("\n\n1. e4 ") && saved.ends_with(" *\n\n"), "{saved}");
}

/// The first word is what a person means.
#[test]
fn words_behind_others_are_no_commands() {
    let Some(mut engine) = at_terminal("C.UTF-8") else { return };
    engine.until_containing("Zebu replies");
    for (line, told) in [
        ("how do I quit", "unknown command 'how'"),
        ("e4 go", "unknown command 'e4'"),
        ("help quit", "undo"),
        ("setoption name Skill Level value 3", ""),
        ("level", "Zebu plays at Skill Level 3 of 20."),
        ("level full", "Zebu plays as well as it can."),
        ("go btime 50", "It is not played"),
    ] {
        engine.send(line);
        engine.until_containing(told);
    }
    engine.send("quit");
    assert!(engine.end().success());
}

#[test]
fn bytes_that_are_no_text() {
    let Some(mut engine) = at_terminal("C.UTF-8") else { return };
    engine.until_containing("Zebu replies");
    engine.send_bytes(b"\xff\xfe\n");
    engine.until_containing("is neither a command");
    engine.send("e4");
    engine.until_containing("Zebu plays 1... ");
    engine.send_bytes(b"save \xe9\n");
    engine.send("fen");
    engine.until_containing(" w ");
    engine.send("quit\nquit");
    assert!(engine.end().success());
}

/// Nothing is cut within a word, and the prompt stands on lines of its own.
#[test]
fn a_locale_without_unicode_gets_ascii() {
    let Some(mut engine) = at_terminal("C") else { return };
    engine.send("analyse");
    engine.until_containing("Zebu looks on");
    // The prompt comes first.
    std::thread::sleep(std::time::Duration::from_millis(500));
    engine.send("go depth 5");
    let told = engine.until_containing("It is not played");
    assert!(told.iter().all(|line| line.is_ascii()), "{told:?}");
    assert!(told.iter().filter(|line| line.contains("/")).all(|line| !line.contains("zebu>")));
    engine.send("quit");
    assert!(engine.end().success());
}
