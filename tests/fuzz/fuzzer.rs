//! An in-process fuzzer: it mutates inputs, and keeps those that get a new kind of answer.

use std::collections::HashSet;
use std::env;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The most inputs that are kept.
const MOST_KEPT: usize = 2000;
const LONGEST: usize = 1 << 16;

/// Fewer inputs for the forge, which reads each from a file.
const INPUTS: u64 = if option_env!("CARGO_BIN_NAME").is_some() { 1_000 } else { 10_000 };

/// A number from the environment.
fn setting(name: &str, default: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn random() -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(setting("ZEBU_FUZZ_SEED", 1))
}

/// Tries mutations of a corpus. The reader describes its result in words. An input that makes it panic is
/// written to a file.
pub fn fuzz(target: &str, corpus: Vec<Vec<u8>>, mut read: impl FnMut(&[u8]) -> String) {
    let mut random = random();
    let mutator = Mutator::new(&corpus);
    let mut inputs = corpus;
    let mut answers = HashSet::new();
    let count = setting("ZEBU_FUZZ_INPUTS", INPUTS);
    for number in 0..count as usize {
        let mut input = inputs.choose(&mut random).cloned().unwrap_or_default();
        // The corpus itself comes first.
        if let Some(first) = inputs.get(number).filter(|_| answers.is_empty()) {
            input.clone_from(first);
        } else {
            mutator.mutate(&mut input, &inputs, &mut random);
        }
        let Ok(answer) = catch_unwind(AssertUnwindSafe(|| read(&input))) else {
            let file = env::temp_dir().join(format!("zebu-{target}.crash"));
            fs::write(&file, &input).expect("the input can be kept");
            panic!("{target}: panic over {} ({})", file.display(), String::from_utf8_lossy(&input));
        };
        if answers.insert(shape(&answer)) && inputs.len() < MOST_KEPT {
            inputs.push(input);
        }
    }
    println!("{target}: {count} inputs, {} kinds of answers", answers.len());
    assert!(answers.len() > 1, "{target}: all inputs have the same answer");
}

/// An answer without its quoted words and numbers.
fn shape(answer: &str) -> String {
    let mut quoted = false;
    let keep = |letter: &char| {
        if matches!(letter, '\'' | '"') {
            quoted = !quoted;
        }
        !quoted && !letter.is_ascii_digit()
    };
    answer.chars().filter(keep).take(80).collect()
}

/// Mutates inputs with the words that occur in them.
struct Mutator {
    words: Vec<Vec<u8>>,
}

impl Mutator {
    fn new(corpus: &[Vec<u8>]) -> Mutator {
        let words = corpus.iter().flat_map(|input| input.split(|byte| b" \n/=\"".contains(byte)));
        let mut words: Vec<Vec<u8>> = words.map(<[u8]>::to_vec).collect();
        words.extend(
            ["", "0", "-1", "1", "255", "256", "65536", "4294967296", "99999999999999999999"]
                .map(|word| word.as_bytes().to_vec()),
        );
        words.extend([&b"\xff"[..], b"\0", b"\xe2\x99\x94", b"\n", b"{", b"("].map(<[u8]>::to_vec));
        Mutator { words }
    }

    fn mutate(&self, input: &mut Vec<u8>, others: &[Vec<u8>], random: &mut impl RngExt) {
        for _ in 0..1 << random.random_range(0..4) {
            let at = random.random_range(0..=input.len());
            let end = (at + random.random_range(0..=8usize)).min(input.len());
            match random.random_range(0..9) {
                0 if at < input.len() => input[at] = random.random(),
                1 if at < input.len() => input[at] ^= 1 << random.random_range(0..8u8),
                2 => drop(input.drain(at..end)),
                3 => {
                    let word = self.words.choose(random).cloned().unwrap_or_default();
                    input.splice(at..end, word);
                }
                4 => self.exchange_word(input, random),
                5 => {
                    let part = input[at..end].to_vec();
                    let to = random.random_range(0..=input.len());
                    input.splice(to..to, part);
                }
                6 => {
                    let other = others.choose(random).cloned().unwrap_or_default();
                    let from = random.random_range(0..=other.len());
                    input.splice(at.., other[from..].iter().copied());
                }
                7 if random.random_bool(0.1) => input.truncate(at),
                8 if random.random_bool(0.02) => *input = input.repeat(20),
                _ => {}
            }
            input.truncate(LONGEST);
        }
    }

    /// Replaces a word with another one.
    fn exchange_word(&self, input: &mut Vec<u8>, random: &mut impl RngExt) {
        let starts: Vec<usize> =
            (0..input.len()).filter(|&at| at == 0 || input[at - 1] == b' ').collect();
        let Some(&start) = starts.choose(random) else { return };
        let length = input[start..].iter().take_while(|&&byte| byte != b' ').count();
        let word = self.words.choose(random).cloned().unwrap_or_default();
        input.splice(start..start + length, word);
    }
}
