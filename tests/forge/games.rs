//! Self-play, and the tools for game files.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::tool::Folder;

/// Plays a file of quick games.
fn play(folder: &Folder, name: &str, games: u32, more: &str) {
    folder.run(&format!("play {name} --games {games} --nodes 60 --hash 1 {more}"));
}

/// The number of games in a file. All their moves are legal.
fn games(folder: &Folder, name: &str) -> u32 {
    let text = folder.run(&format!("inspect {name}"));
    let (count, _) = text.split_once(" games").expect("inspect counts games");
    count.parse().expect("inspect counts games")
}

#[test]
fn a_seed_decides_the_games() {
    let folder = Folder::new("seed");
    play(&folder, "a", 12, "--threads 1 --seed 5 --chess960 0.5");
    play(&folder, "b", 7, "--threads 1 --seed 5 --chess960 0.5");
    play(&folder, "c", 12, "--threads 1 --seed 6 --chess960 0.5");
    assert!(folder.read("a").starts_with(&folder.read("b")));
    assert_ne!(folder.read("a"), folder.read("c"));
    // Continuing gives the games that would have followed.
    play(&folder, "b", 12, "--threads 1 --seed 5 --chess960 0.5");
    assert_eq!(folder.read("a"), folder.read("b"));
    assert_eq!(games(&folder, "a"), 12);
}

#[test]
fn no_game_is_played_twice() {
    let folder = Folder::new("twice");
    play(&folder, "a", 40, "--threads 3");
    assert_eq!(games(&folder, "a"), 40);
    assert!(folder.run("inspect a").contains("duplicates: 0 games, 0 openings"));
}

#[test]
fn the_target_can_be_a_number_of_positions() {
    let folder = Folder::new("positions");
    folder.run("play a --positions 2000 --nodes 60 --threads 1");
    let text = folder.run("inspect a");
    let (_, rest) = text.split_once(" games, ").unwrap();
    let positions: u32 = rest.split_once(" positions").unwrap().0.parse().unwrap();
    assert!((2000..2600).contains(&positions), "{positions}");
}

/// Starts endless self-play, and returns when there are some games.
fn playing(folder: &Folder) -> std::process::Child {
    let length = || if folder.has("a") { folder.read("a").len() } else { 0 };
    let before = length();
    let mut command = folder.command("play a --nodes 60 --threads 2 --hash 1");
    let child = command.stderr(Stdio::null()).spawn().expect("the workshop runs");
    let begin = Instant::now();
    while length() < before + 2000 {
        assert!(begin.elapsed() < Duration::from_secs(60), "no games");
        sleep(Duration::from_millis(20));
    }
    child
}

#[test]
#[cfg(unix)]
fn playing_can_be_stopped_at_any_moment() {
    let folder = Folder::new("stopped");
    for signal in ["-INT", "-TERM"] {
        let mut child = playing(&folder);
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(1));
        assert!(games(&folder, "a") > 1);
    }
}

#[test]
fn playing_goes_on_after_a_kill() {
    let folder = Folder::new("killed");
    let mut child = playing(&folder);
    child.kill().unwrap();
    child.wait().unwrap();
    let before = games(&folder, "a");
    assert!(before > 1);
    play(&folder, "a", before + 5, "--seed 2");
    assert_eq!(games(&folder, "a"), before + 5);
}

#[test]
fn games_are_split_and_merged() {
    let folder = Folder::new("split");
    play(&folder, "a", 40, "");
    folder.run("split a part rest --share 0.3");
    let (part, rest) = (games(&folder, "part"), games(&folder, "rest"));
    assert!(part > 0 && rest > part);
    assert_eq!(part + rest, 40);
    folder.run("merge all part rest a");
    assert_eq!(games(&folder, "all"), 40);
    assert_eq!(folder.read("all").len(), folder.read("a").len());
}

