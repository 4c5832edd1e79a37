//! The coach behind a page: files in parts, who I am, reviews in the background, exercises and lines.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use engine::eval::Network;
use serde_json::{Value, json};
use zebu::coach::{Background, Order, State, Want};
use zebu::library::Library;

use crate::folder::Folder;
use crate::{GAMES, games};

const PATIENCE: Duration = Duration::from_secs(120);

struct Page {
    coach: Background,
    state: State,
}

impl Page {
    fn open(folder: &Folder, nodes: u64) -> Page {
        let network = Arc::clone(&Network::load(None).expect("the embedded network"));
        let order = Order { nodes, threads: 1, hash: 1, network, rests: Arc::default() };
        let library = Library::open(&folder.join("library.zebu")).expect("a library");
        let coach = Background::begin(library, order, None).expect("a thread");
        Page { coach, state: State::default() }
    }

    fn ask(&self, want: Value) -> Result<Value, String> {
        let want: Want = serde_json::from_value(want).expect("something to want");
        let (sender, receiver) = channel();
        self.coach.ask(want, Box::new(move |answer| drop(sender.send(answer))));
        receiver.recv_timeout(PATIENCE).expect("an answer")
    }

    fn find(&self, want: Value) -> Value {
        self.ask(want).expect("an answer that is not wrong")
    }

    fn until(&mut self, is_so: impl Fn(&State) -> bool) -> &State {
        let end = Instant::now() + PATIENCE;
        while !is_so(&self.state) {
            let state = self.coach.states().recv_deadline(end);
            self.state = state.unwrap_or_else(|_| panic!("still {:?}", self.state));
        }
        &self.state
    }

    fn import(&self, text: &str) {
        // Parts have whole games.
        let cut = text.find("\n\n[").map_or(0, |at| at + 2);
        let parts = [&text[..cut], &text[cut..]];
        for (i, part) in parts.iter().enumerate() {
            let part =
                json!({ "want": "import", "text": part, "is_first": i == 0, "is_last": i == 1 });
            self.find(part);
        }
    }
}

#[test]
fn games_come_in_are_mine_and_are_reviewed() {
    let folder = Folder::new("background");
    let mut page = Page::open(&folder, 2000);
    page.import(&format!("1. e4 e5 2. Ke3 *\n\n{GAMES}"));
    let state =
        page.until(|state| state.import.as_ref().is_some_and(|it| !it.runs) && state.games == 5);
    let import = state.import.clone().expect("an import");
    // The beginning of a broken game is kept.
    assert_eq!((import.taken.new, import.taken.broken, state.mine), (5, 1, 0));
    assert!(import.broken_games[0].contains("line 1: 'Ke3'"), "{:?}", import.broken_games);
    assert_eq!(state.players[0], ("Ann".to_string(), 3));
    page.find(json!({ "want": "names", "names": ["Ann"] }));
    let state = page.until(|state| state.reviewed == 3 && !state.is_reviewing);
    assert!(state.players.is_empty() && state.exercises > 0 && state.due > 0, "{state:?}");
    let overview = page.find(json!({ "want": "overview" }));
    assert_eq!(overview["statistics"]["games"], 3);
    // The same file again has nothing new, and nothing is reviewed twice.
    page.import(GAMES);
    let state = page.until(|state| state.import.as_ref().is_some_and(|it| it.taken.known == 4));
    assert_eq!(state.reviewed, 3);
}

