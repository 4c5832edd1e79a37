//! Each option does something, and this fails when it does not.

use std::fs;
use std::path::Path;
use std::time::Duration;

use engine::eval::file::NetFile;

#[cfg(target_os = "linux")]
use crate::driver::count;
use crate::driver::{Engine, answers, best_move, last_line, number_after, word_after};
use crate::folder::Folder;

/// Only one move is legal.
const FORCED: &str = "position fen k5r1/8/8/8/8/8/8/7K w - - 0 1";

#[test]
fn hash_and_its_size() {
    // Before there is a table, and in place of one.
    for before in ["debug off", "go depth 1"] {
        let full = |megabytes: &str| {
            let set = format!("setoption name Hash value {megabytes}");
            number_after(last_line(&answers(&[before, &set, "go nodes 150000"])), "hashfull")
        };
        let (small, large) = (full("1").unwrap(), full("64").unwrap());
        assert!(small > 4 * large.max(1), "{small} per mille of 1 MB, {large} of 64");
    }
}

#[test]
fn hash_refused_keeps_the_old_table() {
    let mut engine = Engine::start();
    engine.talk(&["setoption name Hash value 1", "go nodes 150000"]);
    engine.talk(&["setoption name Hash value 33554432"]);
    let after = engine.talk(&["go nodes 150000"]);
    assert!(number_after(last_line(&after), "hashfull").unwrap() > 100, "{after:?}");
}

