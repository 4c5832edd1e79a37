//! `zebu analyse` with files of many kinds, with wrong arguments, and interrupted.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use engine::notation::{PgnGame, PgnReader};

use crate::{VALID, analyse, command, file, folder};

fn games(path: &Path) -> Vec<PgnGame> {
    let bytes = fs::read(path).expect("a file");
    PgnReader::new(&bytes[..]).map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect()
}

/// All moves are written, each with a score unless it mates, and with all earlier annotations.
#[test]
fn games_are_annotated() {
    let folder = folder("valid");
    for name in VALID {
        let out = folder.join(name);
        let run = analyse(&["--nodes", "100", "--out", &out.to_string_lossy()], &file(name));
        assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stderr));
        let (before, after) = (games(&file(name)), games(&out.with_extension("pgn")));
        assert_eq!(before.len(), after.len(), "{name}");
        for (before, after) in before.iter().zip(&after) {
            assert_eq!((before.start, before.result), (after.start, after.result), "{name}");
            assert_eq!(before.moves.len(), after.moves.len(), "{name}");
            for ((old, new), position) in
                before.moves.iter().zip(&after.moves).zip(before.positions())
            {
                assert_eq!(old.mv, new.mv, "{name}");
                let mates = position.after(new.mv).legal_moves().is_empty();
                let scores = new.comments.iter().filter(|text| text.contains("[%eval")).count();
                assert!(scores == 1 || mates, "{name}: {:?}", new.comments);
                assert!(new.variations.ends_with(&old.variations), "{name}");
                assert!(old.nags.iter().all(|nag| new.nags.contains(nag)), "{name}");
                let marked = new.nags.iter().any(|nag| (1..=6).contains(nag));
                assert!(marked || new.variations.len() == old.variations.len(), "{name}");
            }
        }
        let page = fs::read_to_string(out.with_extension("html")).expect("a page");
        // Nothing is loaded from elsewhere; the icon is empty.
        let page = page.replace("<link rel=\"icon\" href=\"data:,\">", "");
        assert!(
            page.ends_with("</html>\n") && !page.contains(" src=") && !page.contains("<link"),
            "{name}"
        );
    }
}

#[test]
fn a_blunder_gets_a_sign_and_a_better_line() {
    let folder = folder("blunder");
    let input = folder.join("mate.pgn");
    fs::write(&input, "1. f3 e5 2. g4?! Qh4# 0-1").expect("a file");
    assert!(analyse(&["--depth", "6"], &input).status.success());
    let written = fs::read_to_string(folder.join("mate.analysed.pgn")).expect("a file");
    let written = written.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = "2. g4 $6 { [%eval #-1] blunder: allows mate in 1: 2... Qh4#; ";
    assert!(written.contains(said) && written.contains(" was best [Zebu] } (2. "), "{written}");
    assert!(written.ends_with("2... Qh4# 0-1"), "{written}");
    // The file's annotation symbols stay, and Zebu's own notes are not repeated.
    let input = folder.join("mate.analysed.pgn");
    assert!(analyse(&["--depth", "6"], &input).status.success());
    let again = fs::read_to_string(folder.join("mate.analysed.analysed.pgn")).expect("a file");
    assert_eq!(again.matches("[Zebu]").count(), written.matches("[Zebu]").count(), "{again}");
    let again = again.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(again.contains("g4 $6") && again.matches("(2. ").count() == 1, "{again}");
}

/// Before the knight is captured, a search sees nothing wrong with it.
#[test]
fn a_move_that_the_search_would_have_played_is_a_blunder() {
    let folder = folder("reti");
    let input = folder.join("reti.pgn");
    let game = "1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6 5. Qd3 e5 6. dxe5 Qa5+ 7. Bd2 Qxe5 8. O-O-O Nxe4 \
                9. Qd8+ Kxd8 10. Bg5+ Kc7 11. Bd8# 1-0";
    fs::write(&input, game).expect("a file");
    assert!(analyse(&["--nodes", "50000"], &input).status.success());
    let written = fs::read_to_string(folder.join("reti.analysed.pgn")).expect("a file");
    let written = written.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = "Nxe4 $4 { [%eval #3] blunder: allows mate in 3: 9. Qd8+ ";
    assert!(written.contains(said) && !written.contains("Nxe4 was best"), "{written}");
}

/// Lines that the transposition table cuts off are completed.
#[test]
fn better_lines_are_whole() {
    let folder = folder("lines");
    let out = folder.join("immortal");
    let run = analyse(&["--nodes", "2000", "--out", &out.to_string_lossy()], &file("immortal"));
    assert!(run.status.success());
    let mut lines = 0;
    for played in games(&out.with_extension("pgn")).remove(0).moves {
        for line in played.variations {
            let moves = line.split_whitespace().filter(|word| !word.ends_with('.')).count();
            assert!(moves >= 8 || line.ends_with('#'), "{line}");
            lines += 1;
        }
    }
    assert!(lines > 3);
}

