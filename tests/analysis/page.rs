//! The page in a browser: Chromium, or the one that `ZEBU_BROWSER` names.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use zebu::page::{self, Games};

use crate::data::skip::skip;
use crate::{analyse, file, folder};

/// The document at an address in the page, after its scripts have run; `None` without a browser.
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
    // The games' data is not displayed.
    let end = text.find("<script type=").unwrap_or(text.len());
    Some(text[..end].to_string())
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
    let run = analyse(&["--nodes", "1000"], &input);
    assert_eq!(run.status.code(), Some(1), "two games are broken");
    let page = folder.join("games.analysed.html");
    let written = fs::read_to_string(&page).expect("a page");
    assert!(!written.contains("<script>alert"), "a tag is text");

    let Some(list) = rendered(&page, "", &folder) else {
        skip("browser", "no Chromium in PATH");
        return;
    };
    assert!(list.contains("<main id=\"game\" hidden"), "the list is shown first");
    let rows = list.split("<tbody>").nth(1).and_then(|rest| rest.split("</tbody>").next());
    assert_eq!(rows.expect("a table").matches("<tr>").count(), 8, "two are broken");
    assert_eq!(list.matches("<p class=\"wrong\">game").count(), 2);
    for wanted in ["C20 Wayward Queen Attack", "Adolf Anderssen", "21 Jun 1851", "8 games"] {
        assert!(list.contains(wanted), "{wanted}");
    }

    let game = rendered(&page, "#game-1-ply-6", &folder).expect("the browser was there");
    assert!(game.contains("<main id=\"list\" hidden"));
    for wanted in [
        // The move, its explanation, and the file's comments.
        "<b class=\"blunder\">Nf6??</b> allows mate in 1 (scholar's mate): 4. Qxf7#; ",
        "two lines, and [Event in a comment]",
        // The file's variation, with a nested variation and comments.
        ">2. Nf3</button> <button>Nc6</button> <span class=\"line\">(<button>2… d6</button> nested ( ",
        "<span>Qh5?!</span>",
        "<span>e4!∞</span>",
        // The board, the bar, the graph with its axes, and the accuracies.
        "aria-label=\"Board, 3… Nf6. White: ",
        "aria-label=\"Evaluation #1\"",
        "class=\"axis y\">50%</text>",
        "<path class=\"mark blunder\"",
        "% accuracy</span>",
        "<td class=\"blunder\">1</td>",
    ] {
        assert!(game.contains(wanted), "{wanted}");
    }
    let boards = 1 + game.matches("<figure").count();
    assert!(boards > 1, "a blunder is a critical moment");
    assert_eq!(game.matches("class=\"square ").count(), 64 * boards);

    let lesson = rendered(&page, "#game-1-learn", &folder).expect("the browser was there");
    let begins = lesson.contains(">Mistake 1 of ") && lesson.contains(". What was better?");
    assert!(begins || lesson.contains("Whose mistakes are yours?"), "both sides may have erred");
}

/// Runs a script in a page at an address, and returns what it passed to `log`.
fn ran(page: &str, address: &str, script: &str, folder: &Path) -> Option<String> {
    const HANDS: &str = r##"
        const out = [], log = (...words) => out.push(words.join(" "));
        const at = (square) => {
            const { left, top, width } = $("board").getBoundingClientRect();
            const turned = document.querySelector(".bar").classList.contains("turned");
            const [file, rank] = ["abcdefgh".indexOf(square[0]), square[1] - 1];
            const [x, y] = turned ? [7 - file, rank] : [file, 7 - rank];
            return { clientX: left + (x + 0.5) * width / 8, clientY: top + (y + 0.5) * width / 8, buttons: 1 };
        };
        const point = (name, square) => $("board").dispatchEvent(new PointerEvent("pointer" + name, at(square)));
        const tap = (square) => { point("down", square); point("up", square); };
        const drag = (from, to) => { point("down", from); point("move", to); point("up", to); };
        const said = () => $("status").textContent;
        const now = () => [...document.querySelectorAll("button.now")].map((it) => it.textContent).join("|");
        const press = (text) => [...document.querySelectorAll("#game button")].find((it) => it.textContent === text).click();"##;
    let run = format!(
        "<script>addEventListener('load', () => {{ {HANDS}\n try {{ {script} }} catch (error) {{ log(error.stack); }}\n\
         document.body.textContent = out.join('\\n'); }});</script></body>"
    );
    let file = folder.join("driven.html");
    fs::write(&file, page.replace("</body>", &run)).expect("a file");
    let shown = rendered(&file, address, folder)?;
    let body = shown.rsplit("<body>").next().and_then(|rest| rest.split("</body>").next());
    Some(body.expect("a body").to_string())
}

