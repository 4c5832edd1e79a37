//! engine.toml.

use std::fs;
use std::path::PathBuf;

use engine::player::{Effect, OPTIONS, OptionKind};

use crate::driver::{Engine, command};
use crate::folder::Folder;

/// What an engine with this configuration file says to `uci`.
fn introduction(name: &str, text: &str) -> Vec<String> {
    introduction_in(&Folder::new(name), text)
}

fn introduction_in(folder: &Folder, text: &str) -> Vec<String> {
    let file = folder.join("engine.toml");
    fs::write(&file, text).expect("the file can be written");
    let mut command = command();
    command.arg("--config").arg(&file);
    let mut engine = Engine::start_by(command);
    engine.send("uci");
    engine.until("uciok")
}

fn has(lines: &[String], wanted: &str) -> bool {
    lines.iter().any(|line| line.contains(wanted))
}

/// Each option gets a value that is not its default.
#[test]
fn every_option_can_be_set() {
    let mut text = "[options]\n".to_string();
    let mut wanted = Vec::new();
    for option in OPTIONS {
        let (kind, value, shown) = match &option.kind {
            OptionKind::Spin { default, min, max, .. } => {
                let value = if default == max { min } else { max };
                ("spin", value.to_string(), value.to_string())
            }
            OptionKind::Check { default, .. } => {
                ("check", (!default).to_string(), (!default).to_string())
            }
            OptionKind::String { .. } if option.effect == Effect::None => {
                ("string", "'GM 2800 human Kasparov'".to_string(), "GM 2800 human Kasparov".into())
            }
            OptionKind::String { .. } if option.effect == Effect::Network => (
                "string",
                "'src/engine/eval/zebu.net'".to_string(),
                "src/engine/eval/zebu.net".to_string(),
            ),
            OptionKind::String { .. } => ("string", "''".to_string(), "<empty>".to_string()),
            _ => continue,
        };
        text += &format!("'{}' = {value}\n", option.name);
        wanted.push(format!("option name {} type {kind} default {shown}", option.name));
    }
    let lines = introduction("all", &text);
    for wanted in wanted {
        assert!(lines.iter().any(|line| line.starts_with(&wanted)), "{wanted}: {lines:?}");
    }
    assert!(!has(&lines, "error"), "{lines:?}");
}

#[test]
fn files_are_found_beside_the_configuration() {
    let folder = Folder::new("network");
    let network = folder.join("my.net");
    fs::copy("src/engine/eval/zebu.net", &network).expect("the network can be copied");
    let lines = introduction_in(&folder, "[options]\nEvalFile = 'my.net'\n");
    let wanted = format!("option name EvalFile type string default {}", network.display());
    assert!(has(&lines, &wanted), "{lines:#?}");
}

/// An option is declared in src/player/options.rs and documented in engine.toml.
#[test]
fn engine_toml_agrees_with_the_declarations() {
    let toml: Vec<&str> = include_str!("../../engine.toml").lines().collect();
    for option in OPTIONS {
        let name = option.name;
        let (range, in_toml) = match &option.kind {
            OptionKind::Spin { default, min, max, .. } => {
                (format!("{min} to {max}"), default.to_string())
            }
            OptionKind::Check { default, .. } => (String::new(), default.to_string()),
            OptionKind::String { .. } => (String::new(), "\"\"".to_string()),
            _ => continue,
        };
        let key = if name.contains(' ') { format!("\"{name}\"") } else { name.to_string() };
        let line = toml.iter().position(|line| line.starts_with(&format!("{key} = ")));
        let line = line.unwrap_or_else(|| panic!("engine.toml has no key {key}"));
        assert_eq!(toml[line], format!("{key} = {in_toml}"), "engine.toml");
        let comment: Vec<&str> =
            toml[..line].iter().rev().take_while(|line| line.starts_with('#')).copied().collect();
        assert!(!comment.is_empty(), "engine.toml does not explain {name}");
        assert!(comment.join(" ").contains(&range), "engine.toml, {name}: {range}");
    }
    let lines = introduction("documented", &toml.join("\n"));
    assert!(!has(&lines, "error") && has(&lines, "Hash type spin default 16"), "{lines:?}");
}

/// All that is wrong is named, in its order, and what is right counts.
#[test]
fn one_wrong_key_spoils_no_other() {
    let text = "Threads = 3\n[options]\nHash = 5\nHsh = 3\nThreads = 0\nMultiPV =\nPonder = 1\n\
        EvalFile = true\nSeed = \"3\"\n'Move Overhead' = 1.5\n'Clear Hash' = true\nhash = 8\n\
        BookFile = '/nowhere/a.bin'\nSyzygyPath = '/nowhere/tables'\nUCI_ShowWDL = true\n\
        [log]\nlevel = 'loud'\nlevl = 'off'\n[more]\nx = 1\n";
    let lines = introduction("several", text);
    for wanted in [
        "Hash type spin default 5 ",
        "ShowWDL type check default true",
        "SyzygyPath type string default <empty>",
    ] {
        assert!(has(&lines, wanted), "{wanted}: {lines:?}");
    }
    let errors = errors(&lines);
    let wanted = [
        "toml:1: 'Threads' belongs under [options]",
        "toml:4: no key is called 'Hsh'",
        "toml:5: key 'Threads': option Threads takes a number from 1 to 1024, not '0'",
        "toml:6: ",
        "toml:7: key 'Ponder' takes true or false, not a whole number",
        "toml:8: key 'EvalFile' takes a string",
        "toml:9: key 'Seed' takes a whole number, not a string",
        "toml:10: key 'Move Overhead' takes a whole number",
        "toml:11: no key is called 'Clear Hash'",
        "toml:12: 'hash' is there twice",
        "toml:17: key 'level' takes off, error, warn, info or debug, not 'loud'",
        "toml:18: no key is called 'levl'",
        "toml:19: no key is called 'more'",
        "option SyzygyPath: ",
        "option BookFile: /nowhere/a.bin: ",
    ];
    assert_eq!(errors.len(), wanted.len(), "{errors:#?}");
    for (error, wanted) in errors.iter().zip(wanted) {
        assert!(error.contains(wanted), "{wanted}: {errors:#?}");
    }
    let lines = introduction("table", "options = 3\n[log]\nlevel = 3\n");
    assert!(has(&lines, "toml:1: key 'options' takes a table"), "{lines:?}");
    assert!(has(&lines, "toml:3: key 'level' takes a string"), "{lines:?}");
}

