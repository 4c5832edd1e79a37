//! A day in fast motion: commands in legal and illegal order, options and positions among them. Each
//! `go` gets exactly one `bestmove`, legal in the position that was accepted last.
//!
//! `ZEBU_FUZZ_COMMANDS` is their number, and `ZEBU_FUZZ_SEED` makes others.

use std::collections::VecDeque;
use std::env;
#[cfg(target_os = "linux")]
use std::{thread::sleep, time::Duration};

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use zebu::board::{Position, START};
use zebu::uci::{Command, parse, set_up};

use crate::driver::{Engine, word_after};
#[cfg(target_os = "linux")]
use crate::driver::{count, memory};

const COMMANDS: &str = include_str!("../fuzz/corpus/uci.txt");

/// Commands that are sent before answers are waited for.
const BURST: usize = 20;

/// By how much the engine's memory may grow.
#[cfg(target_os = "linux")]
const MEGABYTES: u64 = 64;

/// Looks at the engine's resources before they are too many.
#[cfg(target_os = "linux")]
const PATIENCE: usize = 1000;

/// What the best move of a `go` must be.
enum Expected {
    Legal(Box<Position>),
    /// The last position was refused.
    None,
}

/// What the engine knows, as far as its answers depend on it.
struct Model {
    position: Position,
    refused: bool,
    expected: VecDeque<Expected>,
}

impl Model {
    fn send(&mut self, line: &str) {
        match parse(line) {
            Ok(Some(Command::Position(words))) => match set_up(&words) {
                Ok((game, _)) => {
                    self.position = *game.position();
                    self.refused = false;
                }
                Err(_) => self.refused = true,
            },
            Ok(Some(Command::NewGame)) if self.refused => {
                self.position = START.parse().expect("the starting position");
                self.refused = false;
            }
            Ok(Some(Command::Go(_))) => self.expected.push_back(match self.refused {
                true => Expected::None,
                false => Expected::Legal(Box::new(self.position)),
            }),
            _ => {}
        }
    }

    fn hear(&mut self, line: &str) {
        let Some(word) = line.strip_prefix("bestmove ") else { return };
        let word = word.split(' ').next().unwrap_or_default();
        match self.expected.pop_front() {
            Some(Expected::Legal(position)) if position.legal_moves().is_empty() => {
                assert_eq!(word, "(none)", "{position:?}");
            }
            Some(Expected::Legal(position)) => {
                let mv = position.parse_uci(word);
                assert!(mv.is_ok(), "{line} in {position:?}");
                let after = position.after(mv.expect("a move"));
                if let Some(reply) = word_after(line, "ponder") {
                    assert!(after.parse_uci(reply).is_ok(), "{line} in {position:?}");
                }
            }
            Some(Expected::None) => assert_eq!(word, "0000"),
            None => panic!("{line}, which nobody asked for"),
        }
    }
}

/// A line that is tried; what would take long, ends the session, or depends on files is not.
fn line(corpus: &[&str], random: &mut impl RngExt) -> String {
    loop {
        let mut words: Vec<&str> = corpus.choose(random).expect("lines").split(' ').collect();
        let other: Vec<&str> = corpus.choose(random).expect("lines").split(' ').collect();
        if random.random_bool(0.3) {
            let at = random.random_range(0..words.len());
            match random.random_range(0..4) {
                0 => drop(words.remove(at)),
                1 => words[at] = other[random.random_range(0..other.len())],
                2 => words.extend(&other),
                _ => words.truncate(at + 1),
            }
        }
        let line = words.join(" ");
        match parse(&line) {
            Ok(Some(Command::Quit | Command::Bench(_))) => {}
            Ok(Some(Command::Perft(depth))) if depth > 2 => {}
            Ok(Some(Command::SetOption(option, _))) if option.name == "Debug Log File" => {}
            Ok(Some(Command::SetOption(option, _)))
                if matches!(option.name, "Hash" | "Threads")
                    && word_after(&line, "value").is_none_or(|value| value.len() > 1) => {}
            _ => return line,
        }
    }
}

/// Threads, open files, and memory in megabytes.
#[cfg(target_os = "linux")]
fn resources(engine: &Engine) -> [u64; 3] {
    let process = engine.id();
    [count(process, "task") as u64, count(process, "fd") as u64, memory(process, "VmRSS") >> 20]
}

#[test]
fn every_go_has_its_best_move() {
    let setting = |name| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let commands = setting("ZEBU_FUZZ_COMMANDS").unwrap_or(4000) as usize;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(setting("ZEBU_FUZZ_SEED").unwrap_or(1));
    let corpus: Vec<&str> = COMMANDS.lines().collect();
    let mut engine = Engine::start();
    let position = START.parse().expect("the starting position");
    let mut model = Model { position, refused: false, expected: VecDeque::new() };
    let (mut sent, mut searches) = (0, 0);
    #[cfg(target_os = "linux")]
    let mut before = None;
    while sent < commands {
        let burst = random.random_range(1..=BURST);
        let mut text = String::new();
        for _ in 0..burst {
            let line = line(&corpus, &mut random);
            model.send(&line);
            text += &format!("{line}\n");
        }
        sent += burst;
        searches += model.expected.len();
        // Whatever is searched or waits for it ends.
        engine.send(&format!("{text}stop"));
        while !model.expected.is_empty() {
            let line = engine.wait_for("bestmove");
            model.hear(&line);
        }
        engine.sync().iter().for_each(|line| model.hear(line));
        #[cfg(target_os = "linux")]
        if sent >= commands / 10 {
            engine.sync();
            engine.send("setoption name Threads value 1\nsetoption name Hash value 1");
            let before = *before.get_or_insert_with(|| resources(&engine));
            // What is queued may still be under way.
            let bears = |now: [u64; 3]| {
                now[0] <= before[0] && now[1] <= before[1] && now[2] <= before[2] + MEGABYTES
            };
            let waits = (0..PATIENCE).take_while(|_| !bears(resources(&engine)));
            let waited = waits.map(|_| sleep(Duration::from_millis(10))).count();
            assert!(waited < PATIENCE, "{before:?}, then {:?}", resources(&engine));
        }
        engine.forget();
    }
    #[cfg(target_os = "linux")]
    println!(
        "threads, files, MB: {:?}, at the end {:?}",
        before.unwrap_or_default(),
        resources(&engine)
    );
    println!("{sent} commands, {searches} searches");
    engine.send("quit");
    assert!(engine.end().success());
}
