//! The engine alone, as a process.

#[path = "../protocol/driver.rs"]
#[allow(dead_code)]
mod driver;
#[cfg(feature = "tune")]
mod tunables;

use engine::board::Position;

/// Exit code and standard output.
fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let output = driver::command().args(arguments).output().expect("the engine runs");
    (output.status.code(), String::from_utf8(output.stdout).expect("text"))
}

#[test]
fn an_argument_is_a_command() {
    let (code, out) = run(&["bench", "3"]);
    let last = out.lines().last().expect("a count").to_string();
    assert!(code == Some(0) && last.ends_with("nps"), "{out}");
    assert!(run(&["go depth 3"]).1.lines().last().expect("a move").starts_with("bestmove"));
    for wrong in [&["frobnicate"][..], &["go", "depth"], &["bench", "x"]] {
        assert_eq!(run(wrong).0, Some(1), "{wrong:?}");
    }
}

#[test]
fn it_speaks_uci() {
    let lines = driver::answers(&["uci", "go depth 3"]);
    assert!(
        lines.iter().any(|line| line == "uciok") && lines.last().unwrap().starts_with("bestmove")
    );
}

/// Openings as OpenBench asks for them.
#[test]
fn genfens() {
    let fens = |request: &str| {
        let (code, out) = run(&[request, "quit"]);
        assert_eq!(code, Some(0), "{request}");
        let fens =
            out.lines().map(|line| line.strip_prefix("info string genfens ").expect("a FEN"));
        fens.map(str::to_string).collect::<Vec<_>>()
    };
    let random = fens("genfens 5 seed 7 book None");
    assert_eq!(random.len(), 5);
    assert!(random.iter().all(|fen| fen.parse::<Position>().is_ok()), "{random:?}");
    assert_eq!(random, fens("genfens 5 seed 7 book None"));
    assert_ne!(random, fens("genfens 5 seed 8 book None"));
    let book = fens("genfens 3 seed 1 book bench.fens");
    assert_eq!(book.len(), 3);
    let even = fens("genfens 5 seed 7 book None balance 20");
    assert!(even != random && even == fens("genfens 5 seed 7 book None balance 20 x"), "{even:?}");
    let wrong = ["genfens x seed 7 book None", "genfens 5", "genfens 5 seed 7 book None balance 0"];
    for wrong in wrong {
        assert_eq!(run(&[wrong, "quit"]).0, Some(1), "{wrong}");
    }
    assert_eq!(run(&["genfens 1 seed 1 book /nowhere/book.epd"]).0, Some(1));
}