/// A page with a lichess game: clocks, drawings, and a variation of the file.
fn lichess_page(folder: &Path) -> String {
    page_of(&["lichess"], &["--nodes", "5000", "--multipv", "2"], folder)
}

/// A page with these games.
fn page_of(names: &[&str], limits: &[&str], folder: &Path) -> String {
    let input = folder.join("games.pgn");
    let games = names.iter().map(|name| fs::read_to_string(file(name)).expect(name));
    fs::write(&input, games.collect::<Vec<_>>().join("\n\n")).expect("a file");
    let run = analyse(limits, &input);
    assert!(run.status.success());
    fs::read_to_string(folder.join("games.analysed.html")).expect("a page")
}

#[test]
fn three_games_make_a_small_page() {
    let page =
        page_of(&["lichess", "chesscom", "fastchess"], &["--nodes", "5000"], &folder("small"));
    assert!(page.len() < 200_000, "{} bytes", page.len());
}

/// Match runners' comments after moves are shown as a small line and a clock, not as remarks.
#[test]
fn the_figures_of_runners_are_no_remarks() {
    let folder = folder("runners");
    let page = page_of(&["fastchess", "tcec"], &["--nodes", "200"], &folder);
    let seen = r#"const words = () => [...$("moves").querySelectorAll(".remark")].map((it) => it.textContent);
        log(words().filter((text) => /\bn=|latency/.test(text)).length, words().some((text) => text.includes("mating material")));
        log($("below").querySelector(".clock").textContent, $("status").querySelector(".figures").textContent);"#;
    let Some(log) = ran(&page, "#game-1-ply-1", seen, &folder) else {
        skip("browser", "no Chromium in PATH");
        return;
    };
    assert_eq!(log, "0 true\n00:00.9 The player's figures: +0.08, depth 9, 0.045 s");
    let log = ran(&page, "#game-2-ply-2", seen, &folder).expect("the browser was there");
    assert_eq!(log, "0 false\n1:56:08 The player's figures: 0.73, depth 18");
}

