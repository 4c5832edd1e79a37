//! Training networks.

use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::tool::Folder;

const SMALL: &str = "--hidden 32 --output-buckets 2 --batch 512 --validation 0.2 --threads 1";

/// A folder with a file of quick games by the teacher.
fn with_games(name: &str, games: u32) -> Folder {
    let folder = Folder::new(name);
    folder.run(&format!("play games --games {games} --nodes 60 --hash 1 --teacher"));
    folder
}

/// The number after some words.
fn number_after(text: &str, words: &str) -> f64 {
    let (_, rest) = text.split_once(words).unwrap_or_else(|| panic!("no '{words}' in {text}"));
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    rest[..end].parse().unwrap()
}

#[test]
fn a_network_learns_and_survives_quantisation() {
    let folder = with_games("learning", 200);
    let text = folder.run(&format!("train games --out a.net {SMALL} --epochs 10 --lr 0.003"));
    let loss = number_after(&text, "validation loss ");
    let before = number_after(&text, "before quantisation ");
    assert!((loss / before - 1.0).abs() < 0.05, "{text}");

    let losses = training_losses(&folder, "a.csv");
    assert_eq!(losses.len(), 10);
    assert!(losses[9] < 0.5 * losses[0], "{losses:?}");
    assert!(folder.read("a.svg").starts_with(b"<svg"));
    assert!(folder.read("a.net").starts_with(b"ZEBUNET\0"));
    assert!(!folder.has("a.checkpoint"));
}

/// The training losses in a loss curve.
fn training_losses(folder: &Folder, curve: &str) -> Vec<f64> {
    let curve = String::from_utf8(folder.read(curve)).unwrap();
    let loss = |line: &str| line.split(',').nth(2).unwrap().parse().unwrap();
    curve.lines().skip(1).map(loss).collect()
}

#[test]
fn a_seed_decides_the_network() {
    let folder = with_games("seeded", 60);
    for (name, more) in
        [("a", "--seed 1"), ("b", "--seed 1"), ("c", "--seed 2"), ("d", "--seed 1 --chunk 1000")]
    {
        folder.run(&format!("train games --out {name}.net {SMALL} --epochs 2 {more}"));
    }
    let same = |one: &str, other: &str| folder.read(one) == folder.read(other);
    assert!(same("a.net", "b.net"));
    assert!(!same("a.net", "c.net"));
    assert!(!same("a.net", "d.net"));
}

#[test]
fn training_goes_on_from_a_network() {
    let folder = with_games("further", 200);
    folder.run(&format!("train games --out a.net {SMALL} --epochs 10 --lr 0.003"));
    let loss = |more: &str| {
        let more = format!("{more} {SMALL} --epochs 1 --lr 0.0003");
        folder.run(&format!("train games --out b.net {more}"));
        training_losses(&folder, "b.csv")[0]
    };
    // On its own games, because so few teach little about others.
    let (further, anew) = (loss("--from a.net"), loss(""));
    assert!(further < 0.8 * anew, "{further} {anew}");
    let wrong = folder.complaint(&format!("train games --out d.net --from games {SMALL}"));
    assert!(wrong.contains("games: it is not a network file"), "{wrong}");
    let wide = "--hidden 64 --output-buckets 2 --batch 512 --validation 0.2 --threads 1";
    folder.run(&format!("train games --out e.net --from a.net {wide} --epochs 1"));
    let wrong = folder.complaint(&format!("train games --out f.net --from e.net {SMALL}"));
    assert!(wrong.contains("e.net: it has 64 neurons"), "{wrong}");
}

#[test]
fn labels_are_a_share_of_the_positions() {
    let folder = Folder::new("labels");
    folder.run("play games --games 60 --nodes 60 --labels 0.3 --label-nodes 200 --hash 1");
    let positions = |more: &str| {
        let text = folder.run(&format!("train games --out a.net {SMALL} --epochs 1 {more}"));
        number_after(&text, "games, ")
    };
    let share = positions("--labels 0.3") / positions("");
    assert!((0.25..0.35).contains(&share), "{share}");
    folder.run("merge more games");
    let train = format!("train games more --out a.net {SMALL} --epochs 1 --labels 0.3,1");
    let share = number_after(&folder.run(&train), "games, ") / positions("");
    assert!((1.25..1.35).contains(&share), "{share}");
    let wrong = folder.complaint(&format!("{train},0.5"));
    assert!(wrong.contains("--labels names 3 shares for 2 files"), "{wrong}");
}

#[test]
fn samples_end_training_within_a_chunk() {
    let folder = with_games("samples", 60);
    let text = folder.run(&format!("train games --out a.net {SMALL} --chunk 1000 --samples 5e3"));
    assert!(text.contains("mean evaluation from"), "{text}");
    let curve = String::from_utf8(folder.read("a.csv")).unwrap();
    assert!(curve.lines().last().unwrap().starts_with("5000,"), "{curve}");
}

/// Kills the process after some chunks.
fn kill_after_chunks(folder: &Folder, mut child: Child) {
    while !folder.has("a.csv") || folder.read("a.csv").split(|&byte| byte == b'\n').count() < 4 {
        assert_eq!(child.try_wait().unwrap(), None, "it ended too soon");
        sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn training_resumes_after_a_kill() {
    let folder = with_games("resumed", 60);
    for more in ["--epochs 60 --chunk 1000", "--samples 1e5 --king-buckets 4 --ema 0.98 --pull 0.1"]
    {
        let train = format!("train games {SMALL} {more}");
        folder.run(&format!("{train} --out whole.net"));
        let mut command = folder.command(&format!("{train} --out a.net"));
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        kill_after_chunks(&folder, child);
        assert!(!folder.has("a.net"));
        assert!(folder.complaint(&format!("{train} --out a.net")).contains("unfinished"));
        let other = format!("{train} --out a.net --resume --wdl 0.5");
        assert!(folder.complaint(&other).contains("other games or settings"));
        folder.run(&format!("{train} --out a.net --resume"));
        assert!(folder.read("a.net") == folder.read("whole.net"));
        folder.remove("a.net");
        folder.remove("a.csv");
    }
}

#[test]
fn errors_are_named_and_nothing_is_lost() {
    let folder = with_games("unlearned", 20);
    folder.write("foreign", b"Not games at all, but text of some length.");
    folder.write("a.net", b"an older network");
    let games = folder.read("games");
    folder.write("empty", &games[..16]);
    for (words, reason) in [
        ("missing --out a.net", "missing: "),
        ("foreign --out a.net", "is not a file of games"),
        ("empty --out a.net", "no position to train on"),
        ("games --out a.net --validation 0", "of 20 games none is for validation"),
        ("games --out a.net --validation 0.2 --resume", "a.checkpoint: "),
        ("games --out games", "would be written over"),
        ("games --out a.svg", "would be written over"),
        ("games --validation 0.2 --out no/such/a.net", "no/such/a.checkpoint"),
    ] {
        let complaint = folder.complaint(&format!("train {words}"));
        assert!(complaint.contains(reason), "{words}: {complaint}");
        assert_eq!(folder.read("a.net"), b"an older network");
        assert!(!folder.has("a.checkpoint"));
    }
    assert!(folder.read("games") == games);

    folder.write("a.checkpoint", &[7; 1000]);
    let complaint = folder.complaint("train games --out a.net --validation 0.2 --resume");
    assert!(complaint.contains("is not a checkpoint"), "{complaint}");
}
