//! SPSA with real games.

use std::io::Read;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use engine::search::{TUNABLES, Tunable};

use crate::tool::Folder;

const CONFIG: &str = "games = 48\nnodes = 200\nbatch = 3\ntunables = [\"rfp_margin\", \"mvv\"]\n";

#[test]
fn lists() {
    let folder = Folder::new("lists");
    let table = folder.run("tune --list");
    assert_eq!(table.lines().count(), TUNABLES.len() + 1);
    assert!(table.lines().all(|line| line.len() < 120), "{table}");
    let openbench = folder.run("tune --openbench");
    assert_eq!(openbench.lines().count(), TUNABLES.len());
    let Tunable { name, default, min, max, step, .. } = TUNABLES[1];
    let line = format!("\n{name}, int, {default}, {min}, {max}, {step}, 0.002\n");
    assert!(openbench.contains(&line), "{openbench}");
}

#[test]
fn a_kill_changes_nothing() {
    let folder = Folder::new("kill");
    folder.write("whole.toml", CONFIG.as_bytes());
    folder.write("killed.toml", CONFIG.as_bytes());
    let whole = folder.run("tune whole.toml --threads 1");
    assert!(whole.starts_with("    rfp_margin = ") && whole.lines().count() == 2, "{whole}");
    let mut child = folder.command("tune killed.toml --threads 2").spawn().expect("it starts");
    let begin = Instant::now();
    while !folder.has("killed.state") && begin.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(5));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert_eq!(folder.run("tune killed.toml --threads 3"), whole);
    for ending in ["csv", "svg", "state", "tuned.toml"] {
        let [one, other] = ["whole", "killed"].map(|name| folder.read(&format!("{name}.{ending}")));
        assert_eq!(one, other, "{ending}");
    }
    assert_eq!(folder.run("tune whole.toml"), whole, "nothing is left to play");
    folder.run("match whole.tuned.toml --nodes 100 --games 2");
}

#[test]
fn a_stop_is_told() {
    let folder = Folder::new("stop");
    folder.write("a.toml", CONFIG.replace("48", "4000000").as_bytes());
    let mut child = folder
        .command("tune a.toml --threads 2")
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    while !folder.has("a.svg") {
        sleep(Duration::from_millis(5));
    }
    let id = child.id().to_string();
    std::process::Command::new("kill").args(["-TERM", &id]).status().expect("there is kill");
    let mut complaint = String::new();
    child.stderr.take().unwrap().read_to_string(&mut complaint).expect("it ends");
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
    assert!(complaint.contains("stopped; the same command goes on from here"), "{complaint}");
}

#[test]
fn bad_input_is_one_line() {
    let folder = Folder::new("tune-input");
    let part = CONFIG.replace("48", "6");
    folder.write("a.toml", part.as_bytes());
    folder.write("name.toml", part.replace("mvv", "mvw").as_bytes());
    folder.write("damaged.toml", part.as_bytes());
    folder.write("damaged.state", b"[origin]\nbuild = 1\n");
    folder.run("tune a.toml");
    let state = folder.read("a.state");
    folder.write("a.toml", part.replace("200", "201").as_bytes());
    for (words, wanted) in [
        ("none.toml", "none.toml: "),
        ("name.toml", "name.toml:4: no tunable is called 'mvw'"),
        ("damaged.toml", "damaged.state is no such state, or it is damaged"),
        ("a.toml", "a.state is the state of other settings: 6 games, 200 nodes"),
    ] {
        let complaint = folder.complaint(&format!("tune {words}"));
        assert!(complaint.contains(wanted), "{words}: {complaint}");
    }
    assert_eq!(folder.read("a.state"), state, "nothing is lost");
}

/// A constant far from its best value moves back towards it. Takes minutes.
#[test]
#[ignore]
fn a_spoilt_constant_moves_back() {
    let folder = Folder::new("spoilt");
    let config = "games = 2000\nnodes = 500\nr_end = 0.01\nhash = 1\n\
        tunables = [\"rfp_margin\"]\n\
        [start]\nrfp_margin = 30\n[steps]\nrfp_margin = 50\n";
    folder.write("spoilt.toml", config.as_bytes());
    let table = folder.run("tune spoilt.toml");
    let value = table.split(['=', ',']).nth(1).and_then(|value| value.trim().parse().ok());
    let value: i32 = value.unwrap_or_else(|| panic!("{table}"));
    assert!(value >= 50, "{table}");
}
