//! Endless input, signals and failing outputs: memory is bounded, a run ends soon, and its files are intact.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::{analyse, command, file, folder};

/// Runs `zebu analyse` under limits of the shell, with piped input.
fn limited(limits: &str, arguments: &[&str], folder: &Path) -> Child {
    let script = format!("ulimit {limits}; exec \"$0\" analyse \"$@\" --threads 1 /dev/stdin");
    Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_zebu")])
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell")
}

/// The peak memory of a run in kilobytes, where the system reports it.
fn peak(run: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", run.id())).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|peak| peak.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Writes a text repeatedly until nobody reads it. Returns the exit code and the messages of the run.
fn flood(mut run: Child, head: &str, text: &str) -> (Option<i32>, String) {
    let mut input = run.stdin.take().expect("a pipe");
    let texts = text.repeat(100_000 / text.len() + 1);
    if input.write_all(head.as_bytes()).is_ok() {
        while input.write_all(texts.as_bytes()).is_ok() {
            assert!(peak(&run) < 200_000, "{head}{text}: {} kB", peak(&run));
        }
    }
    let Output { status, stderr, .. } = run.wait_with_output().expect("it ends");
    (status.code(), String::from_utf8_lossy(&stderr).into_owned())
}

/// Only a limit ends these runs. They may use 700 MB of address space, most of it untouched, and 200 MB of
/// memory.
#[test]
fn input_without_an_end_is_given_up() {
    let folder = folder("endless");
    for (arguments, head, text, wanted) in [
        (&["--out", "a"][..], "", "x", "line 1 has more than 16 MB"),
        (
            &["--out", "b"],
            "[A \"b\"]\n\n1. e4 {",
            " x\n",
            "the game from line 1 on has more than 16 MB",
        ),
        (
            &["--out", "c"],
            "1. e4 *\n\n",
            "[A \"b\"]\n",
            "the game from line 3 on has more than 16 MB",
        ),
        (&["--out", "d"], "1. e4 ", "(1. d4) $1\n", "the game from line 1 on has more than 16 MB"),
        (&["--out", "e", "--epd"], "", "x", "line 1 has more than 16 MB"),
        (&["--out", "f"], "", "\0", "it is not text"),
        (&["--out", "g", "--epd"], "", "\0", "it is not text"),
    ] {
        let (code, told) = flood(limited("-v 700000", arguments, &folder), head, text);
        assert_eq!(code, Some(1), "{head}{text}: {told}");
        assert!(told.contains(wanted), "{head}{text}: {told}");
    }
}

/// One signal ends a run at once, whatever it is waiting for, and finished analyses are kept.
#[test]
fn a_signal_ends_what_reads_or_waits() {
    let folder = folder("signals");
    let long = format!("{}*\n\n1. e4\n", "Nf3 Nf6 Ng1 Ng8\n".repeat(500));
    for (arguments, input, kept) in [
        (&["--out", "silent"][..], "", false),
        (&["--out", "waiting", "--nodes", "10"], "1. e4 *\n\n1. d4\n", true),
        (&["--out", "remarks", "--epd"], "# a remark\n", false),
        (&["--out", "long", "--nodes", "100"], &long, true),
        (&["--out", "deep", "--depth", "100"], "8/8/8/4k3/8/8/4P3/4K3 w - -", false),
    ] {
        // A busy machine may be late, but not every time.
        let ended = (0..20).find_map(|number| {
            let signal = if number % 2 == 0 { "-TERM" } else { "-INT" };
            let mut run = limited("-v 1000000", arguments, &folder);
            let mut pipe = run.stdin.take().expect("a pipe");
            let written = pipe.write_all(input.as_bytes());
            sleep(Duration::from_millis(300 + 50 * number));
            let begun = Instant::now();
            let id = run.id().to_string();
            assert!(Command::new("kill").args([signal, &id]).status().is_ok_and(|it| it.success()));
            let output = run.wait_with_output().expect("it ends");
            let took = begun.elapsed();
            written.expect("it reads");
            (took < Duration::from_millis(100)).then_some(output)
        });
        let output = ended.unwrap_or_else(|| panic!("{arguments:?}: no signal ended it in 100 ms"));
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {told}");
        let pgn = folder.join(arguments[1]).with_extension("pgn");
        assert_eq!(pgn.exists(), kept, "{arguments:?}: {told}");
        assert!(!kept || told.contains("1 analysed, then stopped"), "{told}");
    }
    let text = |name: &str| fs::read_to_string(folder.join(name)).expect(name);
    let analysed = text("long.pgn").matches("[%eval").count();
    assert!((1..2000).contains(&analysed) && text("long.html").ends_with("</html>\n"));
    assert!(parts(&folder).is_empty(), "{:?}", parts(&folder));
}

fn parts(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    names.filter(|name| name.contains(".part")).collect()
}

/// Analyses that no longer fit on the disk are not begun, and all earlier ones are in the final file.
#[test]
fn a_full_disk_keeps_what_was_written() {
    let folder = folder("full");
    let lines = "4k3/8/8/8/8/8/8/4K2Q w - - id \"a position\";\n".repeat(100);
    let mut run = limited("-f 1", &["--epd", "--nodes", "10", "--out", "some"], &folder);
    run.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
    let output = run.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("some.epd: it cannot be written: "), "{told}");
    assert_eq!((output.status.code(), parts(&folder)), (Some(1), Vec::new()), "{told}");
    let written = fs::read_to_string(folder.join("some.epd")).expect("a file");
    assert!(!written.is_empty() && written.ends_with("id \"a position\";\n"), "{written}");
    // There is no space for the page at all.
    let (code, told) = flood(limited("-f 1", &["--out", "none"], &folder), "", "1. e4 *\n\n");
    assert_eq!((code, parts(&folder)), (Some(1), Vec::new()), "{told}");
    assert!(!folder.join("none.pgn").exists() && told.contains("none.html: it cannot be written"));
}