/// A second file never cuts the first one off, unless the page of the first one is gone.
#[test]
fn one_file_is_read_in_at_a_time() {
    let folder = Folder::new("parts");
    let mut page = Page::open(&folder, 500);
    let part = |file: u32, is_first: bool, is_last: bool, text: &str| json!({ "want": "import", "text": text, "file": file, "is_first": is_first, "is_last": is_last });
    let (half, rest) = GAMES.split_at(GAMES.len() / 2);
    let busy = Err("Another file is being read in; try again when it is done.".to_string());
    let missing = Err("The first part of this file is missing.".to_string());
    page.find(part(1, true, false, half));
    let other = "[White \"Ida\"]\n\n1. d4 d5 *\n";
    assert_eq!(page.ask(part(2, true, true, other)), busy);
    assert_eq!(page.ask(part(2, false, true, other)), missing);
    page.find(part(1, false, true, rest));
    let is_done = |state: &State| state.import.as_ref().is_some_and(|it| !it.runs);
    let is_cut = |state: &State| state.import.as_ref().is_some_and(|it| it.is_cut);
    assert!(!is_cut(page.until(|state| is_done(state) && state.games == 4)));
    // Nobody sends the rest of this one.
    page.find(part(3, true, false, "[White \"Eve\"]\n\n1. c4 c5 *\n"));
    assert_eq!(page.ask(part(4, true, true, other)), busy);
    assert!(is_cut(page.until(|state| is_done(state) && state.games == 5)));
    assert_eq!(page.ask(part(3, false, true, other)), missing);
    page.find(part(4, true, true, other));
    let state = page.until(|state| state.games == 6);
    let names: Vec<&str> = state.players.iter().map(|(name, _)| &**name).collect();
    assert!(names.contains(&"Ida") && !names.contains(&"Black"), "{names:?}");
}

#[test]
fn an_exercise_is_judged_and_comes_back() {
    let folder = Folder::new("asked");
    let mut page = Page::open(&folder, 10_000);
    page.import("[White \"Ann\"]\n\n1. e4 e5 2. Nf3 Qg5 3. a3 Qd8 1/2-1/2\n");
    page.find(json!({ "want": "names", "names": ["Ann"] }));
    page.until(|state| state.due > 0 && !state.is_reviewing);
    let today = page.find(json!({ "want": "today" }));
    let place = &today[0]["place"];
    let judge = |mv: &str| page.ask(json!({ "want": "judge", "place": place, "mv": mv }));
    assert_eq!(judge("f3g5"), Ok(json!(true)));
    assert_eq!(judge("a2a3"), Ok(json!(false)));
    assert_eq!(judge("a2a4"), Ok(json!(false)));
    assert!(judge("a2a5").is_err());
    let kept = page.find(json!({ "want": "answered", "place": place, "answer": "right" }));
    assert!(kept["days"].as_u64().expect("days") > 0, "{kept}");
    page.until(|state| state.due == 0);
    assert_eq!(page.find(json!({ "want": "today" })), json!([]));
    assert!(
        page.ask(json!({ "want": "answered", "place": ["7", "7"], "answer": "wrong" })).is_err()
    );
}

#[test]
fn the_list_is_searched_and_sorted() {
    let folder = Folder::new("list");
    let mut page = Page::open(&folder, 500);
    page.import(GAMES);
    page.until(|state| state.games == 4);
    let list = |search: &str, by: &str, is_up: bool| {
        page.find(json!({ "want": "games", "search": search, "by": by, "is_up": is_up }))
    };
    let names = |list: &Value, side: usize| -> Vec<String> {
        let games = list["games"].as_array().expect("a list");
        games.iter().map(|it| it["head"]["players"][side].to_string()).collect()
    };
    assert_eq!(list("ann BOB", "date", false)["count"], 2);
    assert_eq!(list("nobody", "date", false)["count"], 0);
    let whites = names(&list("", "white", false), 0);
    assert!(whites.is_sorted(), "{whites:?}");
    assert!(names(&list("", "black", true), 1).iter().rev().is_sorted());
    let first = &list("", "date", false)["games"][0]["id"];
    let game = page.find(json!({ "want": "game", "id": first }));
    assert!(!game["moves"].as_str().expect("moves").is_empty());
    assert!(game["tags"].as_array().expect("tags").contains(&json!(["White", "Ann"])), "{game}");
}

