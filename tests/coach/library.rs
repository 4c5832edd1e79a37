//! The library: each game once, nothing lost, and one line where it cannot be used.

use std::collections::HashMap;
use std::fs;
use std::process::Stdio;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::Duration;

use engine::board::{Color, Position};
use engine::eval::Network;
use engine::notation::{PgnGame, PgnReader, to_pgn};
use engine::search::Limits;
#[cfg(unix)]
use engine::system::files::survive_size_limits;
use redb::{Database, ReadableDatabase, TableDefinition};
use zebu::analysis::{Look, Notebook, Place, PositionAnalysis, Review, Reviewed};
use zebu::coach::{Export, analysis};
use zebu::library::{Finding, Import, Library, Pages, Summary, Taken};

use crate::folder::Folder;
use crate::{GAMES, command, games, go_on, library, order, said};

fn import(library: &Library, games: &str) -> (Taken, Vec<String>) {
    let mut broken = Vec::new();
    let taken = library.import(PgnReader::new(games.as_bytes()), |import| {
        if let Import::Broken(text) = import {
            broken.push(text.to_string());
        }
    });
    (taken.expect("a library"), broken)
}

#[test]
fn a_game_is_taken_once() {
    let folder = Folder::new("once");
    let library = library(&folder, GAMES);
    assert_eq!(library.count().expect("games"), 4);
    let (taken, _) = import(&library, GAMES);
    assert_eq!(taken, Taken { known: 4, ..Taken::default() });
    // Other letters in the names and other comments are the same game; another day, move or start is not.
    let same = GAMES.replace("\"Ann\"", "\"ANN \"").replace("[%clk", "[%emt");
    assert_eq!(import(&library, &same).0.known, 4);
    for (old, new) in [("2026.03.01", "2026.03.09"), ("4. d3 Nf6", "4. d3 d6")] {
        assert!(GAMES.contains(old));
        assert_eq!(import(&library, &GAMES.replacen(old, new, 1)).0.new, 1, "{new}");
    }
}

#[test]
fn broken_games_and_variants_are_named_and_left_out() {
    let folder = Folder::new("broken");
    let library = library(&folder, "");
    let games = "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n\n[White \"B\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n\
                 [White \"C\"]\n\n*\n\n[White \"D\"]\n[Variant \"Chess960\"]\n\
                 [FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\"]\n\n1. e4 e5 *\n";
    let (taken, broken) = import(&library, games);
    assert_eq!(taken, Taken { new: 1, known: 0, broken: 2, empty: 1 });
    assert!(broken[0].contains("line 3") && broken[0].contains("Ke3"), "{broken:?}");
    assert!(broken[1].contains("line 6") && broken[1].contains("Atomic"), "{broken:?}");
    assert_eq!(broken.len(), 2);
}

#[test]
fn all_comes_out_again() {
    let folder = Folder::new("export");
    let library = library(&folder, GAMES);
    let mut text = Vec::new();
    Export::Pgn.write(&library, &mut text).expect("games");
    let (before, after) = (games(GAMES.as_bytes()), games(&text));
    let texts = |games: &[PgnGame]| games.iter().map(to_pgn).collect::<Vec<_>>();
    assert_eq!(texts(&before), texts(&after));
    assert!(String::from_utf8_lossy(&text).contains("[%clk 0:00:58]"));
    let ids = library.ids().expect("games");
    library.delete(&ids[1..2]).expect("a library");
    let gone = library.game(ids[1]).expect_err("it is not there");
    assert!(gone.is_gone() && !gone.to_string().contains("damaged"), "{gone}");
}