#[test]
fn clear_hash_and_ucinewgame_forget() {
    for forget in ["setoption name Clear Hash", "ucinewgame"] {
        let mut engine = Engine::start();
        let mut nodes = |before: &[&str]| {
            engine.talk(before);
            number_after(last_line(&engine.talk(&["go depth 8"])), "nodes")
        };
        let first = nodes(&[]);
        assert_ne!(first, nodes(&[]), "the second search knows what the first learned");
        assert_eq!(first, nodes(&[forget]), "{forget}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn threads_are_started() {
    let mut engine = Engine::start();
    engine.sync();
    let process = engine.id();
    let alone = count(process, "task");
    engine.talk(&["setoption name Threads value 4"]);
    assert_eq!(count(process, "task"), alone + 3);
    let found = engine.talk(&["go depth 10"]);
    assert!(best_move(&found).len() >= 4);
    engine.talk(&["setoption name Threads value 1"]);
    assert_eq!(count(process, "task"), alone);
    let nodes = |answers: &[String]| number_after(last_line(answers), "nodes");
    let again = engine.talk(&["ucinewgame", "go depth 8"]);
    assert_eq!(nodes(&again), nodes(&answers(&["go depth 8"])), "one thread is deterministic");
}

#[test]
fn ponder_spends_more_time() {
    let soft = |lines: &[&str]| soft_limit(&answers(lines));
    let go = "go wtime 60000 btime 60000 depth 1";
    let usual = soft(&["debug on", go]);
    let pondering = soft(&["debug on", "setoption name Ponder value true", go]);
    assert!(pondering > usual + usual / 8, "{usual} ms, {pondering} ms when pondering");
    let off =
        ["debug on", "setoption name Ponder value true", "setoption name Ponder value false", go];
    assert_eq!(usual, soft(&off));
}

#[test]
fn move_overhead_is_kept_back() {
    let plan = |overhead: &str, left: u32| {
        let set = format!("setoption name Move Overhead value {overhead}");
        let go = format!("go wtime {left} btime {left} depth 1");
        soft_limit(&answers(&["debug on", &set, &go]))
    };
    assert!(plan("0", 60_000) > plan("500", 60_000));
    assert!(plan("5000", 5000) < 10);
}

#[test]
fn multipv_shows_lines() {
    let found = answers(&["setoption name MultiPV value 3", "go depth 4"]);
    let deepest: Vec<_> = found.iter().filter(|line| line.contains("info depth 4 ")).collect();
    let firsts: Vec<_> = deepest.iter().map(|line| word_after(line, "pv").unwrap()).collect();
    assert_eq!(deepest.len(), 3, "{found:?}");
    assert!(firsts[0] != firsts[1] && firsts[1] != firsts[2] && firsts[0] != firsts[2]);
    assert_eq!(firsts[0], best_move(&found));
    for (i, line) in deepest.iter().enumerate() {
        assert_eq!(number_after(line, "multipv"), Some(i as i64 + 1));
    }
    let all = answers(&["setoption name MultiPV value 256", "go depth 2"]);
    assert_eq!(all.iter().filter(|line| line.contains("info depth 2 ")).count(), 20);
    let one = answers(&["go depth 4"]);
    assert_eq!(one.iter().filter(|line| line.contains("info depth 4 ")).count(), 1);
}

#[test]
fn chess960_writes_castling_as_the_king_taking_its_rook() {
    let castle = "position fen 7k/6pp/8/8/8/8/8/4K2R w K - 0 1";
    let go = "go depth 1 searchmoves e1g1";
    assert_eq!(best_move(&answers(&[castle, go])), "e1g1");
    assert_eq!(
        best_move(&answers(&["setoption name UCI_Chess960 value true", castle, go])),
        "e1h1"
    );
    let root = answers(&["setoption name UCI_Chess960 value true", castle, "go perft 1"]);
    assert!(root.contains(&"e1h1: 1".to_string()), "{root:?}");
}

#[test]
fn show_wdl_adds_chances() {
    let line = |lines: &[&str]| last_line(&answers(lines)).to_string();
    assert!(!line(&["go depth 2"]).contains(" wdl "));
    let with = line(&["setoption name UCI_ShowWDL value true", "go depth 2"]);
    let chances: Vec<i64> = with
        .split_whitespace()
        .skip_while(|&word| word != "wdl")
        .skip(1)
        .take(3)
        .map(|word| word.parse().unwrap())
        .collect();
    assert_eq!(chances.iter().sum::<i64>(), 1000, "{with}");
    let off = ["setoption name UCI_ShowWDL value true", "setoption name UCI_ShowWDL value false"];
    assert!(!line(&[off[0], off[1], "go depth 2"]).contains(" wdl "));
}

#[test]
fn analyse_mode_thinks_about_forced_moves_too() {
    let depth = |lines: &[&str]| number_after(last_line(&answers(lines)), "depth").unwrap();
    let go = "go wtime 4000 btime 4000";
    assert_eq!(depth(&[FORCED, go]), 1);
    assert!(depth(&["setoption name UCI_AnalyseMode value true", FORCED, go]) > 1);
}

#[test]
fn debug_log_file_keeps_both_directions() {
    let folder = Folder::new("debug log");
    let file = folder.join("debug.log");
    let mut engine = Engine::start();
    engine.talk(&[&format!("setoption name Debug Log File value {}", file.display())]);
    engine.talk(&["go depth 1"]);
    engine.talk(&["setoption name Debug Log File value <empty>"]);
    engine.talk(&["position startpos moves a2a3"]);
    let text = fs::read_to_string(&file).expect("the file was written");
    assert!(text.contains(">> go depth 1\n") && text.contains("\n<< bestmove "), "{text}");
    assert!(!text.contains("a2a3\n>> isready") && !text.contains("position"), "{text}");
}

#[test]
fn eval_file_judges_in_place_of_the_network_that_is_built_in() {
    let folder = Folder::new("networks");
    let (good, bad) = (folder.join("good.net"), folder.join("bad.net"));
    let built_in = include_bytes!("../../src/engine/eval/zebu.net");
    let mut net = NetFile::parse(built_in).expect("the network that is built in");
    // The first sum of each output bucket is added to the evaluation as it is.
    net.output_biases.iter_mut().step_by(1 + net.sums).for_each(|bias| *bias += 1_000_000);
    fs::write(&good, net.to_bytes()).expect("the folder can be written");
    fs::write(&bad, &built_in[..built_in.len() - 1]).expect("the folder can be written");

    let mut engine = Engine::start();
    let mut score = |before: &str| {
        let told = engine.talk(&[before, "eval"]);
        let errors = told.iter().filter(|line| line.contains("error")).cloned().collect::<Vec<_>>();
        (told.iter().find_map(|line| number_after(line, "string")), errors)
    };
    let set = |file: &Path| format!("setoption name EvalFile value {}", file.display());
    let (usual, _) = score("position startpos");
    let (other, errors) = score(&set(&good));
    assert!(other != usual && errors.is_empty(), "{usual:?}, {other:?}: {errors:?}");
    for file in [&bad, &folder.join("missing.net"), &*folder] {
        let (after, errors) = score(&set(file));
        assert_eq!((after, errors.len()), (other, 1), "the old one stays: {errors:?}");
        assert!(errors[0].starts_with("info string error: option EvalFile: "), "{errors:?}");
    }
    assert_eq!(score("setoption name EvalFile value <empty>").0, usual);
}

#[test]
fn options_during_a_search_take_effect_after_it() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.send("setoption name MultiPV value 2");
    engine.send("setoption name UCI_ShowWDL value true");
    engine.send("position startpos moves e2e4");
    assert!(engine.is_silent("bestmove", Duration::from_millis(100)));
    engine.send("stop");
    engine.send("go depth 3");
    let first = engine.until("bestmove");
    assert!(first.iter().all(|line| !line.contains("multipv 2") && !line.contains("wdl")));
    let second = engine.until("bestmove");
    let last = second.iter().rfind(|line| line.contains("multipv 2")).expect("the second line");
    assert!(last.contains("wdl"), "{last}");
    assert!(best_move(&second).ends_with(['5', '6']), "Black moves: {second:?}");
}

/// The soft limit in milliseconds that a search in debug mode tells.
fn soft_limit(answers: &[String]) -> i64 {
    let told = answers.iter().find_map(|line| number_after(line, "soft"));
    told.unwrap_or_else(|| panic!("no soft limit: {answers:?}"))
}

/// The GUI's clock tells what a move costs beyond the time that was spent on it, while it ponders too.
#[test]
fn a_clock_that_loses_time_is_kept_back_from() {
    for ponder in ["", " ponder"] {
        let limit = |engine: &mut Engine, left: u32| {
            engine.send(&format!("go{ponder} wtime {left} btime 60000 depth 1\nstop"));
            soft_limit(&engine.until("bestmove"))
        };
        // Of 57 seconds three were lost, or nothing that is known of.
        let mut engine = Engine::start();
        engine.send("debug on");
        let alone = limit(&mut engine, 57_000);
        let mut engine = Engine::start();
        engine.talk(&["debug on", "position startpos", "go wtime 60000 btime 60000 depth 1"]);
        engine.send("position startpos moves e2e4 e7e5");
        assert!(limit(&mut engine, 57_000) < alone, "go{ponder}");
    }
}
