//! Searches and their reports.

use std::time::Duration;

use engine::board::{Game, Position};

use crate::driver::{Engine, answers, best_move, last_line, number_after, word_after};

const POSITIONS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
];

/// The moves of each principal variation, checked by the board.
fn lines_of_play(fen: &str, answers: &[String]) -> usize {
    let start: Position = fen.parse().unwrap();
    let mut count = 0;
    for line in answers.iter().filter(|line| line.contains(" pv ")) {
        let mut game = Game::new(start);
        for word in line.split_whitespace().skip_while(|&word| word != "pv").skip(1) {
            let mv = game.position().parse_uci(word);
            game.play(mv.unwrap_or_else(|error| panic!("{word}, {error}: {line}")));
        }
        count += 1;
    }
    count
}

#[test]
fn every_move_told_is_legal() {
    for fen in POSITIONS {
        for setup in ["setoption name MultiPV value 3", "setoption name Threads value 2"] {
            let found = answers(&[setup, &format!("position fen {fen}"), "go depth 9"]);
            assert!(lines_of_play(fen, &found) > 0);
            let first = found.iter().rfind(|line| line.contains("multipv 1 ")).unwrap();
            assert_eq!(word_after(first, "pv"), Some(best_move(&found)), "{found:?}");
        }
    }
}

#[test]
fn the_first_limit_that_is_reached_wins() {
    let depth = |go: &str| number_after(last_line(&answers(&[go])), "depth").unwrap();
    assert_eq!(depth("go depth 3 movetime 60000 nodes 100000000"), 3);
    assert_eq!(depth("go nodes 100000000 wtime 6000000 btime 6000000 depth 3"), 3);
    assert!(depth("go depth 200 nodes 2000") < 20);
    assert!(depth("go depth 200 movetime 1000") < 60);
    let found = answers(&["go nodes 20000 depth 200"]);
    assert!(number_after(last_line(&found), "nodes").unwrap() <= 20_001, "{found:?}");
}

#[test]
fn infinite_holds_the_best_move_back() {
    let mut engine = Engine::start();
    for position in [
        "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
        "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    ] {
        engine.send(position);
        engine.send("go infinite depth 3");
        assert!(engine.is_silent("bestmove", Duration::from_millis(100)), "{position}");
        engine.send("stop");
        engine.wait_for("bestmove");
    }
    assert!(engine.is_silent("bestmove", Duration::from_millis(100)), "told once");
}

#[test]
fn pondering_holds_the_best_move_back_until_the_hit() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4 e7e5");
    engine.send("go ponder wtime 300 btime 300");
    assert!(engine.is_silent("bestmove", Duration::from_millis(400)));
    engine.send("ponderhit");
    engine.wait_for("bestmove");
    engine.send("go wtime 300 btime 300 depth 2 ponder");
    assert!(engine.is_silent("bestmove", Duration::from_millis(100)));
    engine.send("ponderhit");
    engine.wait_for("bestmove");
    engine.send("go ponder wtime 60000 btime 60000");
    engine.send("stop");
    engine.wait_for("bestmove");
    assert!(engine.is_silent("bestmove", Duration::from_millis(100)), "told once");
}

/// The move that answers a hit comes with a score, even if the search does no more.
#[test]
fn a_hit_is_answered_with_a_score() {
    let mut engine = Engine::start();
    for position in ["position startpos", "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"] {
        engine.send(position);
        engine.send("go ponder wtime 100 btime 100 depth 8");
        engine.until("info depth 8 ");
        engine.sync();
        engine.send("ponderhit");
        let told = engine.until("bestmove");
        assert!(told.iter().any(|line| line.contains(" score ")), "{told:?}");
    }
    engine.send("go ponder wtime 100 btime 100 depth 8");
    engine.until("info depth 8 ");
    engine.sync();
    engine.send("stop");
    assert_eq!(engine.until("bestmove").len(), 1);
}

#[test]
fn long_searches_tell_the_current_move() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    let line = engine.wait_for("info depth");
    assert!(!line.contains("currmove"));
    let lines = engine.until_containing("currmovenumber");
    let current = lines.last().unwrap();
    assert!(Position::start().parse_uci(word_after(current, "currmove").unwrap()).is_ok());
    engine.send("stop");
    engine.wait_for("bestmove");
}

/// Whichever thread's line is told at last.
#[test]
fn nodes_never_fall() {
    let mut engine = Engine::start();
    engine.send("setoption name Threads value 3");
    for round in 0..60 {
        let fen = POSITIONS[round % 4];
        let told = engine.talk(&[&format!("position fen {fen}"), "go movetime 2"]);
        let nodes: Vec<i64> = told.iter().filter_map(|line| number_after(line, "nodes")).collect();
        assert!(nodes.is_sorted(), "{told:?}");
    }
}
