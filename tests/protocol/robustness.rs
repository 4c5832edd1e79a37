//! Whatever comes in, the engine stays.

use std::time::Duration;

use zebu::board::Position;

use crate::driver::{Engine, answers, command, last_line, number_after, word_after};

/// The engine still answers, from the starting position.
fn is_well(engine: &mut Engine) {
    let found = engine.talk(&["position startpos", "go depth 2"]);
    assert!(found.iter().any(|line| line.starts_with("bestmove")), "{found:?}");
}

#[test]
fn carriage_returns() {
    let mut engine = Engine::start();
    engine.send_bytes(b"uci\r\n");
    engine.wait_for("uciok");
    engine.send_bytes(
        b"setoption name MultiPV value 2\r\nposition startpos moves e2e4\r\ngo depth 2\r\n",
    );
    let found = engine.until("bestmove");
    assert!(found.iter().any(|line| line.contains("multipv 2")), "{found:?}");
    assert!(found.iter().all(|line| !line.contains('\r')));
}

#[test]
fn a_byte_order_mark_at_the_start() {
    let mut engine = Engine::start();
    engine.send_bytes(b"\xef\xbb\xbfisready\n");
    assert_eq!(engine.until("readyok").len(), 1);
}

#[test]
fn bytes_that_are_no_text() {
    let mut engine = Engine::start();
    engine.send_bytes(b"\xff\xfe\x00\x01\x80 hello\n");
    assert!(engine.sync()[0].contains("error: unknown command"));
    engine.send_bytes(b"position startpos moves e2\xe94\nsetoption name H\xffsh value 1\ngo dep\xffth 1 nodes 10\n");
    engine.wait_for("bestmove");
    engine.send_bytes(b"\0\0\0\n\x1b[2J\n");
    let told = engine.sync();
    assert!(told.iter().all(|line| !line.contains('\x1b')), "{told:?}");
    is_well(&mut engine);
}

#[test]
fn letters_of_other_scripts() {
    let mut engine = Engine::start();
    for line in [
        "позиция",
        "position fen ♔♕/8 w - - 0 1",
        "position startpos moves é2e4",
        "position startpos moves e2é",
        "go depth ٣ nodes 5",
        "setoption name Häsh value ß",
        "İ setoption name Hash value 1",
    ] {
        engine.send(line);
    }
    engine.sync();
    is_well(&mut engine);
}

#[test]
fn lines_of_a_megabyte() {
    let mut engine = Engine::start();
    for line in [
        "x".repeat(1 << 20),
        "x ".repeat(1 << 19),
        format!("position startpos moves {}", "e2e4 ".repeat(200_000)),
        format!("position fen {}", "8/".repeat(500_000)),
        format!("position fen {}", "p".repeat(1_000_000)),
        format!("setoption name {}", "Hash ".repeat(200_000)),
        format!("setoption name Hash value {}", "9".repeat(1_000_000)),
        format!("setoption name Debug Log File value {}", "/x".repeat(500_000)),
        format!("go depth {} nodes 10", "9".repeat(1_000_000)),
        format!("go nodes 10 searchmoves {}", "e2e4 ".repeat(200_000)),
    ] {
        engine.send(&line);
        let told = engine.sync();
        assert!(told.iter().all(|line| line.len() < 400), "an answer is as long as the question");
    }
    is_well(&mut engine);
}

#[test]
fn games_of_ten_thousand_plies() {
    let mut engine = Engine::start();
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2500).join(" ");
    engine.send(&format!("position startpos moves {moves}"));
    let found = engine.talk(&["d", "go depth 3"]);
    assert!(found.iter().any(|line| line.starts_with("Fen: rnbqkbnr/pppppppp")), "{found:?}");
    assert!(found.iter().any(|line| line.starts_with("bestmove")));
    let wrong = format!("position startpos moves {moves} e2e5 e7e5");
    assert!(answers(&[&wrong])[0].contains("move 10001 of the list, 'e2e5'"));
}

#[test]
fn queens_everywhere() {
    let fen = "position fen QQQQQQ1k/Q6Q/8/8/8/8/8/K7 b - - 0 1";
    let many = "position fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    for position in [fen, many] {
        let mut engine = Engine::start();
        engine.send(position);
        engine.send("go movetime 100");
        engine.wait_for("bestmove");
        is_well(&mut engine);
    }
}