#[test]
fn games_get_new_scores() {
    let folder = Folder::new("rescored");
    play(&folder, "a", 6, "");
    folder.run("rescore a b --nodes 200 --threads 1");
    assert_ne!(folder.read("a"), folder.read("b"));
    assert_eq!(games(&folder, "b"), 6);
    // Neither more threads nor continuing after half of the file change the result.
    let whole = folder.read("b");
    folder.write("c", &whole[..whole.len() / 2]);
    folder.run("rescore a c --nodes 200 --threads 3");
    assert_eq!(folder.read("c"), whole);
    assert!(folder.complaint("rescore a a").contains("both read and written"));
    play(&folder, "d", 6, "--seed 9");
    assert!(folder.complaint("rescore a d").contains("holds other games"));
}

#[test]
fn statistics_are_plotted() {
    let folder = Folder::new("plotted");
    play(&folder, "a", 6, "");
    folder.run("inspect a --plot a.svg");
    let plot = String::from_utf8(folder.read("a.svg")).unwrap();
    assert!(plot.starts_with("<svg") && plot.contains("points by score"));
}

#[test]
fn errors_are_named_and_nothing_is_lost() {
    let folder = Folder::new("wrong");
    play(&folder, "a", 3, "");
    let whole = folder.read("a");
    folder.write("foreign", b"Not games at all, but text of some length.");
    let mut newer = whole.clone();
    newer[8] = 200;
    folder.write("newer", &newer);
    for (name, reason) in
        [("foreign", "is not a file of games"), ("newer", "version 200"), ("missing/", "missing")]
    {
        for command in ["inspect #", "merge new #", "split # new more", "rescore # new", "play #"] {
            let complaint = folder.complaint(&command.replace('#', name));
            assert!(complaint.contains(reason), "{command}: {complaint}");
        }
        assert!(!folder.has("new") && !folder.has("new.zebu.part"));
    }
    assert_eq!(folder.read("newer"), newer);
    for command in ["merge a a", "split a a more", "split a more a"] {
        assert!(folder.complaint(command).contains("is there already"));
    }
    assert_eq!(folder.read("a"), whole);
    assert!(!folder.has("more"));
}

/// Games that must remain readable: two from the standard position and one from a Chess960 start.
const KEPT: &[u8] = include_bytes!("kept.games");

#[test]
fn kept_games_are_read() {
    let folder = Folder::new("kept");
    folder.write("kept", KEPT);
    folder.run("merge new kept");
    assert_eq!(folder.read("new"), KEPT);
    assert!(folder.run("merge both kept new").contains("3 games, without 3 duplicates"));
    play(&folder, "kept", 5, "");
    assert!(folder.read("kept").starts_with(KEPT));
    assert_eq!(games(&folder, "kept"), 5);
}

#[test]
fn damaged_games_are_named_and_left_out() {
    let folder = Folder::new("damaged");
    for place in [24, 120] {
        let mut damaged = KEPT.to_vec();
        damaged[place] ^= 0x41;
        folder.write("damaged", &damaged);
        for command in ["inspect #", "merge new #", "split # new rest", "rescore # new", "play #"] {
            let command = command.replace('#', "damaged");
            let command = match command.split_once(' ') {
                Some(("rescore", _)) => format!("{command} --nodes 60"),
                Some(("play", _)) => format!("{command} --games 3 --nodes 60"),
                _ => command,
            };
            let warnings = folder.warnings(&command);
            assert!(
                warnings.contains("damaged: damaged from byte 16 to "),
                "{command}: {warnings}"
            );
            for name in ["new", "rest"] {
                if folder.has(name) {
                    folder.remove(name);
                }
            }
        }
        let after = folder.read("damaged");
        assert!(after.len() > damaged.len() && after.starts_with(&damaged));
        assert_eq!(games(&folder, "damaged"), 3);
    }
}

#[test]
fn the_evaluation_can_be_chosen() {
    let folder = Folder::new("evaluation");
    play(&folder, "a", 3, "--threads 1");
    play(&folder, "b", 3, "--threads 1 --teacher");
    assert_ne!(folder.read("a"), folder.read("b"));
    folder.write("foreign", b"Not a network at all, but text of some length.");
    assert!(folder.complaint("play new --net foreign").contains("foreign: "));
    assert!(folder.complaint("rescore a new --net missing").contains("missing: "));
    assert!(!folder.has("new"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_named() {
    let folder = Folder::new("full");
    assert!(folder.complaint("play /dev/full --games 2 --nodes 60").contains("/dev/full"));
}
