//! Opening books, as a GUI and a user at the command line meet them.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use engine::board::{Game, Position};
use engine::notation::book;

use crate::driver::{Engine, best_move, command};
use crate::folder::Folder;

/// The moves of the start, and one after 1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5: castling, as books write it.
const START: [(&str, &str, u16); 3] = [("", "e2e4", 60), ("", "d2d4", 30), ("", "a2a3", 0)];
const ITALIAN: &str = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5";

/// A book of moves with weights, each after other moves.
fn bytes(moves: &[(&str, &str, u16)]) -> Vec<u8> {
    let entry = |&(before, mv, weight): &(&str, &str, u16)| {
        let mut game = Game::new(Position::start());
        for word in before.split_whitespace() {
            game.play(game.position().parse_uci(word).expect("a legal move"));
        }
        let square = |i: usize| {
            let square: engine::board::Square = mv[i..i + 2].parse().expect("a square");
            u16::from(square.index())
        };
        let coded = square(0) << 6 | square(2);
        let key = book::key(&game);
        let mut bytes = key.to_be_bytes().to_vec();
        bytes.extend([coded.to_be_bytes(), weight.to_be_bytes(), [0; 2], [0; 2]].as_flattened());
        (key, bytes)
    };
    let mut entries: Vec<_> = moves.iter().map(entry).collect();
    entries.sort_by_key(|&(key, _)| key);
    entries.into_iter().flat_map(|(_, bytes)| bytes).collect()
}

/// A book is searched on the disk, where others may write.
#[test]
fn a_book_that_is_cut_off_while_it_is_open() {
    let folder = Folder::new("cut book");
    let path = folder.join("book.bin");
    fs::write(&path, bytes(&START)).expect("the book can be written");
    let mut engine = Engine::start();
    engine.talk(&[&book_file(&path), "setoption name OwnBook value true"]);
    fs::File::options().write(true).open(&path).and_then(|file| file.set_len(7)).expect("a file");
    let told = engine.talk(&["go depth 1"]);
    assert!(told.iter().any(|line| line.starts_with("info depth 1 ")), "{told:?}");
}

fn book_file(path: &Path) -> String {
    format!("setoption name BookFile value {}", path.display())
}

/// An engine that plays from this book.
fn engine(book: &Path) -> Engine {
    let mut engine = Engine::start();
    let told = engine.talk(&["setoption name OwnBook value true", &book_file(book)]);
    assert!(told.is_empty(), "{told:?}");
    engine
}

/// A file of this content.
fn file(folder: &Folder, name: &str, content: &[u8]) -> PathBuf {
    fs::write(folder.join(name), content).expect("the folder can be written");
    folder.join(name)
}

fn announces(answers: &[String]) -> bool {
    answers.iter().any(|line| line.starts_with("info string book move "))
}

#[test]
fn the_book_answers_when_it_may() {
    let castling = [(ITALIAN, "e1h1", 1)];
    let folder = Folder::new("answers");
    let book = file(&folder, "book.bin", &bytes(&[&START[..], &castling].concat()));
    let italian = format!("position startpos moves {ITALIAN}");
    let mut engine = engine(&book);
    let told = engine.talk(&["go depth 1"]);
    assert!(announces(&told) && ["e2e4", "d2d4"].contains(&best_move(&told)), "{told:?}");
    let told = engine.talk(&[&italian, "go depth 1"]);
    assert!(told.contains(&"info string book move O-O, weight 1".to_string()), "{told:?}");
    assert_eq!(best_move(&told), "e1g1");
    let analysis_off = "setoption name UCI_AnalyseMode value false";
    let [own_book, own_book_off] =
        ["setoption name OwnBook value true", "setoption name OwnBook value false"];
    for (why, lines) in [
        ("the book does not know it", &["position startpos moves a2a3", "go depth 1"][..]),
        ("weight 0", &["position startpos", "go depth 1 searchmoves a2a3"]),
        ("a mate is looked for", &["position startpos", "go mate 1 depth 1"]),
        ("it is too late", &[&italian, "setoption name BookDepth value 3", "go depth 1"]),
        (
            "analysis",
            &["position startpos", "setoption name UCI_AnalyseMode value true", "go depth 1"],
        ),
        ("analysis is over, no book is wanted", &[analysis_off, own_book_off, "go depth 1"]),
        ("there is no book", &[own_book, "setoption name BookFile value <empty>", "go depth 1"]),
    ] {
        let told = engine.talk(lines);
        assert!(!announces(&told) && best_move(&told).len() >= 4, "{why}: {told:?}");
    }
    engine.talk(&[&book_file(&book)]);
    engine.send("go infinite");
    engine.send("stop");
    let told = engine.until("bestmove");
    assert!(!announces(&told), "{told:?}");
    let only = engine.talk(&["go depth 1 searchmoves d2d4 a2a3"]);
    assert!(announces(&only) && best_move(&only) == "d2d4", "{only:?}");
}