#[test]
fn a_command_without_a_line_end() {
    let mut engine = Engine::start();
    engine.send_bytes(b"go depth 1\nuci");
    engine.close_input();
    engine.wait_for("uciok");
    assert!(engine.end().success());
}

/// However early a stop comes, the move was searched.
#[test]
fn a_move_is_never_without_a_search() {
    let mut engine = Engine::start();
    engine.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    for _ in 0..20 {
        engine.send("go infinite\nstop");
        assert_eq!(engine.wait_for("bestmove"), "bestmove a1a8");
    }
}

/// A stop ends every search that was asked for before it, whatever stands between them.
#[test]
fn a_stop_stops_all_that_was_asked_for() {
    let between = ["go infinite\nucinewgame", "position startpos moves e2e4\ngo infinite"];
    for between in between.into_iter().cycle().take(10) {
        let mut engine = Engine::start();
        engine.send(&format!("go infinite\n{between}\nstop"));
        engine.wait_for("bestmove");
        engine.wait_for("bestmove");
        assert!(engine.is_silent("bestmove", Duration::from_millis(20)));
        is_well(&mut engine);
    }
}

/// A hit belongs to the last `go ponder`, even if the search before it has not ended yet.
#[test]
fn a_hit_is_for_the_last_search() {
    for _ in 0..30 {
        let mut engine = Engine::start();
        engine.send(
            "position startpos\ngo ponder wtime 1000 btime 1000\nstop\n\
             position startpos moves e2e4\ngo ponder wtime 200 btime 200\nponderhit",
        );
        engine.wait_for("bestmove");
        let second = engine.wait_for("bestmove");
        let position = Position::start();
        let position = position.after(position.parse_uci("e2e4").unwrap());
        assert!(position.parse_uci(word_after(&second, "bestmove").unwrap()).is_ok(), "{second}");
    }
}

#[test]
fn a_position_refused_during_a_search_is_for_the_next() {
    let mut engine = Engine::start();
    engine.send("go infinite\nposition startpos moves e2e5\ngo depth 1\nposition startpos");
    engine.send("go depth 1\nstop");
    assert_ne!(engine.wait_for("bestmove"), "bestmove 0000");
    assert_eq!(engine.wait_for("bestmove"), "bestmove 0000");
    assert_ne!(engine.wait_for("bestmove"), "bestmove 0000");
}

#[test]
fn counts_can_be_stopped() {
    // The first position of the benchmark alone takes minutes.
    for (task, name) in [("bench 40", "bench"), ("go perft 12", "perft")] {
        let mut engine = Engine::start();
        engine.send(&format!("{task}\n{task}"));
        engine.sync();
        engine.send("stop");
        for _ in 0..2 {
            engine.wait_for(&format!("info string error: {name}: it was stopped"));
        }
        is_well(&mut engine);
    }
}

/// Commands in a pipe: each is answered, and in their order.
#[test]
fn what_a_script_asks_for_is_finished() {
    let script = "position startpos\ngo depth 10\nposition startpos moves e2e4\ngo depth 8\n\
                  go perft 2\n";
    for end in ["quit\n", "", "go infinite\nquit\n", "go infinite\n"] {
        let mut engine = Engine::start();
        engine.send_bytes(format!("{script}{end}").as_bytes());
        engine.close_input();
        for depth in [10, 8] {
            let told = engine.until("bestmove");
            let last = last_line(&told);
            assert_eq!(number_after(last, "depth"), Some(depth), "{end}: {told:?}");
        }
        engine.wait_for("Nodes searched: 600");
        if end.contains("infinite") {
            engine.wait_for("bestmove");
        }
        assert!(engine.end().success());
    }
}

#[test]
fn closed_output() {
    let mut child = command()
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, b"uci\ngo infinite\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    drop(stdin);
}

/// What a thread had is given back when it ends.
#[test]
#[cfg(target_os = "linux")]
fn threads_that_ended_keep_no_memory() {
    let mut engine = Engine::start();
    engine.talk(&["go depth 5"]);
    let before = engine.memory();
    for _ in 0..3 {
        engine.talk(&["setoption name Threads value 32", "go depth 5"]);
        engine.talk(&["setoption name Threads value 1", "go depth 5"]);
    }
    let after = engine.memory();
    assert!(after < before + (40 << 20), "{before} bytes before, {after} after");
}