/// A game may be deleted, or replaced, while it is reviewed.
#[test]
fn what_is_found_for_a_game_that_is_gone_is_dropped() {
    let folder = Folder::new("gone");
    let library = library(&folder, GAMES);
    let ends = ["1. f3 e5 *", "1. f3 e5 2. g4 Qh4# 0-1"].map(|it| games(it.as_bytes()).remove(0));
    let last = library.add_played(&ends[0], "Player").expect("a library");
    let id = library.add_played(&ends[1], "Player").expect("a library");
    assert_ne!(id, last, "its review would be that of another game");
    for of in [last, id] {
        let keep = |finding| library.keep(finding).expect("a library");
        keep(Finding::Position { place: (of, 0), nodes: 500, found: "found".into() });
        let is_there = library.found::<String>((of, 0), 500).expect("a library").is_some();
        assert_eq!(is_there, of == id);
        let (review, summary) = ("review".into(), Summary::default());
        keep(Finding::Review { id: of, nodes: 500, review, summary });
        keep(Finding::Exercises { id: of, exercises: vec![(3, "exercise".into())] });
        library.keep_exercise((of, 4), &"an exercise that is gone").expect("a library");
    }
    assert_eq!(library.reviewed(500).expect("a library"), [id]);
    assert_eq!(library.asked().expect("a library"), [id]);
    let mut json = Vec::new();
    Export::Json.write(&library, &mut json).expect("a library");
    let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    assert_eq!(json["reviews"], serde_json::json!([{ "game": 5, "review": "review" }]));
    let exercise = serde_json::json!([{ "game": 5, "ply": 3, "exercise": "exercise" }]);
    assert_eq!(json["exercises"], exercise);
}

#[test]
fn a_game_that_is_gone_does_not_stop_the_reviews_of_others() {
    let folder = Folder::new("skipped");
    let library = library(&folder, GAMES);
    let ids = library.ids().expect("games");
    library.delete(&ids[3..]).expect("a library");
    let stop = go_on();
    order(300).run(&library, &[ids[3], ids[2]], &stop, |_| ()).expect("a review");
    assert_eq!(library.reviewed(300).expect("reviews"), [ids[2]]);
    assert!(!stop.load(Relaxed));
}

#[test]
fn heads_sort_by_date_and_know_my_side() {
    let folder = Folder::new("heads");
    let library = library(&folder, GAMES);
    let heads = library.heads().expect("heads");
    let dates: Vec<&str> = heads.iter().map(|(_, head)| head.date.as_str()).collect();
    assert_eq!(dates, ["2026.03.02 10:00:00", "2026.03.01 20:00:00", "2026.03.01", "0000.00.00"]);
    let ann = ["ann".to_string()];
    let sides: Vec<_> = heads.iter().filter_map(|(_, head)| head.side_of(&ann)).collect();
    assert_eq!(sides.len(), 3);
    let both = ["Ann".to_string(), "Bob".to_string()];
    assert_eq!(
        heads[0].1.side_of(&both),
        Some(Color::White),
        "a game against oneself is one's own"
    );
}

#[test]
fn another_program_that_has_it_is_named() {
    let folder = Folder::new("locked");
    let library = library(&folder, GAMES);
    let output = command(&folder, &[]).output().expect("the program runs");
    assert!(!output.status.success());
    let wanted = "zebu: library.zebu: another program has this library open; if that is zebu board, its page has \
                  the coach\n";
    assert_eq!(said(&output), wanted);
    assert_eq!(library.count().expect("it goes on"), 4);
}

#[test]
fn a_newer_library_is_left_alone() {
    let folder = Folder::new("newer");
    drop(library(&folder, GAMES));
    let file = folder.join("library.zebu");
    let meta: TableDefinition<&str, u64> = TableDefinition::new("meta");
    {
        let database = Database::open(&file).expect("a database");
        let write = database.begin_write().expect("a transaction");
        write.open_table(meta).expect("a table").insert("schema", 2).expect("a version");
        write.commit().expect("a commit");
    }
    let output = command(&folder, &[]).output().expect("the program runs");
    assert_eq!(said(&output), "zebu: library.zebu: a newer version of Zebu wrote this library\n");
    let database = Database::open(&file).expect("a database");
    let read = database.begin_read().expect("a transaction").open_table(meta).expect("a table");
    assert_eq!(read.get("schema").expect("a read").map(|version| version.value()), Some(2));
}

