//! Whatever comes in, the engine stays.

use std::time::Duration;

use engine::board::Position;

use crate::driver::{Engine, answers, last_line, number_after, word_after};

/// The engine still answers, from the starting position.
fn is_well(engine: &mut Engine) {
    let found = engine.talk(&["position startpos", "go depth 2"]);
    assert!(found.iter().any(|line| line.starts_with("bestmove")), "{found:?}");
}

#[test]
fn bytes_that_are_no_text() {
    let mut engine = Engine::start();
    engine.send_bytes(b"\xef\xbb\xbfisready\n");
    assert_eq!(engine.until("readyok").len(), 1, "a byte order mark says nothing");
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
    for end in ["quit\n", "", "go infinite\nquit\n", "go infinite"] {
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