#[test]
fn broken_files_are_reported() {
    let folder = folder("broken");
    for (name, wanted) in [
        ("broken_move", "no such move is legal here; analysed up to there"),
        ("broken_move", "game 2 (C - D), line 14: 'Bxe8', move 3 of White: no such move"),
        ("broken_comment", "game 1 (A - B), line 6: '{' is never closed"),
        ("broken_tags", "game 2 (B - Black), line 9: FEN field 1"),
        ("cut_off", "game 2 (C - D), line 13: '{' is never closed"),
        ("binary", "it is not text"),
        ("wide", "it is in UTF-16; save it as UTF-8"),
        ("letter", "'Dear', move 1 of White"),
        ("empty", "there is nothing to analyse"),
    ] {
        let out = folder.join(name);
        let run = analyse(&["--nodes", "50", "--out", &out.to_string_lossy()], &file(name));
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(1), "{name}: {stderr}");
        assert!(stderr.contains(wanted), "{name}: {stderr}");
        // An input without games has no outputs.
        assert_eq!(out.with_extension("html").exists(), name != "empty", "{name}");
        assert!(!out.with_extension("html.zebu.part").exists(), "{name}");
    }
}

#[test]
fn wrong_arguments_are_reported() {
    let folder = folder("arguments");
    let missing = folder.join("missing.pgn");
    let own = folder.join("own.pgn");
    fs::write(&own, "1. e4 *").expect("a file");
    let own_name = folder.join("own").to_string_lossy().into_owned();
    let nowhere = folder.join("no/where").to_string_lossy().into_owned();
    for (arguments, input, code, wanted) in [
        (&[][..], &missing, 1, "missing.pgn: it cannot be read"),
        (&[], &folder, 1, "it cannot be read"),
        (&["--out", &own_name], &own, 1, "own.pgn: it would be written over itself"),
        (&["--out", &nowhere], &own, 1, "where.pgn: it cannot be written"),
        (&["--depth", "0"], &own, 2, "0 is not in 1..=245"),
        (&["--nodes", "many"], &own, 2, "many"),
        (&["--time", "-5"], &own, 2, "-5"),
        (&["--threads", "0"], &own, 2, "0 is not in 1..=1024"),
    ] {
        let run = analyse(arguments, input);
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(code), "{arguments:?}: {stderr}");
        assert!(stderr.contains(wanted), "{arguments:?}: {stderr}");
    }
    assert_eq!(fs::read_to_string(own).expect("a file"), "1. e4 *");
}

/// Each file has outputs of its own. One that cannot be read does not affect the others.
#[test]
fn several_files() {
    let folder = folder("several");
    for name in ["one", "two", "one.analysed"] {
        fs::write(folder.join(format!("{name}.pgn")), "1. e4 e5 *\n").expect("a file");
    }
    let names = ["one.pgn", "one.analysed.pgn", "missing.pgn", "two.pgn"];
    let files = names.map(|name| folder.join(name).to_string_lossy().into_owned());
    let [one, result, missing, two] = files.each_ref().map(String::as_str);
    let run = analyse(&["--nodes", "50", one, result, missing], Path::new(two));
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.contains("one.analysed.pgn: left out")
            && stderr.contains("missing.pgn: it cannot be read")
    );
    for name in ["one", "two"] {
        assert!(folder.join(name).with_extension("analysed.html").exists(), "{name}: {stderr}");
    }
    assert!(!folder.join("one.analysed.analysed.pgn").exists());
    let run = analyse(&["--out", "x", one], Path::new(two));
    assert!(String::from_utf8_lossy(&run.stderr).contains("--out takes a single file"));
}

/// If the output is the input under another name, the results go beside it, and the games are untouched.
#[test]
#[cfg(unix)]
fn a_link_to_the_input_is_no_danger() {
    let folder = folder("link");
    let games = folder.join("games.pgn");
    let link = folder.join("link.pgn");
    fs::write(&games, "1. e4 e5 *\n").expect("a file");
    fs::remove_file(&link).ok();
    fs::hard_link(&games, &link).expect("a link");
    let out = folder.join("link").to_string_lossy().into_owned();
    let run = analyse(&["--nodes", "50", "--out", &out], &games);
    assert!(run.status.success(), "{run:?}");
    assert_eq!(fs::read_to_string(&games).expect("a file"), "1. e4 e5 *\n");
    assert!(fs::read_to_string(&link).expect("a file").contains("[%eval"));
    assert!(!folder.join("link.pgn.zebu.part").exists());
    // Refused before anything is written.
    let page = folder.join("page.html");
    fs::write(&page, "1. e4 *").expect("a file");
    let kept = folder.join("page.pgn");
    fs::write(&kept, "mine").expect("a file");
    let out = folder.join("page").to_string_lossy().into_owned();
    assert!(!analyse(&["--out", &out], &page).status.success());
    assert_eq!(fs::read_to_string(&kept).expect("a file"), "mine");
}

