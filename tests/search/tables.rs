//! Endgame tables: their results, their use by the search, and damaged files. Skipped without tables.

use std::fs;
use std::path::Path;

use engine::search::{Limits, Score, SyzygyOptions, Task};
use engine::tablebase::Tablebase;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::common::{Found, engine, position, search, search_until, syzygy};
use crate::data::data;
use crate::folder::Folder;

/// How often the tables are damaged.
const ROUNDS: usize = 20;

const DRAW: Score = Score::Centipawns(0);

/// Tablebase wins score more than this.
const WON: i32 = 19_000;

fn task(fen: &str, syzygy: &SyzygyOptions) -> Task {
    let limits = Limits { depth: Some(6), ..Limits::default() };
    Task { syzygy: syzygy.clone(), ..Task::new(position(fen), limits) }
}

fn found(fen: &str, syzygy: &SyzygyOptions) -> Found {
    search(&mut engine(), task(fen, syzygy))
}

fn is_won(score: Score) -> bool {
    matches!(score, Score::Centipawns(WON..) | Score::Mate(1..))
}

/// A folder with copies of the wanted tables.
fn copy(name: &str, folder: &Path, wanted: impl Fn(&str) -> bool) -> Folder {
    let copy = Folder::new(name);
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if wanted(&name) {
            // Written as new files, since the originals must not change.
            let bytes = fs::read(entry.path()).expect("a table");
            fs::write(copy.join(name), bytes).expect("the folder can be written");
        }
    }
    copy
}

#[test]
fn verdicts_and_distances() {
    let Some(folder) = data("syzygy") else { return };
    let tablebase = Tablebase::open(&folder).unwrap_or_else(|error| panic!("{error}"));
    // En passant, mate and stalemate. `tests/clients/tables.py` compares random positions.
    for (fen, verdict, distance) in [
        ("8/8/8/8/3k4/8/1KBN4/8 b - - 0 1", -2, -55),
        ("8/8/8/8/2pP4/k7/8/K7 b - d3 0 1", 2, 1),
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", -2, -1),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0, 0),
    ] {
        let position = position(fen);
        let told = tablebase.probe_wdl(&position).map(i32::from);
        assert_eq!(told, Some(verdict), "{fen}");
        assert_eq!(tablebase.probe_dtz(&position), Some(distance), "{fen}");
    }
    // Positions with castling rights or five pieces are not in the tables.
    for fen in ["8/8/8/8/3k4/8/8/R3K3 w Q - 0 1", "8/8/8/8/3k4/8/P7/RN2K3 w - - 0 1"] {
        let position = position(fen);
        assert_eq!((tablebase.probe_wdl(&position), tablebase.probe_dtz(&position)), (None, None));
    }
}

/// A win 56 plies away is lost after 45 plies without progress, unless the fifty-move rule is off.
#[test]
fn the_clock_spoils_wins() {
    let Some(folder) = data("syzygy") else { return };
    let by_rule = syzygy(&folder);
    let endless = SyzygyOptions { fifty_moves: false, ..by_rule.clone() };
    for (board, distance) in
        [("8/8/8/8/3k4/8/1KBN4/8 w - -", 56), ("8/8/8/8/3k4/8/1KBN4/8 b - -", -55)]
    {
        let last = 100 - i32::abs(distance);
        let score = Score::Centipawns(i32::signum(distance) * 20_000 - distance);
        for clock in [0, last - 1, last, last + 1, 99] {
            let fen = format!("{board} {clock} 80");
            let told = found(&fen, &by_rule).score();
            if clock == last {
                assert_eq!(told, score, "{fen}");
            }
            assert_eq!(told == DRAW, clock > last, "{fen}: {told:?}");
            assert_ne!(found(&fen, &endless).score(), DRAW, "{fen}");
        }
    }
}

#[test]
fn results_alone_keep_the_win() {
    let Some(folder) = data("syzygy") else { return };
    let copy = copy("results", &folder, |name| name.ends_with("rtbw"));
    let results = syzygy(&copy);
    let tablebase = Tablebase::open(&folder).unwrap_or_else(|error| panic!("{error}"));
    for fen in ["8/8/8/8/3k4/8/1KBN4/8 w - - 0 1", "8/8/1k6/3q4/8/8/6R1/6K1 b - - 0 1"] {
        let found = found(fen, &results);
        let next = position(fen).after(found.best());
        assert_eq!(tablebase.probe_wdl(&next).map(i32::from), Some(-2), "{fen} {}", found.best());
        assert!(is_won(found.score()) && found.line().tb_hits > 0, "{:?}", found.score());
    }
}