#[test]
fn a_person_uses_the_page() {
    let folder = folder("hands");
    let page = lichess_page(&folder);
    let own = r#"tap("e2"); log(document.querySelectorAll(".dot").length);
        tap("e4"); log(said().slice(0, 5)); tap("d7"); tap("d5"); tap("e4"); tap("d5"); drag("d8", "d5"); log(said());
        log(now()); document.querySelector("[data-step=back]").click(); log(now());"#;
    let Some(log) = ran(&page, "#game-1", own, &folder) else {
        skip("browser", "no Chromium in PATH");
        return;
    };
    let wanted = "3\n1. e4\nYour line after 1. e4: 1… d5 2. exd5 Qxd5  Back to the game\nQxd5|Qxd5\n2. exd5|2. exd5";
    assert_eq!(log, wanted, "own moves make a line");

    // A variation of the file can be played through, and annotations are visible on a flipped board too.
    let line = r#"press("3… d6"); log(now()); document.querySelector("[data-step=on]").click(); log(now());
        document.querySelector("[data-step=turn]").click(); log(now());
        log($("headline").textContent, "/", $("facts").querySelector("a").href);"#;
    let log = ran(&page, "#game-1-ply-5", line, &folder).expect("the browser was there");
    let wanted = "d6|3… d6\n4. d4|4. d4\n4. d4|4. d4\nAdolf Anderssen (2600) 1–0 Lionel Kieseritzky (2550) / https://lichess.org/AbCdEfGh";
    assert_eq!(log, wanted);
    let seen = r#"log(document.querySelectorAll(".arrow.green, .arrow.red").length, $("below").querySelector(".clock").textContent,
        document.querySelectorAll("polyline.clock").length, [...$("moves").querySelectorAll(".remark")].filter((it) => it.textContent.trim() === "King's gambit").length);"#;
    let log = ran(&page, "#game-1-ply-3", seen, &folder).expect("the browser was there");
    assert_eq!(log, "3 04:58 2 1");

    // A lesson does not reveal its answer, and accepts every good move.
    let lesson = r#"const [ply, note] = Object.entries(JSON.parse(document.querySelector("script.game").textContent).notes).find(([, note]) => note.judgement);
        log(said().includes("Whose mistakes are yours?")); press("Both sides'");
        log([...$("moves").children].filter((it) => !it.hidden).every((it) => +it.dataset.ply < +ply), ["moments", "graph"].map((id) => getComputedStyle($(id)).display));
        log(said().includes("What was better?")); const right = note.right.split(" ")[2 * Math.floor(note.right.split(" ").length / 2) - 2];
        press("A hint"); log(/^(Look for|Move the) /.test(said()));
        // No piece moves three files and one rank.
        const from = right.slice(0, 2), aside = "defgbcde"["abcdefgh".indexOf(from[0])] + (+from[1] < 5 ? +from[1] + 1 : from[1] - 1);
        drag(from, aside); log(said().split(".")[0]); drag(right.slice(0, 2), right.slice(2, 4)); log(said().slice(0, 6));"#;
    let log = ran(&page, "#game-1-learn", lesson, &folder).expect("the browser was there");
    assert_eq!(log, "true\ntrue none,none\ntrue\ntrue\nThat move is not legal\nRight!");
}

/// Promotion, praise, keys, the wheel, the theme, several lines, phases, and lessons for one side.
#[test]
fn a_person_finds_the_rest() {
    let folder = folder("rest");
    let extra = folder.join("extra.pgn");
    let pawn = "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. Kb2 Kg6 *\n\n";
    let sacrifice = "[FEN \"5r1k/6pp/7N/8/8/1Q6/8/K7 w - - 0 1\"]\n\n1. Qg8+ Rxg8 2. Nf7# 1-0\n\n";
    let lichess = fs::read_to_string(file("lichess")).expect("a file");
    fs::write(&extra, format!("{pawn}{sacrifice}{lichess}")).expect("a file");
    let page =
        page_of(&[&extra.to_string_lossy()], &["--nodes", "5000", "--multipv", "2"], &folder);

    let promotion = r#"tap("a7"); tap("a8"); log(said().slice(0, 10)); press("Rook"); log(said().slice(0, 19));"#;
    let Some(log) = ran(&page, "#game-1", promotion, &folder) else {
        skip("browser", "no Chromium in PATH");
        return;
    };
    assert_eq!(log, "Promote to\nYour line: 1. a8=R ");
    let praise = r#"log(said().includes("! gives up the queen, and is the best move."), $("moves").querySelector("button.praise").textContent.slice(0, 4));"#;
    let log = ran(&page, "#game-2-ply-1", praise, &folder).expect("the browser was there");
    assert_eq!(log, "true Qg8+");
    let moving = r#"const key = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        key("ArrowDown"); log(location.hash); key("ArrowUp"); log(location.hash);
        $("board").dispatchEvent(new WheelEvent("wheel", { deltaY: 1, cancelable: true })); log(location.hash);
        log($("status").querySelectorAll(".score").length, $("summary").querySelectorAll("[title^='Accuracy in']").length);
        for (let i = 0; i < 2; i++) { $("theme").click(); log(document.documentElement.dataset.theme); }"#;
    let log = ran(&page, "#game-3", moving, &folder).expect("the browser was there");
    assert_eq!(log, "#game-3-ply-45\n#game-3\n#game-3-ply-1\n2 2\ndark\nlight");
    let side = r#"press("Both sides'"); const choice = document.querySelector(".answers select"); choice.value = "black";
        choice.dispatchEvent(new Event("change")); log(said().includes("Black played"));"#;
    let log = ran(&page, "#game-3-learn", side, &folder).expect("the browser was there");
    assert_eq!(log, "true");
}