fn errors(lines: &[String]) -> Vec<&String> {
    lines.iter().filter(|line| line.starts_with("info string error")).collect()
}

#[test]
fn the_places_in_their_order() {
    let [named, user, beside] = ["named", "user", "beside"].map(Folder::new);
    let own = user.join("zebu");
    fs::create_dir_all(&own).unwrap();
    let write =
        |file: PathBuf, hash: u32| fs::write(file, format!("[options]\nHash = {hash}\n")).unwrap();
    write(named.join("given.toml"), 2);
    write(named.join("environment.toml"), 3);
    write(own.join("engine.toml"), 5);
    let program = beside.join(if cfg!(windows) { "zebu.exe" } else { "zebu" });
    // A second name for the same file: a copy could not be run while another test's child process
    // still has it open for writing.
    fs::hard_link(env!("CARGO_BIN_EXE_zebu"), &program).unwrap();

    let hash = |argument: bool, environment: bool| {
        let mut command = std::process::Command::new(&program);
        command.env("XDG_CONFIG_HOME", &*user).env_remove("ZEBU_LOG");
        command.env_remove("ZEBU_CONFIG");
        if argument {
            command.arg("--config").arg(named.join("given.toml"));
        }
        if environment {
            command.env("ZEBU_CONFIG", named.join("environment.toml"));
        }
        let mut engine = Engine::start_by(command);
        engine.send("uci");
        let line =
            engine.until("uciok").into_iter().find(|line| line.contains("name Hash ")).unwrap();
        crate::driver::number_after(&line, "default")
    };
    assert_eq!(hash(false, false), Some(5));
    write(beside.join("engine.toml"), 4);
    assert_eq!(hash(false, false), Some(4));
    assert_eq!(hash(false, true), Some(3));
    assert_eq!(hash(true, true), Some(2));
}

#[test]
fn the_log_goes_where_it_is_told() {
    let place = Folder::new("log");
    let log = place.join("zebu.log");
    let file = place.join("engine.toml");
    let text = format!("[log]\nlevel = \"debug\"\nfile = '{}'\n", log.display());
    fs::write(&file, text).unwrap();
    let mut command = command();
    command.arg("--config").arg(&file);
    let mut engine = Engine::start_by(command);
    let answers = engine.talk(&["go depth 2"]);
    assert!(answers.iter().all(|line| line.starts_with("info") || line.starts_with("bestmove")));
    let text = fs::read_to_string(&log).expect("the log was written");
    assert!(text.contains(">> go depth 2") && text.contains("<< bestmove"), "{text}");
    assert!(text.contains("INFO") && text.contains("search of"), "{text}");
}

#[test]
fn the_environment_turns_the_log_on() {
    let output = |level: &str| {
        let run = command().env("ZEBU_LOG", level).args(["go", "depth", "1"]).output().unwrap();
        (String::from_utf8(run.stdout).unwrap(), String::from_utf8(run.stderr).unwrap())
    };
    let (out, log) = output("info");
    assert!(log.contains("search of") && !out.contains("search of"), "{log}");
    assert!(output("off").1.is_empty());
    let complaint = output("loud").1;
    assert_eq!(complaint, "zebu: ZEBU_LOG takes off, error, warn, info or debug, not 'loud'\n");
}

/// What a file says stays on one line, and so do complaints of it.
#[test]
fn no_line_of_the_protocol_comes_from_a_file() {
    let text = "[options]\nUCI_Opponent = \"a\\nbestmove e2e4\\nuciok\"\n\"b\\nuciok\" = 1\n";
    let lines = introduction("injected", text);
    let own = |line: &&String| line.starts_with("bestmove") || line.as_str() == "uciok";
    assert_eq!(lines.iter().filter(own).count(), 1, "{lines:#?}");
    assert!(has(&lines, "UCI_Opponent type string default a\u{fffd}bestmove"), "{lines:#?}");
    assert!(has(&lines, "no key is called 'b\u{fffd}uciok'"), "{lines:#?}");
}

#[test]
fn many_wrong_lines_are_counted() {
    let keys: String = (0..50_000).map(|number| format!("key{number} = 1\n")).collect();
    let lines = introduction("many", &format!("[options]\n{keys}"));
    assert!(has(&lines, ":21: no key is called 'key19'"), "{lines:#?}");
    assert!(!has(&lines, "'key20'"), "{lines:#?}");
    assert!(has(&lines, "49980 more lines are wrong"), "{lines:#?}");
}
