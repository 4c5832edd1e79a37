//! What the program does when it is given arguments.

#[cfg(unix)]
use std::{io::Write, process::Stdio};

use engine::bench::Settings;

use crate::driver::command;
#[cfg(unix)]
use crate::folder::Folder;

/// Exit code, standard output and standard error.
fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = command().args(arguments).output().expect("the engine runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn go() {
    let (code, out, _) = run(&["go", "depth", "3"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("info depth 3 ") && out.lines().last().unwrap().starts_with("bestmove"));
    let mate = ["go", "depth", "3", "fen", "6k1/5ppp/8/8/8/8/8/R3K3 w", "-", "-", "0", "1"];
    assert!(run(&mate).1.contains("bestmove a1a8"));
    let mate_in_one = ["go", "mate", "1", "fen", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"];
    assert!(run(&mate_in_one).1.contains("bestmove a1a8"));
    let pawn_lost = ["moves", "e2e4", "d7d5", "a2a3", "d5e4"];
    for start in [&[][..], &["startpos"]] {
        let (_, out, _) = run(&[&["go", "depth", "1"], start, &pawn_lost].concat());
        assert!(out.contains("score cp -"), "{out}");
    }
}

#[test]
fn moves_as_people_write_them() {
    let (code, out, _) = run(&["go", "depth", "1", "moves", "e4", "d5", "e4d5", "Qxd5"]);
    assert_eq!(code, Some(0), "{out}");
    let (code, _, told) = run(&["go", "depth", "1", "moves", "e4", "Ke5"]);
    assert_eq!((code, told.contains("move 2 of the list, 'Ke5'")), (Some(1), true), "{told}");
}

#[test]
fn a_variable_that_names_no_file_is_named() {
    let output = command().env("ZEBU_CONFIG", "/nowhere").args(["perft", "1"]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("ZEBU_CONFIG: /nowhere: it cannot be read"), "{told}");
}

#[test]
fn perft_and_eval() {
    let (code, out, _) = run(&["perft", "3"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("\n\nNodes searched: 8902\n"), "{out}");
    let (code, out, _) = run(&["perft", "2", "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"]);
    assert_eq!((code, out.contains("Nodes searched: 0")), (Some(0), true), "{out}");
    assert!(run(&["perft", "1", "startpos"]).1.contains("Nodes searched: 20\n"));
    assert!(run(&["eval", "4k3/8/8/8/8/8/8/4K2Q", "w", "-", "-"]).1.contains("for White"));
    let after = ["startpos moves e4 e5", "moves e4 e5"].map(|words| run(&["eval", words]).1);
    assert!(after[0].contains("for White") && after[0] == after[1], "{after:?}");
    assert!(run(&["perft", "1", "moves", "e4"]).1.contains("Nodes searched: 20\n"));
}

#[test]
fn bench_is_a_fingerprint() {
    let signature = || {
        let (code, out, _) = run(&["bench", "5"]);
        assert_eq!(code, Some(0));
        assert!(out.lines().count() >= 41, "at least 40 positions");
        let last = out.lines().last().unwrap().to_string();
        let words: Vec<&str> = last.split_whitespace().collect();
        assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{last}");
        words[0].parse::<u64>().expect("a count")
    };
    assert_eq!(signature(), signature());
    let (_, out, _) = run(&["bench", "3", "2", "4"]);
    assert!(out.lines().last().unwrap().ends_with("nps"));
}

#[test]
fn mistakes_have_exit_codes() {
    for (arguments, code, wanted) in [
        (&["frobnicate"][..], 2, "frobnicate"),
        (&["perft"], 2, "DEPTH"),
        (&["bench", "x"], 2, "x"),
        (&["eval"], 2, "POSITION"),
        (&["eval", "8/8"], 1, "FEN field 1"),
        (&["go", "infinite"], 2, "needs a limit"),
        (&["go", "depth"], 2, "'depth' is incomplete"),
        (&["go", "moves", "e4", "e5", "Ke3"], 1, "'Ke3': it is not legal here"),
        (&["--config", "/nowhere.toml", "perft", "1"], 2, "/nowhere.toml: it cannot be read"),
        (&["go", "depth", "5", "hello"], 2, "'hello' is not what go takes"),
        (&["go", "depth", "2", "moves", "e2e5"], 1, "move 1 of the list, 'e2e5'"),
        (&["go", "depth", "2", "startpos", "e2e4"], 2, "'e2e4' is not what startpos takes"),
        (&["go", "depth", "2", "fen", "8/8"], 1, "FEN field 1"),
    ] {
        let (got, _, told) = run(arguments);
        assert_eq!(got, Some(code), "{arguments:?}: {told}");
        assert!(told.contains(wanted), "{arguments:?}: {told}");
    }
    let (_, _, told) = run(&["go", "infinite"]);
    assert!(told.contains("Usage: zebu go [OPTIONS] <LIMITS>..."), "the command's own: {told}");
    let (code, out, _) = run(&["go", "depth", "2", "searchmoves", "e2e5"]);
    assert_eq!((code, out.contains("e2e5")), (Some(1), true));
}

#[test]
fn man_page_and_completions() {
    let (_, man, _) = run(&["man"]);
    for part in [
        ".TH zebu 1",
        ".SH zebu analyse",
        ".SH TERMINAL",
        "clock 5+3",
        ".SH FILES",
        ".SH ENVIRONMENT",
        ".SH EXIT STATUS",
        ".SH EXAMPLES",
    ] {
        assert!(man.contains(part), "{part}: {man}");
    }
    for shell in ["bash", "zsh", "fish", "powershell"] {
        assert!(run(&["completions", shell]).1.contains("analyse"), "{shell}");
    }
}

#[test]
fn help_and_version() {
    let (code, out, _) = run(&["--help"]);
    assert_eq!(code, Some(0));
    for word in ["go", "bench", "perft", "eval", "book", "--config", "--version"] {
        assert!(out.contains(word), "{word}: {out}");
    }
    assert!(run(&["--version"]).1.starts_with("zebu "));
    assert_eq!(run(&["go", "--help"]).0, Some(0));
    assert_eq!(run(&["analyze", "--help"]).0, Some(0));
    let (_, out, _) = run(&["bench", "--help"]);
    let Settings { depth, threads, hash } = Settings::default();
    for default in [depth as usize, threads, hash] {
        assert!(out.contains(&format!("[default: {default}]")), "{default}: {out}");
    }
}

/// A variable, a path and a file may say more than a line can hold, and what a terminal would obey.
#[test]
fn what_is_wrong_is_told_in_one_short_line() {
    let long = "a\u{1b}".repeat(60_000);
    for (variable, code) in
        [("ZEBU_CONFIG", 2), ("ZEBU_LOG", 0), ("HOME", 0), ("TZ", 0), ("LANG", 0)]
    {
        let output =
            command().env(variable, &long).args(["perft", "1"]).output().expect("it starts");
        let told = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(code), "{variable}");
        assert!(told.len() < 20_000 && !told.contains('\u{1b}'), "{variable}: {}", told.len());
    }
    for arguments in [&["--config", "a\u{1b}\nb", "perft", "1"][..], &["book", "a\u{202e}\nb"]] {
        let (code, _, told) = run(arguments);
        assert!(code != Some(0) && !told.contains(['\u{1b}', '\u{202e}']), "{told:?}");
        assert!(!told.lines().any(|line| line.starts_with('b')), "{told:?}");
    }
}

/// Two moves are not written alike: castling where king and rook do not stand as in chess.
#[test]
fn castling_is_not_a_king_move() {
    let (_, out, _) = run(&["perft", "1", "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1"]);
    let written = |mv: &str| out.lines().filter(|line| line.starts_with(mv)).count();
    assert_eq!((written("f1g1: "), written("f1h1: "), written("f1b1: ")), (1, 1, 1), "{out}");
}

#[cfg(target_os = "linux")]
#[test]
fn arguments_that_are_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let output = command().arg(OsStr::from_bytes(b"\xff")).output().expect("the engine runs");
    assert_eq!(output.status.code(), Some(2));
}

/// Who has read enough is no failure.
#[cfg(unix)]
#[test]
fn a_closed_reader_was_a_failure_of_bench() {
    let folder = Folder::new("closed");
    let [book, games] = ["book.bin", "games.pgn"].map(|name| folder.join(name));
    std::fs::write(&book, [0; 16]).expect("a book");
    std::fs::write(&games, "1. e4 *\n").expect("a game");
    let [book, games] = [&book, &games].map(|path| path.to_str().expect("text"));
    for arguments in [
        &["go", "depth", "2"][..],
        &["bench", "1"],
        &["perft", "3"],
        &["eval", "startpos"],
        &["book", book],
        &["analyse", "--nodes", "10", games],
        &["completions", "bash"],
        &["man"],
        &["--help"],
        // A program that gives orders by UCI, and is gone.
        &[],
    ] {
        let mut command = command();
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        drop(child.stdout.take());
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(b"uci\ngo infinite\n").ok();
        let output = child.wait_with_output().expect("it ends");
        drop(input);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        // An analysis says there which files it wrote.
        assert!(output.stderr.is_empty() || arguments[0] == "analyse", "{output:?}");
    }
}

/// A full disk is no success.
#[cfg(target_os = "linux")]
#[test]
fn no_room_for_the_output() {
    for arguments in [&["perft", "2"][..], &["go", "depth", "2"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
        let output = command().args(arguments).stdout(full).output().expect("the engine runs");
        assert_eq!(output.status.code(), Some(1));
        assert!(!output.stderr.is_empty());
    }
}
