//! The command: whose games, its page, its export.

use std::fs;

use crate::folder::Folder;
use crate::{GAMES, coach, said};

fn data(page: &str) -> serde_json::Value {
    let (_, data) = page.split_once("id=\"data\">").expect("data");
    let (data, _) = data.split_once("</script>").expect("its end");
    serde_json::from_str(data).expect("JSON")
}

#[test]
fn a_page_is_written_of_my_games() {
    let folder = Folder::new("page");
    fs::write(folder.join("games.pgn"), GAMES).expect("a file");
    let output = coach(&folder, &["games.pgn", "--me", "ann"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).ends_with("zebu: 3 of your 3 games reviewed: games.coach.html\n"));
    let page = fs::read_to_string(folder.join("games.coach.html")).expect("a page");
    assert!(!page.replace("<link rel=\"icon\" href=\"data:,\">", "").contains("<link"));
    assert!(!page.contains(" src="));
    let data = data(&page);
    assert_eq!(data["statistics"]["games"], 3);
    assert_eq!(data["trees"][0]["games"], 2);
    // Ann let herself be mated once, and won a game once.
    assert_eq!(data["statistics"]["swings"][0]["won"], 1);
    let figures = data["statistics"]["figures"].as_array().expect("figures");
    let allowed = figures.iter().find(|it| it["aspect"] == "allowed" && it["name"] == "mate");
    assert!(allowed.expect("mates")["mine"].as_f64().expect("points") > 0.1);
    assert!(data["statistics"]["weaknesses"].as_array().expect("a list").is_empty());
    assert!(!data["spots"].as_array().expect("a list").is_empty());
    // The names are remembered, and no game is reviewed again.
    let again = coach(&folder, &["--out", "again"]);
    assert_eq!(said(&again), "zebu: 3 of your 3 games reviewed: again.html\n");
    let more = coach(&folder, &["games.pgn", "--games", "1"]);
    assert!(said(&more).starts_with("zebu: games.pgn: 0 new games, 4 known\n"));
}

#[test]
fn who_i_am_is_asked_once() {
    let folder = Folder::new("names");
    fs::write(folder.join("games.pgn"), GAMES).expect("a file");
    let empty = coach(&folder, &[]);
    assert!(said(&empty).contains("no games yet"), "{}", said(&empty));
    let nameless = coach(&folder, &["games.pgn"]);
    assert!(!nameless.status.success());
    assert!(
        said(&nameless)
            .contains("--me: who are you in these games? Most games have Ann (3), Bob (2)")
    );
    let wrong = coach(&folder, &["--me", "Zoe"]);
    assert!(said(&wrong).contains("--me: no game has Zoe"), "{}", said(&wrong));
}

#[test]
fn bad_files_are_named() {
    let folder = Folder::new("files");
    let missing = coach(&folder, &["missing.pgn"]);
    assert!(!missing.status.success());
    assert!(said(&missing).starts_with("zebu: missing.pgn: it cannot be read: "));
    fs::write(folder.join("broken.pgn"), format!("1. e4 e5 2. Ke3 *\n\n{GAMES}")).expect("a file");
    let broken = coach(&folder, &["broken.pgn", "--me", "Ann"]);
    assert!(!broken.status.success());
    assert!(said(&broken).contains("zebu: broken.pgn: game 1 (White - Black), line 1: 'Ke3'"));
    assert!(said(&broken).contains("3 of your 3 games reviewed"));
}

#[test]
fn all_is_exported() {
    let folder = Folder::new("exported");
    fs::write(folder.join("games.pgn"), GAMES).expect("a file");
    let nodes = ["games.pgn", "--me", "Ann", "--nodes", "5000"];
    assert!(coach(&folder, &nodes).status.success());
    assert!(coach(&folder, &["--export", "all"]).status.success());
    let pgn = fs::read_to_string(folder.join("all.pgn")).expect("games");
    assert_eq!(pgn.matches("[Event ").count(), 4);
    let annotated = pgn.split("[Event ").filter(|game| game.contains("[%eval "));
    assert_eq!(annotated.count(), 3, "those of Ann's are reviewed: {pgn}");
    let json = fs::read_to_string(folder.join("all.json")).expect("the rest");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["names"][0], "Ann");
    assert_eq!(json["reviews"].as_array().expect("a list").len(), 3);
    assert!(!json["exercises"].as_array().expect("a list").is_empty());
}