/// Whatever is damaged: all is as it was, or one line says so. Never a panic, and never something else.
#[test]
fn damage_is_noticed() {
    let folder = Folder::new("damage");
    drop(library(&folder, GAMES));
    let file = folder.join("library.zebu");
    let whole = fs::read(&file).expect("a file");
    let texts = |library: &Library| {
        let mut text = Vec::new();
        Export::Pgn.write(library, &mut text).expect("games");
        text
    };
    let right = texts(&Library::open(&file).expect("a library"));
    let mut noticed = 0;
    for round in 0..120 {
        let mut bytes = whole.clone();
        let at = (round * 7919 * 31) % bytes.len();
        match round % 3 {
            0 => bytes.truncate(at),
            1 => bytes[at..].iter_mut().take(64).for_each(|byte| *byte ^= 0x5a),
            _ => bytes[at % 4096..].iter_mut().take(16).for_each(|byte| *byte ^= 0xff),
        }
        fs::write(&file, &bytes).expect("a file");
        match Library::open(&file) {
            // An empty file is a library to begin.
            Ok(library) => assert!(bytes.is_empty() || texts(&library) == right, "{round}"),
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains("library.zebu: ") && text.lines().count() == 1, "{text}");
                assert!(
                    fs::read(&file).expect("a file") == bytes,
                    "{round}: it was changed: {text}"
                );
                noticed += 1;
            }
        }
    }
    assert!(noticed > 40, "{noticed}");
    fs::write(&file, "1. e4 e5 *").expect("a file");
    let output = command(&folder, &[]).output().expect("the program runs");
    let wanted = "zebu: library.zebu: it is not a library of games. library.zebu.copy is a copy from hours ago: \
                  rename it to go on with that\n";
    assert_eq!(said(&output), wanted);
    assert_eq!(fs::read(&file).expect("a file"), b"1. e4 e5 *");
}

/// What is offered where a library is damaged is whole.
#[test]
fn a_copy_is_kept() {
    let folder = Folder::new("copy");
    let file = folder.join("library.zebu");
    drop(library(&folder, GAMES));
    assert_eq!(Library::open(&file).expect("a library").count().expect("games"), 4);
    // A power cut may leave zeros, too.
    let mut zeros_first = fs::read(&file).expect("a file");
    zeros_first[..4096].fill(0);
    for damaged in [vec![7; 5000], zeros_first] {
        fs::write(&file, &damaged).expect("a file");
        let error = Library::open(&file).map(drop).expect_err("it is damaged").to_string();
        assert!(error.contains("library.zebu.copy is a copy from hours ago"), "{error}");
        assert!(fs::read(&file).expect("a file") == damaged, "it stays as it is");
    }
    fs::rename(folder.join("library.zebu.copy"), &file).expect("a copy");
    assert_eq!(Library::open(&file).expect("a library").count().expect("games"), 4);
}

/// A file that was only begun is begun anew, and so is one that an earlier version left.
#[test]
fn a_start_that_was_killed_leaves_no_broken_library() {
    let folder = Folder::new("begun");
    let file = folder.join("library.zebu");
    for left in [&b""[..], &[0; 4096], b"redb\x1a"] {
        fs::write(folder.join("library.zebu.new"), left).expect("a file");
        Library::open(&file).expect("a library");
        assert!(!folder.join("library.zebu.new").exists());
        fs::remove_file(&file).expect("a file");
    }
    fs::write(&file, [0; 4096]).expect("a file");
    Library::open(&file).expect("a library");
    fs::write(folder.join("games.pgn"), GAMES).expect("a file");
    for round in 0..30 {
        fs::remove_file(&file).ok();
        let mut start = command(&folder, &["games.pgn", "--me", "Ann", "--games", "0"]);
        let mut start = start.stderr(Stdio::null()).spawn().expect("the program runs");
        sleep(Duration::from_millis(2 * round));
        start.kill().and_then(|()| start.wait()).expect("an end");
        let library = Library::open(&file).unwrap_or_else(|error| panic!("{round}: {error}"));
        assert!([0, 4].contains(&library.count().expect("games")), "{round}");
    }
}

#[test]
fn no_id_is_used_again() {
    let folder = Folder::new("ids");
    let mut last = None;
    for day in 1..5 {
        let library = library(&folder, GAMES);
        last.iter().for_each(|&last| library.delete(&[last]).expect("a library"));
        let games = games(GAMES.replace("2026.03", &format!("2026.1{day}")).as_bytes());
        library.import([Ok(games[0].clone())].into_iter(), |_| ()).expect("a library");
        let id = library.ids().expect("games").last().copied();
        assert!(last < id);
        last = id;
    }
}

