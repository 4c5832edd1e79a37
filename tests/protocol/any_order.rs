//! Long random sessions: commands in any order, legal or not, with options and positions. Each `go` gets exactly
//! one `bestmove`, legal in the last accepted position. What a line means is decided by a grammar of this test.
//!
//! `ZEBU_FUZZ_COMMANDS` is the number of commands, and `ZEBU_FUZZ_SEED` selects others.

use std::collections::VecDeque;
use std::env;
#[cfg(target_os = "linux")]
use std::{thread::sleep, time::Duration};

use engine::board::{Fen, Position, START};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::driver::{Engine, word_after};
#[cfg(target_os = "linux")]
use crate::driver::{count, memory};

const COMMANDS: &str = include_str!("../fuzz/corpus/uci.txt");

/// The commands of UCI and of Zebu. Words before the first of them are skipped.
const VERBS: [&str; 14] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "d",
    "eval",
    "bench",
];

/// Commands that are sent before answers are waited for.
const BURST: usize = 20;

/// The growth of the engine's memory that is tolerated.
#[cfg(target_os = "linux")]
const MEGABYTES: u64 = 64;

/// Checks of the engine's resources before the test fails.
#[cfg(target_os = "linux")]
const PATIENCE: usize = 1000;

/// The best move that a `go` must get.
enum Expected {
    Legal(Box<Position>),
    /// None, because the last position was refused, or there is nothing to search.
    None,
}

/// The state of the engine on which its answers depend.
struct Model {
    position: Position,
    refused: bool,
    expected: VecDeque<Expected>,
}

/// The first command in a line, and the words after it.
fn command(line: &str) -> Option<(&'static str, Vec<&str>)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let verb = |word: &&str| VERBS.into_iter().find(|verb| word.eq_ignore_ascii_case(verb));
    let at = words.iter().position(|word| verb(word).is_some())?;
    Some((verb(&words[at])?, words[at + 1..].to_vec()))
}

fn find(words: &[&str], wanted: &str) -> Option<usize> {
    words.iter().position(|word| word.eq_ignore_ascii_case(wanted))
}

/// The position that `position` sets up: `startpos`, or `fen` and a FEN, then perhaps `moves` and legal moves.
fn set_up(words: &[&str]) -> Option<Position> {
    let (start, moves) = words.split_at(find(words, "moves").unwrap_or(words.len()));
    let mut position = match start {
        [word] if word.eq_ignore_ascii_case("startpos") => Position::start(),
        [word, fields @ ..] if word.eq_ignore_ascii_case("fen") => {
            fields.join(" ").parse::<Fen>().ok()?.position
        }
        _ => return None,
    };
    for word in moves.iter().skip(1) {
        let mv = position.parse_uci(word).ok().or_else(|| position.parse_san(word).ok())?;
        position = position.after(mv);
    }
    Some(position)
}

/// Whether a `go` has nothing to search: one of its limits lacks its number, and no other ends the search.
fn is_void(words: &[&str]) -> bool {
    const LIMITS: [&str; 9] =
        ["wtime", "btime", "movetime", "depth", "nodes", "mate", "winc", "binc", "movestogo"];
    let (mut lacks_number, mut ends) = (false, find(words, "infinite").is_some());
    for (at, word) in words.iter().enumerate() {
        let Some(limit) = LIMITS.iter().position(|limit| word.eq_ignore_ascii_case(limit)) else {
            continue;
        };
        let value = words.get(at + 1).copied().unwrap_or_default();
        let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            lacks_number = true;
            continue;
        }
        let is_zero = digits.bytes().all(|byte| byte == b'0');
        let is_negative = value.starts_with('-') && !is_zero;
        ends |= match limit {
            0 | 1 => true,
            2 => !is_negative,
            3..=5 => !is_negative && !is_zero,
            _ => false,
        };
    }
    lacks_number && !ends
}

/// Whether a line may be tried: it neither ends the session nor takes long nor writes files, and its meaning is
/// beyond doubt.
fn may_be_tried(line: &str) -> bool {
    let Some((verb, words)) = command(line) else { return true };
    let number = |word: &str| word.trim_start_matches(['+', '-']).parse::<u64>().unwrap_or(0);
    match verb {
        "quit" | "bench" => false,
        "ucinewgame" => words.is_empty(),
        "go" => find(&words, "perft")
            .and_then(|at| words.get(at + 1))
            .is_none_or(|depth| number(depth) <= 2),
        "setoption" => {
            let is_large = words.last().is_none_or(|value| value.len() > 1);
            let has = |wanted| find(&words, wanted).is_some();
            !has("debug") && !(is_large && (has("hash") || has("threads")) && !has("clear"))
        }
        _ => true,
    }
}

impl Model {
    fn send(&mut self, line: &str) {
        match command(line) {
            Some(("position", words)) => {
                let position = set_up(&words);
                self.refused = position.is_none();
                self.position = position.unwrap_or(self.position);
            }
            Some(("ucinewgame", _)) if self.refused => {
                self.position = START.parse().expect("the starting position");
                self.refused = false;
            }
            Some(("go", words)) if find(&words, "perft").is_none() => {
                self.expected.push_back(match self.refused || is_void(&words) {
                    true => Expected::None,
                    false => Expected::Legal(Box::new(self.position)),
                });
            }
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
            None => panic!("{line} without a go"),
        }
    }
}

/// A line of the corpus, or a mutation of one.
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
        if may_be_tried(&line) {
            return line;
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
        // Ends the current search and those that wait.
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
            // Queued commands may still be under way.
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
