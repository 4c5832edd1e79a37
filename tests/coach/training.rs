//! Exercises at the terminal: asked, judged, hinted at, kept.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use zebu::coach::{Exercise, NODES};
use zebu::library::Library;

use crate::folder::Folder;
use crate::{coach, command};

/// What a training says to these lines.
fn train(folder: &Folder, lines: &str) -> String {
    let mut running = command(folder, &["--train"]);
    let running = running.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut running = running.expect("the program runs");
    running.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("lines");
    let output = running.wait_with_output().expect("an end");
    assert!(output.status.success());
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn exercises(folder: &Folder) -> Vec<Exercise> {
    let library = Library::open(&folder.join("library.zebu")).expect("a library");
    library.exercises().expect("exercises").into_iter().map(|(_, exercise)| exercise).collect()
}

#[test]
fn a_mistake_is_asked_until_it_is_known() {
    let folder = Folder::new("train");
    let game = "[White \"Ann\"]\n\n1. e4 e5 2. Nf3 Qg5 3. a3 Qd8 1/2-1/2\n";
    fs::write(folder.join("games.pgn"), game).expect("a file");
    let nodes = (NODES / 2).to_string();
    assert!(coach(&folder, &["games.pgn", "--me", "Ann", "--nodes", &nodes]).status.success());
    let made = exercises(&folder);
    let [exercise] = &made[..] else { panic!("{made:?}") };
    assert!(exercise.good == "f3g5 Nxg5", "{exercise:?}");
    let said = train(&folder, "hint\nhint\nhint\nhint\na3\nh4\nxyz\nquit\n");
    for told in [
        "1 exercise today",
        "you played 3. a3",
        "Play ",
        "no more hints",
        "something better",
        "no legal move",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
    assert!(exercises(&folder)[0].memory.is_new());
    let best = exercise.good.split(' ').nth(1).expect("a move");
    let said = train(&folder, &format!("{best}\n"));
    assert!(
        said.contains("Right. Best is 3. Nxg5") && said.contains("It comes back in "),
        "{said}"
    );
    assert!(said.contains("a3 misses 3. Nxg5"), "{said}");
    assert!(!exercises(&folder)[0].memory.is_new());
    assert!(train(&folder, "").contains("Nothing is due today. The next exercise comes in "));
}