/// Terminal escapes are not printed.
#[test]
fn escapes_in_tags_are_not_obeyed() {
    let folder = folder("escapes");
    let games = folder.join("a\u{1b}[31m.pgn");
    let text = "[White \"\u{1b}]0;title\u{7}\"]\n\n1. e4 *\n\n1. e5 *\n";
    fs::write(&games, text).expect("a file");
    let run = analyse(&["--nodes", "50"], &games);
    let wrong = analyse(&["--nodes", "\u{202e}\u{7}1"], &games);
    assert_eq!(wrong.status.code(), Some(2));
    for output in [run.stdout, run.stderr, wrong.stderr] {
        let text = String::from_utf8(output).expect("text");
        assert!(!text.is_empty() && !text.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{text:?}");
    }
}

/// Results are the same from standard input, and with lines that end by CR alone, as on old Macs.
#[test]
fn an_analysis_depends_on_the_games_alone() {
    let folder = folder("same");
    let games = ["immortal", "broken_move", "opera"].map(|name| fs::read_to_string(file(name)));
    let games = games.map(|text| text.expect("a file")).join("\n\n");
    let one = folder.join("one");
    fs::write(&one, &games).expect("a file");
    let written = |out: &str| {
        ["pgn", "json"].map(|extension| {
            let text = fs::read_to_string(folder.join(out).with_extension(extension));
            text.expect(extension)
        })
    };
    let limits = ["--nodes", "1000", "--json"];
    let out = one.to_string_lossy();
    analyse(&[&limits[..], &["--threads", "1", "--out", &out]].concat(), &one);
    let wanted = written("one");
    let data: serde_json::Value = serde_json::from_str(&wanted[1]).expect("JSON");
    let found = data["games"].as_array().expect("games");
    assert_eq!(found.len(), 5, "three are broken, and analysed up to there");
    assert_eq!((&found[0]["number"], &found[0]["result"]), (&1.into(), &"1-0".into()));
    let run = command(&[&limits[..], &["--threads", "1", "--out", "two"]].concat(), Path::new("-"))
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .spawn();
    let mut run = run.expect("the engine runs");
    let mut input = run.stdin.take().expect("a pipe");
    input.write_all(games.replace('\n', "\r").as_bytes()).expect("it reads");
    drop(input);
    run.wait().expect("it ends");
    assert!(written("two") == wanted);
}

/// The system's program for such files gets the page.
#[test]
#[cfg(target_os = "linux")]
fn the_page_is_shown() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("open");
    let (opener, shown) = (folder.join("xdg-open"), folder.join("shown"));
    fs::write(&opener, "#!/bin/sh\necho \"$1\" > shown.new && mv shown.new shown\n")
        .expect("a file");
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).expect("a mode");
    let run = command(&["--nodes", "50", "--open", "--out", "game"], &file("opera"))
        .current_dir(&folder)
        .env("PATH", format!("{}:/usr/bin:/bin", folder.display()))
        .output()
        .expect("the engine runs");
    let told = String::from_utf8_lossy(&run.stderr);
    assert_eq!(told.trim(), "zebu: 1 analysed: game.pgn, game.html");
    let said = (0..600).find_map(|_| {
        sleep(Duration::from_millis(50));
        fs::read_to_string(&shown).ok()
    });
    assert_eq!(said.as_deref(), Some("game.html\n"));
}

/// A link stays, and the file that it names is written; a pipe is refused.
#[cfg(unix)]
#[test]
fn outputs_follow_links_and_refuse_pipes() {
    let folder = folder("links");
    let [link, file_there] = ["link.pgn", "real.pgn"].map(|name| folder.join(name));
    fs::write(&file_there, "").expect("a file");
    std::os::unix::fs::symlink(&file_there, &link).expect("a link");
    let out = folder.join("link");
    let run = analyse(&["--nodes", "50", "--out", &out.to_string_lossy()], &file("opera"));
    let told = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && told.contains("real.pgn"), "{told}");
    assert!(
        link.is_symlink()
            && fs::read_to_string(&file_there).is_ok_and(|text| text.contains("Morphy"))
    );
    let pipe = folder.join("pipe.pgn");
    assert!(Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()));
    let out = folder.join("pipe");
    let run = analyse(&["--nodes", "50", "--out", &out.to_string_lossy()], &file("opera"));
    let told = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.code() == Some(1) && told.contains("it is not a file"), "{told}");
}