/// One line per move: those that give the win away come last.
#[test]
fn lines_are_ordered_by_result() {
    let Some(folder) = data("syzygy") else { return };
    let fen = "7k/8/8/6QK/8/8/8/8 w - - 0 1";
    let found = search(&mut engine(), Task { multi_pv: 256, ..task(fen, &syzygy(&folder)) });
    let count = position(fen).legal_moves().len();
    let last = &found.lines[found.lines.len() - count..];
    let wins: Vec<bool> = last.iter().map(|line| is_won(line.score)).collect();
    assert!(wins.is_sorted_by_key(|won| !won) && wins.contains(&false), "{wins:?}");
    assert!(last.iter().all(|line| is_won(line.score) || line.score == DRAW));
}

/// The verdict on the root stays if the tables disappear during the search.
#[test]
fn a_win_stays_told_without_its_tables() {
    let Some(folder) = data("syzygy") else { return };
    let tables = ["KBNvK", "KBvK", "KNvK", "KQvK"];
    for (fen, finds_mate, deepest) in [
        ("8/8/8/8/3k4/8/1KBN4/8 w - - 0 1", false, 14),
        ("8/8/8/3k4/8/8/1KQ5/8 w - - 0 1", true, 24),
    ] {
        let copy = copy("gone", &folder, |name| {
            tables.contains(&name.split('.').next().unwrap_or_default())
        });
        let task = Task { limits: Limits::default(), ..task(fen, &syzygy(&copy)) };
        let told = search_until(&mut engine(), task, |line| {
            if line.depth == 4 {
                for entry in fs::read_dir(&*copy).expect("a folder").flatten() {
                    fs::write(entry.path(), []).expect("a table");
                }
            }
            line.depth == deepest
        });
        let first_mate = told.lines.iter().position(|line| matches!(line.score, Score::Mate(_)));
        let (before, after) = told.lines.split_at(first_mate.unwrap_or(told.lines.len()));
        assert!(before.iter().all(|line| is_won(line.score)), "{fen}");
        assert!(after.iter().all(|line| matches!(line.score, Score::Mate(1..))), "{fen}");
        assert!(finds_mate != after.is_empty(), "{fen}");
    }
}

/// Whatever the files contain, the engine plays on, and reports each of them once.
#[test]
fn damage_is_survived() {
    let Some(folder) = data("syzygy") else { return };
    // In debug builds, the tables' crate panics on overflow.
    if cfg!(debug_assertions) {
        return;
    }
    let fens = [
        "8/8/8/8/3k4/8/1KBN4/8 w - - 0 1",
        "8/8/8/8/3k4/8/1KBN4/8 b - - 0 1",
        "8/8/8/3k4/8/8/1KP5/7r w - - 0 1",
        "8/8/8/3k4/2pP4/8/1K6/8 b - d3 0 1",
    ];
    let names =
        ["KBNvK", "KRvKP", "KPvKP"].map(|table| [format!("{table}.rtbw"), format!("{table}.rtbz")]);
    let names = names.as_flattened();
    let copy = copy("damage", &folder, |name| names.iter().any(|wanted| wanted == name));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(88);
    for _ in 0..ROUNDS {
        for name in names {
            let mut bytes = fs::read(folder.join(name)).expect("a table");
            // Most faults are in the first bytes.
            let reach = if random.random() { bytes.len().min(400) } else { bytes.len() };
            for _ in 0..random.random_range(0..8) {
                bytes[random.random_range(0..reach)] = random.random();
            }
            if random.random() {
                bytes.truncate(random.random_range(0..bytes.len() / 64) * 64 + 16);
            }
            fs::write(copy.join(name), bytes).expect("the folder can be written");
        }
        let syzygy = syzygy(&copy);
        fens.iter().for_each(|fen| drop(found(fen, &syzygy)));
        let tablebase = syzygy.tablebase.expect("it was opened");
        let mut troubles: Vec<String> = std::iter::from_fn(|| tablebase.next_error()).collect();
        let count = troubles.len();
        troubles.sort();
        troubles.dedup();
        assert!(troubles.len() == count && count <= names.len(), "{troubles:?}");
    }
}
