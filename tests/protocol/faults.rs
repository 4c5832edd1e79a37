//! The system refuses what the engine asks for, or gives it strange files.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::driver::{Engine, command, memory};
use crate::folder::Folder;

/// The engine under limits, as `ulimit` of the shell sets them.
fn limited(limits: &str) -> Engine {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit {limits}; exec \"$0\""), env!("CARGO_BIN_EXE_zebu")]);
    shell.envs(command().get_envs().filter_map(|(name, value)| Some((name, value?))));
    Engine::start_by(shell)
}

fn pipe(folder: &Folder, name: &str) -> PathBuf {
    let path = folder.join(name);
    let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo runs");
    assert!(made.success());
    path
}

/// Whether the last lines tell of an error with these words.
fn tells(lines: &[String], words: &str) -> bool {
    lines.iter().any(|line| line.starts_with("info string error") && line.contains(words))
}

/// Memory for the process, but not for the stacks of all these threads.
#[test]
fn threads_that_the_system_denies() {
    let mut engine = limited("-v 220000");
    engine.send("setoption name Threads value 64");
    let told = engine.sync();
    assert!(tells(&told, "option Threads: the system has no more than"), "{told:?}");
    for line in [
        "ucinewgame",
        "setoption name Clear Hash",
        "setoption name EvalFile value",
        "setoption name Hash value 1",
        "bench 1",
    ] {
        let told = engine.talk(&["go depth 4", line]);
        assert!(!tells(&told, ""), "{line}: {told:?}");
    }
    engine.wait_for("47/47");
    engine.send("go depth 4");
    engine.wait_for("bestmove");
}

#[test]
fn memory_that_the_system_denies() {
    // With less than this it does not start.
    let size = fs::metadata(env!("CARGO_BIN_EXE_zebu")).expect("the program").len() >> 10;
    for kilobytes in (size + 6_000..=220_000).step_by(10_000) {
        let mut engine = limited(&format!("-v {kilobytes}"));
        let told = engine.talk(&[
            "go depth 3",
            "setoption name Hash value 64",
            "setoption name Threads value 4",
            "go depth 3",
        ]);
        let answers: Vec<_> = told.iter().filter(|line| line.starts_with("bestmove")).collect();
        assert_eq!(answers.len(), 2, "{kilobytes}: {told:?}");
        if answers.iter().any(|answer| *answer == "bestmove 0000") {
            assert!(tells(&told, "no thread for a search"), "{kilobytes}: {told:?}");
        }
        engine.send("quit");
        assert!(engine.end().success());
    }
}

#[test]
fn pipes_and_devices_are_no_files() {
    let folder = Folder::new("pipes");
    let pipe = pipe(&folder, "pipe").display().to_string();
    for option in ["EvalFile", "BookFile", "Debug Log File"] {
        for file in [pipe.as_str(), "/dev/zero", "/dev/full", "/"] {
            let mut engine = Engine::start();
            engine.send(&format!("setoption name {option} value {file}"));
            let told = engine.sync();
            assert!(
                tells(&told, &format!("option {option}: {file}: it is not a file")),
                "{told:?}"
            );
        }
    }
}

/// Files that are empty, or larger than any of their kind, of which no more is read.
#[test]
fn files_of_no_size_or_of_any() {
    let folder = Folder::new("sizes");
    let file = |name: &str, length| {
        let path = folder.join(name);
        let file = fs::File::create(&path).expect("the folder can be written");
        file.set_len(length).expect("it has no room yet");
        path.display().to_string()
    };
    let (empty, settings) = (file("empty", 0), file("large.toml", (1 << 20) + 1));
    let (network, book) = (file("large.net", (64 << 20) + 1), file("large.bin", 1 << 36));
    let mut engine = Engine::start();
    for (option, file, problem) in [
        ("EvalFile", &empty, "it is not a network file of Zebu"),
        ("BookFile", &empty, "it is empty"),
        ("EvalFile", &network, "it has more than 64 MB"),
    ] {
        let told = engine.talk(&[&format!("setoption name {option} value {file}")]);
        assert!(tells(&told, &format!("option {option}: {file}: {problem}")), "{told:?}");
    }
    // A book is searched on the disk.
    let told = engine.talk(&[&format!("setoption name BookFile value {book}"), "go depth 1"]);
    assert!(!tells(&told, ""), "{told:?}");
    assert!(memory(engine.id(), "VmHWM") < 150 << 20);
    for (file, problem) in [(&empty, ""), (&settings, "it cannot be read: it has more than 1 MB")] {
        let done = command().args(["--config", file, "perft", "1"]).output().expect("it starts");
        let told = String::from_utf8_lossy(&done.stderr);
        assert!(told.is_empty() == problem.is_empty() && told.contains(problem), "{told}");
    }
}

#[test]
fn a_log_without_room_ends_no_game() {
    let folder = Folder::new("full log");
    let log = folder.join("log");
    fs::write(&log, []).expect("a log");
    let mut engine = limited("-f 1");
    engine.send(&format!("setoption name Debug Log File value {}", log.display()));
    let told = engine.talk(&["go depth 14", "go depth 14"]);
    let errors: Vec<_> = told.iter().filter(|line| line.contains("error")).collect();
    assert!(errors.len() == 1 && errors[0].contains("Debug Log File: "), "{errors:?}");
    engine.send("quit");
    assert!(engine.end().success());
}

#[test]
fn a_configuration_that_is_a_pipe() {
    let folder = Folder::new("configuration pipe");
    let pipe = pipe(&folder, "engine.toml");
    let done = command()
        .arg("--config")
        .arg(&pipe)
        .args(["go", "depth", "1"])
        .stdin(Stdio::null())
        .output()
        .expect("the engine starts");
    let told = String::from_utf8_lossy(&done.stderr);
    assert!(told.contains("it is not a file"), "{told}");
}

/// A GUI that stops for a while, and is stopped with the engine.
#[test]
fn a_stopped_process_goes_on() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.until("info depth 5 ");
    for signal in ["STOP", "CONT"] {
        let process = engine.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &process]).status();
        assert!(sent.expect("kill runs").success());
    }
    engine.send("stop");
    engine.wait_for("bestmove");
}