#[test]
fn weights_are_shares_and_a_seed_is_a_sequence() {
    let folder = Folder::new("weights");
    let mut engine = engine(&file(&folder, "book.bin", &bytes(&START)));
    let mut draw = |set: &str| -> Vec<String> {
        engine.talk(&[set]);
        (0..300).map(|_| best_move(&engine.talk(&["go depth 1"])).to_string()).collect()
    };
    let drawn = draw("setoption name Seed value 7");
    assert_eq!(drawn, draw("setoption name Seed value 7"));
    assert_ne!(drawn, draw("setoption name Seed value 8"));
    assert_ne!(draw("setoption name Seed value 0"), draw("setoption name Seed value 0"));
    let often = drawn.iter().filter(|mv| *mv == "e2e4").count();
    assert!((170..230).contains(&often) && drawn.iter().all(|mv| mv != "a2a3"), "{often} of 300");
    let best = draw("setoption name BestBookMove value true");
    assert!(best.iter().all(|mv| mv == "e2e4"));
    let none = engine.talk(&["go depth 1 searchmoves a2a3"]);
    assert!(!announces(&none), "weight 0 is not for play: {none:?}");
}

#[test]
fn weights_may_sum_to_more_than_16_bits() {
    let folder = Folder::new("heavy book");
    let heavy = bytes(&[("", "e2e4", 40_000), ("", "d2d4", 40_000)]);
    assert!(announces(&engine(&file(&folder, "book.bin", &heavy)).talk(&["go depth 1"])));
}

#[test]
fn a_book_that_is_refused_changes_nothing() {
    let good = bytes(&[("", "d2d4", 1), ("e2e4", "e7e5", 1)]);
    let folder = Folder::new("refused books");
    let turned = [&good[16..], &good[..16]].concat();
    let [cut, unsorted, empty] =
        [("cut.bin", &good[..31]), ("unsorted.bin", &turned), ("empty.bin", &[])]
            .map(|(name, content)| file(&folder, name, content));
    let mut engine = engine(&file(&folder, "good.bin", &good));
    let missing = PathBuf::from("/nowhere/book.bin");
    for (wrong, reason) in [
        (&cut, "31 bytes are not a multiple of 16"),
        (&unsorted, "entry 2 does not come after the one before it"),
        (&empty, "it is empty"),
        (&missing, "No such file"),
        (&env::temp_dir(), "it is not a file"),
    ] {
        let told = engine.talk(&[&book_file(wrong)]);
        assert!(told.len() == 1 && told[0].contains(reason), "{told:?}");
        assert!(told[0].starts_with("info string error: option BookFile: "), "{told:?}");
        assert_eq!(best_move(&engine.talk(&["go depth 1"])), "d2d4", "the old one stays");

        let output = command().arg("book").arg(wrong).output().expect("the engine runs");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && told.contains(reason), "{told}");
    }
}

#[test]
fn pondering_holds_the_book_move_back() {
    let folder = Folder::new("pondered book");
    let book = file(&folder, "book.bin", &bytes(&START));
    for release in ["ponderhit", "stop"] {
        let mut engine = engine(&book);
        engine.send("go ponder wtime 1000 btime 1000");
        assert!(engine.is_silent("bestmove", Duration::from_millis(100)));
        engine.send(release);
        assert!(["bestmove e2e4", "bestmove d2d4"].contains(&engine.wait_for("bestmove").as_str()));
    }
}

#[test]
fn a_table_of_moves() {
    let folder = Folder::new("table");
    let book = file(&folder, "book.bin", &bytes(&START));
    let run = |words: &[&str]| {
        let output = command().arg("book").arg(&book).args(words).output();
        let output = output.expect("the engine runs");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, table) = run(&[]);
    let wanted = "move     uci    weight   share\n\
                  e4       e2e4       60   66.7%\n\
                  d4       d2d4       30   33.3%\n\
                  a3       a2a3        0    0.0%\n";
    assert_eq!((code, table.as_str()), (Some(0), wanted));
    let (code, table) = run(&["4k3/8/8/8/8/8/8/4K2R", "w", "K", "-"]);
    assert_eq!((code, table.as_str()), (Some(0), "The book has no move for this position.\n"));
    assert_eq!(run(&["8/8"]).0, Some(1));
}