/// A game that was ended, taken back after a restart and ended again is one game, with its tags and lines.
#[test]
fn a_played_game_that_goes_on_later_is_one() {
    let folder = Folder::new("played");
    let ends = ["1. e4 e5 *", "1. e4 e5 2. Nf3 *"].map(|text| games(text.as_bytes()).remove(0));
    let before = library(&folder, "");
    let id = before.add_played(&ends[0], "Player").expect("a library");
    before.tag(&[id], "league", true).expect("a library");
    before.keep_own(id, &"a line".into()).expect("a library");
    drop(before);
    let library = library(&folder, "");
    assert_eq!(library.played().expect("a library"), Some(id));
    let id = library.add_played(&ends[1], "Player").expect("a library");
    assert_eq!(library.heads().expect("heads").len(), 1);
    assert_eq!(library.heads().expect("heads")[0].1.plies, 3);
    assert_eq!(library.names().expect("names"), ["Player"]);
    assert_eq!(library.tags().expect("tags")[&id], ["league"]);
    assert_eq!(library.own(id).expect("lines"), Some("a line".into()));
}

#[test]
fn another_played_game_takes_no_other_game_s_place() {
    let folder = Folder::new("others");
    let ends = ["1. e4 e5 *", "1. d4 d5 *"].map(|text| games(text.as_bytes()).remove(0));
    let library = library(&folder, "");
    library.add_played(&ends[0], "Player").expect("a library");
    library.forget_played().expect("a library");
    library.add_played(&ends[1], "Player").expect("a library");
    assert_eq!(library.count().expect("games"), 2);
}

/// What a browser was given at the syncs is at each moment a library with all that was told as kept.
#[test]
fn a_library_in_pages_comes_back() {
    let kept: Arc<Mutex<Vec<u8>>> = Arc::default();
    let own = Arc::clone(&kept);
    let keep = move |length: usize, blocks: &[(usize, &[u8])]| {
        let mut kept = own.lock().expect("a lock");
        kept.resize(length, 0);
        for (number, block) in blocks {
            let at = number * zebu::library::BLOCK;
            kept[at..at + block.len()].copy_from_slice(block);
        }
    };
    let pages = Pages::new(Vec::new(), Box::new(keep));
    let library = Library::of_pages(&pages).expect("a library");
    for day in 1..30 {
        import(&library, &GAMES.replace("2026.03", &format!("2026.{day:02}")));
        library.tag(&[day], "league", true).expect("a library");
        let copy = kept.lock().expect("a lock").clone();
        let again = Pages::new(copy, Box::new(|_, _| ()));
        let again = Library::of_pages(&again).expect("the library of this moment");
        assert_eq!(again.count().expect("games"), library.count().expect("games"), "{day}");
        assert_eq!(again.tags().expect("tags").len() as u64, day);
    }
    assert!(pages.bytes() == *kept.lock().expect("a lock"));
}

#[test]
fn a_wrong_name_is_taken_back() {
    let folder = Folder::new("names");
    drop(library(&folder, GAMES));
    let names = || Library::open(&folder.join("library.zebu")).expect("a library").names();
    for (me, is_right, kept) in
        [("Bob", true, "Bob"), ("Ann", true, "Ann"), ("Nobody", false, "Ann")]
    {
        let output = command(&folder, &["--me", me, "--games", "0"]).output().expect("it runs");
        assert_eq!(output.status.success(), is_right, "{me}: {}", said(&output));
        assert_eq!(names().expect("names"), [kept], "{me}");
    }
}

/// On a full disk one line says so, and what was there before is there still.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = Folder::new("full");
    drop(library(&folder, GAMES));
    let file = folder.join("library.zebu");
    let kilobytes = fs::metadata(&file).expect("a file").len() / 1024;
    let many: String = (1..3000).map(|i| GAMES.replace("2026.03", &format!("{i:04}.03"))).collect();
    fs::write(folder.join("many.pgn"), many).expect("a file");
    let mut shell = std::process::Command::new("bash");
    let script =
        format!("ulimit -f {}; exec \"$0\" coach --library library.zebu many.pgn", kilobytes + 64);
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_zebu")]).current_dir(&*folder);
    let output = shell.output().expect("a shell");
    let said = said(&output);
    assert!(!output.status.success() && said.lines().count() == 1, "{said}");
    assert!(said.contains("library.zebu: ") && said.contains("is still there"), "{said}");
    let library = Library::open(&file).expect("a library");
    assert!(library.count().expect("games") >= 4);
    assert_eq!(import(&library, GAMES).0.known, 4);
}

