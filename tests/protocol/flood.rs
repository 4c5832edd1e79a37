//! More comes in than anybody means: memory stays, and what counts still passes.

use std::io::Write;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::driver::{Engine, command, memory};

/// What the engine may have beyond 16 MB of Hash, whatever comes in.
const MOST: u64 = 100 << 20;

fn errors(told: &[String]) -> usize {
    told.iter().filter(|line| line.starts_with("info string error")).count()
}

#[test]
fn a_line_without_an_end_filled_the_memory() {
    let mut engine = Engine::start();
    for _ in 0..64 {
        engine.send_bytes(&[b'x'; 1 << 20]);
    }
    let told = engine.until("info string error: a line of more than 1 MB is skipped");
    assert_eq!(told.len(), 1);
    engine.send("\nisready");
    assert_eq!(engine.until("readyok").len(), 1, "one error for a line");
    assert!(memory(engine.id(), "VmHWM") < MOST);
}

#[test]
fn a_reader_who_sleeps_made_lines_pile_up() {
    let mut child =
        command().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the engine starts");
    let mut input = child.stdin.take().expect("a pipe");
    let flood = thread::spawn(move || {
        // More than the pipes hold: the writer waits as the reader does, until the engine is gone.
        let lines = "isready\n".repeat(1000);
        (0..100_000).take_while(|_| input.write_all(lines.as_bytes()).is_ok()).count()
    });
    thread::sleep(Duration::from_secs(1));
    assert!(memory(child.id(), "VmHWM") < MOST);
    child.kill().and_then(|()| child.wait()).expect("it ends");
    let written = flood.join().expect("the writer ends");
    assert!(written < 100, "{written} kilolines were taken");
}

/// While a search runs, reading never stops; what does not fit is refused, and a position may be lost by it.
#[test]
fn what_waits_for_a_search_filled_the_memory() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(250).join(" ");
    let position = format!("position startpos moves {moves}\n");
    for _ in 0..50 {
        engine.send_bytes(position.repeat(100).as_bytes());
    }
    engine.send("go depth 1");
    let told = engine.sync();
    assert_eq!(errors(&told), 1, "one error for all that does not fit");
    assert!(memory(engine.id(), "VmHWM") < MOST);
    engine.forget();
    engine.send("stop");
    engine.wait_for("bestmove");
    engine.send("go depth 1");
    let told = engine.until("bestmove");
    assert!(told[told.len() - 2].ends_with("the last position was refused"), "{told:?}");
    assert_eq!(told.last().map(String::as_str), Some("bestmove 0000"));
    engine.send("position startpos\ngo depth 1");
    assert_ne!(engine.wait_for("bestmove"), "bestmove 0000");
}

#[test]
fn a_long_line_gets_one_short_answer() {
    let mut engine = Engine::start();
    for (start, part) in [
        ("", "x "),
        ("position startpos moves ", "e2e4 "),
        ("position fen ", "8/"),
        ("setoption name Hash value ", "9"),
        ("setoption name Debug Log File value ", "/x"),
        // The last: what comes after it may wait for its search.
        ("go depth 1 ", "foo "),
    ] {
        engine.send(&format!("{start}{}", part.repeat(1_000_000 / part.len())));
        let told = engine.sync();
        assert!(errors(&told) == 1 && told.iter().all(|line| line.len() < 400), "{told:?}");
    }
}

/// Windows ends lines by two letters, and old programs for the Mac by the first of them.
#[test]
fn a_bare_carriage_return_was_no_end_of_a_line() {
    let mut engine = Engine::start();
    engine.send_bytes(b"position startpos moves a2a3\r\nd\r");
    let told = engine.until("Fen: rnbqkbnr/pppppppp/8/8/8/P7");
    assert!(told.iter().all(|line| !line.contains('\r')), "{told:?}");
}

/// An output that nobody reads must not hold up what comes in: the end of input ends the engine once
/// it is read again.
#[test]
fn a_reader_that_stalls() {
    let mut child =
        command().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the engine starts");
    let mut input = child.stdin.take().expect("standard input is a pipe");
    // More than a pipe holds.
    for _ in 0..200 {
        input.write_all(b"uci\nd\n").expect("the engine reads");
    }
    input.write_all(b"go depth 3\n").expect("the engine reads");
    drop(input);
    let output = child.wait_with_output().expect("the engine ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success());
    assert_eq!(text.matches("uciok").count(), 200);
    assert_eq!(text.matches("bestmove").count(), 1);
}