/// An impossible output is reported before the analysis, and existing files are untouched.
#[test]
fn outputs_are_looked_at_first() {
    let folder = folder("outputs");
    let text = |name: &str| fs::read_to_string(folder.join(name)).expect(name);
    fs::create_dir(folder.join("there.html")).expect("a folder");
    fs::write(folder.join("locked.html"), "mine").expect("a file");
    let locked = fs::Permissions::from_mode(0o444);
    fs::set_permissions(folder.join("locked.html"), locked).expect("a mode");
    fs::write(folder.join("free.html.part"), "mine").expect("a file");
    // A killed run left this.
    fs::write(folder.join("free.html.zebu.part"), "left").expect("a file");
    for (name, code, wanted) in [
        ("there", 1, "there.html: it cannot be written: is a directory"),
        ("locked", 1, "locked.html: it cannot be written: it is there, and not to be written"),
        ("there.html/", 1, "there.html/: it is a folder; --out takes a name"),
        ("free", 0, "free.pgn"),
        ("named.pgn", 0, "named.pgn"),
    ] {
        let out = folder.join(name);
        let nodes = if code == 0 { "10" } else { "1000000000" };
        let run = analyse(&["--nodes", nodes, "--out", &out.to_string_lossy()], &file("opera"));
        let told = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(code), "{name}: {told}");
        assert!(told.contains(wanted), "{name}: {told}");
    }
    assert!(folder.join("named.html").exists() && !folder.join("named.pgn.pgn").exists());
    assert_eq!((text("free.html.part"), text("locked.html")), ("mine".into(), "mine".into()));
    assert_eq!(parts(&folder), ["free.html.part"]);
}

/// Every input has its own outputs, and two runs with the same outputs leave those of one of them.
#[test]
fn outputs_do_not_mix() {
    let folder = folder("names");
    for (name, mv) in [("four", "e4"), ("four.pgn", "d4")] {
        fs::write(folder.join(name), format!("1. {mv} *\n")).expect("a file");
        assert!(analyse(&["--nodes", "10"], &folder.join(name)).status.success());
    }
    let text = |name: &str| fs::read_to_string(folder.join(name)).expect(name);
    assert!(text("four-analysed.pgn").contains("e4") && text("four.analysed.pgn").contains("d4"));
    let out = folder.join("both").to_string_lossy().into_owned();
    let run = |name| command(&["--nodes", "5000", "--out", &out], &file(name)).spawn();
    let runs = ["opera", "immortal"].map(|name| run(name).expect("it starts"));
    for mut run in runs {
        assert!(run.wait().expect("it ends").success());
    }
    assert!(text("both.pgn").ends_with("1-0\n\n") && text("both.html").ends_with("</html>\n"));
    assert!(parts(&folder).is_empty());
}