/// The page's rules, compared with known counts of move sequences.
#[test]
fn the_page_knows_the_rules() {
    let folder = folder("rules");
    let page = lichess_page(&folder);
    let counts = r#"const count = (position, state, depth) => depth === 0 ? 1 : legalMoves(position, state)
            .reduce((sum, move) => sum + count(after(position, move), stateAfter(position, state, move), depth - 1), 0);
        for (const [fen, depth] of [
            ["r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2],
            ["8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3],
            ["r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3],
            ["bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 2],
        ]) {
            const [pieces, ...fields] = fen.split(" "), position = placed(pieces), state = stateOf(fields.join(" "));
            const legal = legalMoves(position, state);
            log(count(position, state, depth), legal.every((move) => moveOf(position, state, sanOf(position, state, move)) === move));
        }"#;
    let Some(log) = ran(&page, "", counts, &folder) else {
        skip("browser", "no Chromium in PATH");
        return;
    };
    assert_eq!(log, "2039 true\n2812 true\n9467 true\n528 true");
}

/// A page of 5,000 games has the first 12 MB in it and the others in files of 4 MB, each game once, and opens
/// them.
#[test]
fn a_page_of_many_games_is_split() {
    const GAMES: usize = 5000;
    let folder = folder("many");
    let input = folder.join("games.pgn");
    fs::copy(file("lichess"), &input).expect("a file");
    assert!(analyse(&["--nodes", "1000", "--json"], &input).status.success());
    let one = fs::read_to_string(folder.join("games.analysed.json")).expect("its data");
    let one = one.lines().nth(1).expect("a game");
    assert!(one.starts_with("{\"number\":1,") && one.contains("Anderssen"), "{one}");
    let of = |number: usize| {
        let json = one.replacen("\"number\":1,", &format!("\"number\":{number},"), 1);
        json.replace("Anderssen", &format!("Anderssen the {number}th"))
    };
    let page = folder.join("many.html");
    let mut games = Games::default();
    let mut text = page::head("many");
    for number in 1..=GAMES {
        text += &games.put(&page, number, &of(number)).expect("its place");
    }
    fs::write(&page, text.clone() + page::FOOT).expect("a file");
    let parts = games.finish().expect("files");
    let each = of(GAMES).len();
    let rows: Vec<&str> = text.lines().filter(|line| line.contains("class=\"game\"")).collect();
    let (distant, held): (Vec<&str>, Vec<&str>) =
        rows.iter().partition(|row| row.contains("data-file="));
    assert_eq!(rows.len(), GAMES);
    for (row, number) in rows.iter().zip(1..) {
        assert!(row.contains(&format!("{{\"number\":{number},")), "{number}");
    }
    assert!(((12 << 20) / each).abs_diff(held.len()) < 20, "{} games in the page", held.len());
    assert_eq!(parts, (distant.len() * each).div_ceil((4 << 20) + each), "files of 4 MB");
    let mut next = held.len() + 1;
    for part in 2..parts + 2 {
        let name = format!("many-{part}.js");
        let file = fs::read_to_string(folder.join(&name)).expect("a part");
        assert!(file.len() < 6 << 20 && file.starts_with("Listed.take({\n"), "{name}");
        assert!(file.ends_with("});\n"), "{name}");
        for line in file.lines().filter(|line| line.as_bytes()[0].is_ascii_digit()) {
            assert!(line.starts_with(&format!("{next}:\"{{\\\"number\\\":{next},")), "{next}");
            assert!(rows[next - 1].contains(&format!("data-file=\"{name}\"")), "{next}");
            next += 1;
        }
    }
    assert_eq!(next, GAMES + 1, "each game is somewhere once");
    let Some(list) = rendered(&page, "", &folder) else {
        skip("browser", "no Chromium in PATH");
        return;
    };
    assert!(list.contains("5,000 games"));
    let game = rendered(&page, "#game-4999-ply-6", &folder).expect("the browser was there");
    assert!(game.contains("Anderssen the 4999th") && game.contains("aria-label=\"Board, 3… Qh4+"));
}
