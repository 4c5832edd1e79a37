//! The options about endgame tables, with tables, damaged ones, and none.

use std::path::Path;
use std::{env, fs};

use crate::data::data;
use crate::driver::{Engine, last_line, number_after};
use crate::folder::Folder;

fn set(folders: &[&Path]) -> String {
    let folders = env::join_paths(folders).expect("no folder has the separator in its name");
    format!("setoption name SyzygyPath value {}", folders.display())
}

fn errors(answers: &[String]) -> Vec<&String> {
    answers.iter().filter(|line| line.contains("error")).collect()
}

const WON: &str = "position fen 8/8/8/8/3k4/8/1KBN4/8 w - - 50 90";

#[test]
fn each_option_does_something() {
    let Some(tables) = data("syzygy") else { return };
    let mut engine = Engine::start();
    let mut hits = |before: &[&str]| {
        engine.talk(before);
        number_after(last_line(&engine.talk(&["go depth 4"])), "tbhits").unwrap()
    };
    // Taking the rook leaves four pieces.
    let five = "position fen 3r3k/8/5K2/8/8/8/p7/3Q4 w - - 0 1";
    assert_eq!(hits(&[five]), 0);
    assert!(hits(&[&set(&[&tables])]) > 0);
    assert_eq!(hits(&["setoption name SyzygyProbeLimit value 2", "ucinewgame"]), 0);
    assert!(hits(&["setoption name SyzygyProbeLimit value 4", "ucinewgame"]) > 0);
    assert_eq!(hits(&["setoption name SyzygyProbeDepth value 50", "ucinewgame"]), 0);
    assert_eq!(hits(&["setoption name SyzygyPath value <empty>", WON]), 0);

    let mut score = |before: &[&str]| {
        engine.talk(before);
        number_after(last_line(&engine.talk(&["go depth 4"])), "cp").unwrap()
    };
    assert_eq!(score(&[&set(&[&tables]), WON]), 0);
    assert_eq!(score(&["setoption name Syzygy50MoveRule value false"]), 20_000 - 56);
}

#[test]
fn several_folders() {
    let Some(tables) = data("syzygy") else { return };
    let (first, second) = (Folder::new("first"), Folder::new("second"));
    let names = ["KBNvK.rtbw", "KBNvK.rtbz", "KNvK.rtbw", "KBvK.rtbw"];
    for (folder, name) in [&first, &second, &second, &second].into_iter().zip(names) {
        let bytes = fs::read(tables.join(name)).expect("a table");
        fs::write(folder.join(name), bytes).expect("the folder can be written");
    }
    let mut engine = Engine::start();
    let told = engine.talk(&[&set(&[&first, &second])]);
    assert_eq!(told, ["info string 4 tables of up to 4 pieces"]);
    let known = "Tablebase: WDL 2, DTZ 56".to_string();
    assert!(engine.talk(&[WON, "d"]).contains(&known));
    // What is wrong changes nothing.
    for wrong in [&first.join("KBNvK.rtbw"), &first.join("none")] {
        let told = engine.talk(&[&set(&[&second, wrong])]);
        let beginning = format!("info string error: option SyzygyPath: {}: ", wrong.display());
        assert!(told.len() == 1 && told[0].starts_with(&beginning), "{told:?}");
        assert!(engine.talk(&["d"]).contains(&known));
    }
    assert!(!engine.talk(&["setoption name SyzygyPath value", "d"]).contains(&known));
}

#[test]
fn no_folder_and_no_tables() {
    let empty = Folder::new("empty");
    let mut engine = Engine::start();
    for (wrong, reason) in [(&*empty, "there are no tables in it"), (&*empty.join("none"), "")] {
        let told = engine.talk(&[&set(&[wrong])]);
        let wanted = format!("info string error: option SyzygyPath: {}: {reason}", wrong.display());
        assert!(told.len() == 1 && told[0].starts_with(&wanted), "{told:?}");
        assert!(errors(&engine.talk(&["go depth 2"])).is_empty());
    }
    let cut = empty.join("KQvK.rtbw");
    fs::write(&cut, [0; 1000]).expect("the folder can be written");
    let told = engine.talk(&[&set(&[&empty])]);
    assert!(told.len() == 1 && told[0].ends_with("KQvK.rtbw: no whole table has this size"));
}

/// An empty table of the right size is discovered when it is probed, and reported once.
#[test]
fn a_damaged_table() {
    let damaged = Folder::new("damaged");
    for end in ["rtbw", "rtbz"] {
        fs::write(damaged.join("KQvK").with_extension(end), [0; 80]).expect("it can be written");
    }
    let mut engine = Engine::start();
    let queen = "position fen 8/8/8/8/3k4/8/1KQ5/8 w - - 0 1";
    let told = engine.talk(&[&set(&[&damaged])]);
    assert_eq!(told, ["info string 2 tables of up to 3 pieces"]);
    engine.talk(&[queen]);
    engine.send("go depth 4");
    let mut told = engine.until("bestmove");
    engine.send("go depth 5");
    told.extend(engine.until("bestmove"));
    let error = "info string error: option SyzygyPath: KQvK.rtbw: it is damaged";
    assert_eq!(errors(&told), [error]);
}
