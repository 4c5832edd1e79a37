//! The page in a browser: chromium, or the one that `ZEBU_BROWSER` names.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{file, folder};

/// The document after its script has run, or `None` where there is no browser.
fn rendered(page: &Path, folder: &Path) -> Option<String> {
    let named = env::var("ZEBU_BROWSER").ok();
    let names = ["chromium", "chromium-browser", "google-chrome"].map(str::to_string);
    let browsers = named.map_or(names.to_vec(), |name| vec![name]);
    let dump = |browser: &String| {
        Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
            .arg(format!("--user-data-dir={}", folder.join("profile").display()))
            .arg(format!("file://{}", page.display()))
            .output()
            .ok()
    };
    let output = browsers.iter().find_map(dump)?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn the_page_shows_the_analysis() {
    let folder = folder("page");
    let input = folder.join("games.pgn");
    let text: Vec<u8> = ["remarks", "broken_move", "immortal", "chess960"]
        .iter()
        .flat_map(|name| fs::read(file(name)).expect(name).into_iter().chain(*b"\n"))
        .collect();
    fs::write(&input, text).expect("a file");
    let run = Command::new(env!("CARGO_BIN_EXE_zebu"))
        .args(["analyse", "--nodes", "1000"])
        .arg(&input)
        .env("XDG_CONFIG_HOME", "/nowhere")
        .output()
        .expect("the engine runs");
    assert_eq!(run.status.code(), Some(1), "two games are broken");
    let Some(page) = rendered(&folder.join("games.analysed.html"), &folder) else {
        println!("skipped: there is no browser");
        return;
    };
    let count = |part: &str| page.matches(part).count();
    assert_eq!(count("<details class=\"game\""), 6);
    assert_eq!(count("<p class=\"wrong\">game"), 2);
    assert_eq!(count("alert(1)"), count("&lt;script&gt;alert(1)&lt;/script&gt;"));
    // The first game is open: its boards are drawn, that of the first position and one for each
    // critical moment, and its score is shown.
    let end = page.find("</details>").expect("a game");
    let first = &page[..end];
    let figures = first.matches("<figure").count();
    assert!(figures >= 1, "a blunder is shown");
    assert_eq!(first.matches("class=\"square ").count(), 64 * (1 + figures));
    assert_eq!(first.matches("class=\"piece black\"").count(), 16 * (1 + figures));
    assert!(first.contains("<p class=\"status\"><b>"), "the script ran to its end");
    assert!(first.contains("Qxf7#") && first.contains("Nf6??"));
    assert!(first.contains("class=\"graph\"") && first.contains("class=\"accuracy\">"));
    // The others are drawn when they are opened.
    assert_eq!(page[end..].matches("class=\"square ").count(), 0);
}
