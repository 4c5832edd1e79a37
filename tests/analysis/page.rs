//! The page in a browser: chromium, or the one that `ZEBU_BROWSER` names.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{file, folder};

/// The document at an address in the page, after its scripts have run; `None` where there is no
/// browser.
fn rendered(page: &Path, address: &str, folder: &Path) -> Option<String> {
    let named = env::var("ZEBU_BROWSER").ok();
    let names = ["chromium", "chromium-browser", "google-chrome"].map(str::to_string);
    let browsers = named.map_or(names.to_vec(), |name| vec![name]);
    let dump = |browser: &String| {
        Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
            .arg(format!("--user-data-dir={}", folder.join("profile").display()))
            .arg(format!("file://{}{address}", page.display()))
            .output()
            .ok()
    };
    let output = browsers.iter().find_map(dump)?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // The data of the games are not what is shown.
    text.find("<script type=").map(|data| text[..data].to_string())
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
    let page = folder.join("games.analysed.html");
    let written = fs::read_to_string(&page).expect("a page");
    assert!(!written.contains("<script>alert"), "a tag is text");

    let Some(list) = rendered(&page, "", &folder) else {
        println!("skipped: there is no browser");
        return;
    };
    assert!(list.contains("<main id=\"game\" hidden"), "the list is shown first");
    let rows = list.split("<tbody>").nth(1).and_then(|rest| rest.split("</tbody>").next());
    assert_eq!(rows.expect("a table").matches("<tr>").count(), 6);
    assert_eq!(list.matches("<p class=\"wrong\">game").count(), 2);
    for wanted in ["C20 Wayward Queen Attack", "Adolf Anderssen", "21 Jun 1851", "6 games"] {
        assert!(list.contains(wanted), "{wanted}");
    }

    let game = rendered(&page, "#game-1-ply-6", &folder).expect("the browser was there");
    assert!(game.contains("<main id=\"list\" hidden"));
    for wanted in [
        // The move, its explanation, and what the file says.
        "<b class=\"blunder\">Nf6??</b> allows mate in 1; ",
        "two lines, and [Event in a comment]",
        "<i>(2. Nf3 Nc6 (2... d6 { nested ( } 3. d4)",
        "<span>Qh5?!</span>",
        "<span>e4!∞</span>",
        // The board, the bar, the graph with its axes and the accuracies.
        "aria-label=\"Board, 3… Nf6\"",
        "aria-label=\"Evaluation #1\"",
        "class=\"axis y\">50%</text>",
        "<circle class=\"blunder\"",
        "% accuracy</span>",
        "<td class=\"blunder\">1</td>",
    ] {
        assert!(game.contains(wanted), "{wanted}");
    }
    let boards = 1 + game.matches("<figure").count();
    assert!(boards > 1, "a blunder is a critical moment");
    assert_eq!(game.matches("class=\"square ").count(), 64 * boards);

    let lesson = rendered(&page, "#game-1-learn", &folder).expect("the browser was there");
    assert!(lesson.contains("<b>Mistake 1 of ") && lesson.contains(". Find a better move than "));
}