#[test]
fn lines_of_mine_are_asked_where_one_left_them() {
    let folder = Folder::new("lines");
    let mut page = Page::open(&folder, 500);
    let game = |moves: &str, day: u32| {
        format!("[White \"Ann\"]\n[Black \"Bob\"]\n[Date \"2026.03.{day:02}\"]\n\n{moves} *\n\n")
    };
    let text = game("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", 1)
        + &game("1. e4 e5 2. Bc4 Nc6", 2)
        + &game("1. e4 c5 2. a4 d6", 3);
    page.import(&text);
    page.find(json!({ "want": "names", "names": ["Ann"] }));
    page.until(|state| state.reviewed == 3 && !state.is_reviewing);
    let answers = page.find(json!({ "want": "moves", "moves": ["e2e4"] }));
    let answers: Vec<_> =
        answers[0].as_array().expect("moves").iter().map(|it| &it["san"]).collect();
    assert_eq!(answers, ["e5", "c5"]);
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"];
    let before = page.state.exercises;
    page.find(json!({ "want": "line", "is_white": true, "name": "Spanish", "moves": moves }));
    // Three moves of mine, and an answer to 1... c5.
    page.until(|state| state.exercises == before + 4);
    let today = page.find(json!({ "want": "today" }));
    let asked: Vec<&Value> =
        today.as_array().expect("exercises").iter().map(|it| &it["exercise"]).collect();
    let own = asked.iter().find(|it| it["good"] == "g1f3 Nf3").expect("a move of the line");
    assert_eq!(own["played"], "f1c4 Bc4");
    assert!(asked.iter().any(|it| it["kind"] == "Reply"), "{today}");
    let lines = page.find(json!({ "want": "lines" }));
    page.find(json!({ "want": "forget_line", "id": lines[0]["id"] }));
    page.until(|state| state.exercises == before);
}

/// An opening move that costs something in several games is searched for long once all games are reviewed.
#[test]
fn opening_moves_are_checked() {
    let folder = Folder::new("openings");
    let mut page = Page::open(&folder, 500);
    let game = |day: u32| {
        format!(
            "[White \"Ann\"]\n[Date \"2026.03.{day:02}\"]\n\n1. e4 e5 2. Nf3 d6 3. Ng5 Qxg5 0-1\n\n"
        )
    };
    page.import(&(1..5).map(game).collect::<String>());
    page.find(json!({ "want": "names", "names": ["Ann"] }));
    page.until(|state| state.reviewed == 4 && !state.is_reviewing);
    let named = || page.find(json!({ "want": "overview" }))["opening_moves"][0].clone();
    let found = named();
    assert_eq!((&found["played"], &found["games"]), (&json!("f3g5 Ng5"), &json!(4)), "{found}");
    assert!(found["is_checked"] == true && found["loss"].as_f64() > Some(0.2), "{found}");
    drop(page);
    let page = Page::open(&folder, 500);
    assert_eq!(page.find(json!({ "want": "overview" }))["opening_moves"][0], found, "it is kept");
}

#[test]
fn it_rests_while_the_machine_is_wanted() {
    let folder = Folder::new("rests");
    let mut page = Page::open(&folder, 20_000);
    page.coach.rest(true);
    page.import(GAMES);
    page.find(json!({ "want": "names", "names": ["Ann"] }));
    page.until(|state| state.is_reviewing);
    std::thread::sleep(Duration::from_secs(1));
    while let Ok(state) = page.coach.states().try_recv() {
        assert!(state.reviewed <= 1, "{state:?}");
    }
    page.coach.rest(false);
    page.until(|state| state.reviewed == 3 && !state.is_reviewing);
}

#[test]
fn a_played_game_that_goes_on_is_kept_once() {
    let folder = Folder::new("played");
    let mut page = Page::open(&folder, 500);
    let played = |moves: &str| {
        let text = format!("[White \"Player\"]\n[Black \"Zebu 1500\"]\n\n{moves} 1-0\n");
        games(text.as_bytes()).remove(0)
    };
    page.coach.add_played(played("1. e4 e5"), true);
    page.coach.add_played(played("1. e4 e5 2. Nf3"), true);
    page.coach.forget_played();
    page.coach.add_played(played("1. d4 d5"), true);
    page.until(|state| state.games == 2 && state.mine == 2 && state.reviewed == 2);
    assert_eq!(
        page.find(json!({ "want": "game", "id": page.state.played }))["moves"],
        "d2d4 d4 d7d5 d5"
    );
}