/// A program that runs on writes again as soon as there is space.
#[cfg(unix)]
#[test]
fn a_disk_that_was_full_is_used_again() {
    let mut shell = std::process::Command::new("bash");
    let script = "ulimit -S -f 2000; exec \"$0\" --ignored --exact library::with_a_disk_that_is_full_at_first";
    shell.args(["-c", script]).arg(std::env::current_exe().expect("this program"));
    let output = shell.output().expect("a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[cfg(unix)]
#[test]
#[ignore = "the test above runs it, with a limit for files"]
fn with_a_disk_that_is_full_at_first() {
    survive_size_limits();
    let folder = Folder::new("space");
    let library = library(&folder, GAMES);
    let many: String = (1..3000).map(|i| GAMES.replace("2026.03", &format!("{i:04}.03"))).collect();
    let import = || library.import(PgnReader::new(many.as_bytes()), |_| ());
    assert!(import().expect_err("it is full").to_string().contains("is still there"));
    assert!(library.count().expect("games") >= 4);
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the limit is read and written as a whole.
    unsafe {
        assert_eq!(libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut limit), 0);
        limit.rlim_cur = limit.rlim_max;
        assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit), 0);
    }
    import().expect("there is space again");
    // One of the games has no date.
    assert_eq!(library.count().expect("games"), 2999 * 3 + 1);
}

/// A game that was reviewed is not searched again, though the program is killed in the middle.
#[test]
fn a_kill_costs_no_reviewed_game() {
    let folder = Folder::new("kill");
    let many: String = (1..40).map(|i| GAMES.replace("2026.03", &format!("{i:04}.03"))).collect();
    fs::write(folder.join("many.pgn"), many).expect("a file");
    let mut running = command(&folder, &["many.pgn", "--me", "Ann", "--games", "1000"]);
    let mut running = running.stderr(Stdio::null()).spawn().expect("the program runs");
    // It writes a page after ten games.
    while !folder.join("many.coach.html").exists()
        && running.try_wait().expect("a status").is_none()
    {
        sleep(Duration::from_millis(5));
    }
    running.kill().expect("a kill");
    running.wait().expect("an end");
    let library = Library::open(&folder.join("library.zebu")).expect("a library");
    let done = library.reviewed(500).expect("reviews");
    assert!(done.len() >= 10);
    let positions: usize =
        done.iter().map(|&id| library.game(id).expect("a game").moves.len() + 1).sum();
    assert!(positions > 0);
    let mut searched = 0;
    order(500)
        .run(&library, &done, &go_on(), |progress| searched += progress.all)
        .expect("reviews");
    assert_eq!(searched, 0);
    assert!(analysis(&library, done[0]).expect("a library").is_some());
    assert_eq!(library.count().expect("games"), 39 * 3 + 1);
}

#[test]
fn a_review_is_the_same_when_it_comes_back() {
    let folder = Folder::new("review");
    let library = library(&folder, GAMES);
    let ids: Vec<u64> = library.heads().expect("heads").iter().map(|(id, _)| *id).collect();
    let mut games = 0;
    order(400).run(&library, &ids, &go_on(), |progress| games = progress.games).expect("reviews");
    assert_eq!((games, library.reviewed(400).expect("reviews").len()), (4, 4));
    assert!(library.reviewed(401).expect("reviews").is_empty());
    for id in ids {
        let analysis = analysis(&library, id).expect("a library").expect("a review");
        assert_eq!(analysis.analyses.len(), analysis.positions.len());
        let again =
            zebu::coach::KeptReview::of(&analysis).analysis(library.game(id).expect("a game"));
        let again = again.expect("legal moves");
        for (one, other) in analysis.moves.iter().zip(&again.moves) {
            assert!((one.loss - other.loss).abs() < 1e-9);
        }
        let scores = |it: &zebu::analysis::GameAnalysis| {
            it.analyses
                .iter()
                .map(|found| (found.white_score, found.pv.clone()))
                .collect::<Vec<_>>()
        };
        assert_eq!(scores(&analysis), scores(&again));
    }
}

/// What is found by its place, and how often it was searched.
#[derive(Default)]
struct Memory(Mutex<HashMap<(usize, Look), (PositionAnalysis, usize)>>);

impl Notebook for Memory {
    fn known(&self, place: Place, _: &Position) -> Option<PositionAnalysis> {
        let found = self.0.lock().expect("a lock");
        found.get(&(place.position, place.look)).map(|(found, _)| found.clone())
    }

    fn keep(&self, place: Place, _: &Position, found: &PositionAnalysis) {
        let mut all = self.0.lock().expect("a lock");
        let at = (place.position, place.look);
        let times = all.get(&at).map_or(0, |(_, times)| *times);
        all.insert(at, (found.clone(), times + 1));
    }
}

#[test]
fn a_review_that_was_cut_off_searches_no_position_twice() {
    let memory = Memory::default();
    let network = Network::load(None).expect("the embedded network");
    let review = Review {
        limits: Limits { nodes: Some(300), ..Limits::default() },
        multi_pv: 1,
        threads: 2,
        hash: 2,
        network: Arc::clone(&network),
        notebook: Some(&memory),
    };
    let game = games(GAMES.as_bytes()).into_iter().max_by_key(|game| game.moves.len());
    let game = game.expect("a game");
    let (mut rounds, mut is_whole) = (0, false);
    while !is_whole {
        let stop = go_on();
        rounds += 1;
        let one = [Ok::<_, ()>(game.clone())].into_iter();
        review
            .run(one, &stop, |reviewed| match reviewed {
                Reviewed::Game(analysis) => {
                    is_whole =
                        analysis.analyses.len() == game.moves.len() + 1 && !stop.load(Relaxed);
                }
                Reviewed::Progress { done, .. } => stop.store(done >= 3 * rounds, Relaxed),
                Reviewed::Broken(()) => {}
            })
            .expect("a review");
        assert!(rounds < 100);
    }
    let found = memory.0.into_inner().expect("a lock");
    assert!(rounds > 3 && found.len() > game.moves.len());
    assert!(found.values().all(|(_, times)| *times == 1));
}

/// A search that runs ends, and none begins.
#[test]
fn a_review_that_rests_searches_nothing() {
    let folder = Folder::new("rest");
    let library = library(&folder, GAMES);
    let ids = library.ids().expect("games");
    let (stop, order) = (go_on(), order(300));
    order.rests.store(true, Relaxed);
    std::thread::scope(|scope| {
        scope.spawn(|| order.run(&library, &ids, &stop, |_| ()).expect("a review"));
        sleep(Duration::from_millis(300));
        stop.store(true, Relaxed);
    });
    let found = library.found::<serde_json::Value>((ids[0], 0), 300).expect("a library");
    assert!(found.is_none() && library.reviewed(300).expect("reviews").is_empty());
}

#[test]
fn what_was_found_before_a_stop_is_in_the_library() {
    let folder = Folder::new("stop");
    let library = library(&folder, GAMES);
    let heads = library.heads().expect("heads");
    let id = heads.iter().max_by_key(|(_, head)| head.plies).expect("a game").0;
    let stop = go_on();
    let cut = |progress: zebu::coach::Progress| stop.store(progress.positions > 3, Relaxed);
    order(300).run(&library, &[id], &stop, cut).expect("a review");
    assert!(library.reviewed(300).expect("reviews").is_empty());
    let found = |library: &Library, nodes| {
        library.found::<serde_json::Value>((id, 0), nodes).expect("a library").is_some()
    };
    assert!(found(&library, 300) && !found(&library, 301));
    order(300).run(&library, &[id], &go_on(), |_| ()).expect("a review");
    assert_eq!(library.reviewed(300).expect("reviews"), [id]);
    assert!(!found(&library, 300));
}