/// What somebody asks for comes before reviews in the background, with the nodes that were asked for.
#[test]
fn asked_analyses_come_first() {
    let folder = Folder::new("first");
    let mut page = Page::open(&folder, 20_000);
    page.import(GAMES);
    page.find(json!({ "want": "names", "names": ["Ann"] }));
    page.until(|state| state.is_reviewing);
    let ids = page.find(json!({ "want": "ids", "search": "eve" }));
    let other = &ids.as_array().expect("ids")[0];
    page.find(json!({ "want": "analyse", "games": ids, "nodes": 300 }));
    page.until(|state| state.analysing.is_some());
    let state = page.until(|state| state.analysing.is_none());
    assert!(state.reviewed < 3, "{state:?}");
    assert_eq!(page.find(json!({ "want": "game", "id": other }))["nodes"], 300);
    assert!(page.ask(json!({ "want": "analyse", "games": ids, "nodes": 0 })).is_err());
    page.find(json!({ "want": "analyse", "games": ids, "nodes": 900_000_000 }));
    page.find(json!({ "want": "stop_analysis" }));
    page.until(|state| state.reviewed == 3 && !state.is_reviewing);
    assert_eq!(page.find(json!({ "want": "game", "id": other }))["nodes"], 300);
}

/// Filters of the list, tags, and deletions that are taken back.
#[test]
fn games_have_tags_and_are_deleted_and_restored() {
    let folder = Folder::new("tags");
    let page = Page::open(&folder, 500);
    page.import(GAMES);
    page.find(json!({ "want": "names", "names": ["Ann"] }));
    let ids = |query: Value| {
        let mut want = json!({ "want": "ids" });
        want.as_object_mut().expect("a want").extend(query.as_object().expect("a query").clone());
        page.find(want).as_array().expect("ids").clone()
    };
    let (all, mine) = (ids(json!({})), ids(json!({ "mine": true })));
    assert_eq!((all.len(), mine.len()), (4, 3));
    assert_eq!(ids(json!({ "side": "black" })).len(), 1);
    let by_result = ["won", "lost", "drawn"].map(|it| ids(json!({ "result": it })).len());
    assert!(by_result.iter().sum::<usize>() <= 3, "{by_result:?}");
    assert_eq!(ids(json!({ "since": "2026.03.02" })).len(), 1);
    assert!(page.ask(json!({ "want": "tag", "games": mine, "tag": " ", "on": true })).is_err());
    page.find(json!({ "want": "tag", "games": mine, "tag": "league", "on": true }));
    page.find(json!({ "want": "tag", "games": [mine[0]], "tag": "league", "on": false }));
    assert_eq!(page.find(json!({ "want": "tags" })), json!([["league", 2]]));
    assert_eq!(ids(json!({ "tag": "league" })).len(), 2);
    page.find(json!({ "want": "edit", "id": mine[1], "own": [{ "ply": 1 }] }));
    page.find(json!({ "want": "delete", "games": mine }));
    assert_eq!((ids(json!({})).len(), page.find(json!({ "want": "tags" }))), (1, json!([])));
    assert!(page.ask(json!({ "want": "game", "id": mine[1] })).is_err());
    page.find(json!({ "want": "restore", "games": mine }));
    assert_eq!(ids(json!({ "tag": "league" })).len(), 2);
    let game = page.find(json!({ "want": "game", "id": mine[1] }));
    assert_eq!(game["own"], json!([{ "ply": 1 }]));
    page.find(json!({ "want": "delete", "games": all }));
    drop(page);
    let page = Page::open(&folder, 500);
    assert_eq!(page.find(json!({ "want": "ids" })), json!([]));
    page.import(GAMES);
    let first = page.find(json!({ "want": "ids" }))[0].as_u64();
    assert!(all.iter().all(|id| id.as_u64() < first), "no number is used again");
}
