//! `zebu "genfens N seed S book B" quit`: openings for data that OpenBench servers generate. They are random
//! and balanced like those of `forge play`, or come from a book. With `balance C` they suit matches.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;
use std::thread;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::Position;
use crate::eval::Evaluator;
use crate::notation::epd_positions;
use crate::opening::{is_balanced, random_opening};
use crate::search::{STACK_BYTES, SingleThread};
use crate::system::files;

/// The nodes of the search that checks the balance.
const NODES: u64 = 3500;
const MAX_SCORE: i32 = 300;

/// The size of that search's table, in megabytes.
const HASH: usize = 4;

/// The arguments of the command.
#[derive(Debug, PartialEq, Eq)]
pub struct Request {
    count: usize,
    /// The same seed gives the same openings.
    seed: u64,
    /// A file of positions. Without it, openings are random moves.
    book: Option<String>,
    /// The largest score of a random opening, for either side.
    balance: i32,
}

impl Request {
    pub fn parse(text: &str) -> Result<Request, String> {
        let wrong =
            || format!("'{text}' is not: genfens N seed S book B balance C, where B may be None");
        let words: Vec<&str> = text.split_whitespace().collect();
        // Servers may append arguments for other engines.
        let ["genfens", count, "seed", seed, "book", book, ref rest @ ..] = words[..] else {
            return Err(wrong());
        };
        let balance = match rest {
            ["balance", most, ..] => {
                most.parse().ok().filter(|most| *most > 0).ok_or_else(wrong)?
            }
            _ => MAX_SCORE,
        };
        let book = (!book.eq_ignore_ascii_case("none")).then(|| book.to_string());
        let (count, seed) =
            (count.parse().map_err(|_| wrong())?, seed.parse().map_err(|_| wrong())?);
        Ok(Request { count, seed, book, balance })
    }

    /// Prints the openings.
    pub fn openings(self) -> Result<(), String> {
        let print = move || self.print();
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(print);
        let done = thread.map_err(|error| error.to_string())?.join();
        done.map_err(|_| "the search of openings failed".to_string())?
    }

    fn print(&self) -> Result<(), String> {
        let book = self.book.as_deref().map(read).transpose()?;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut search = SingleThread::new(HASH).map_err(|error| error.to_string())?;
        let mut printed = HashSet::new();
        let mut out = io::stdout().lock();
        let mut number = 0;
        while number < self.count {
            let opening = match &book {
                Some(positions) => positions.choose(&mut random).copied(),
                None => Some(random_opening(&mut random, 0.0)),
            };
            let opening = opening.ok_or("the book has no positions")?;
            let is_new = printed.insert(opening.key());
            let mut is_even =
                || is_balanced(opening, NODES, self.balance, Evaluator::default(), &mut search);
            // A book may be shorter than the number of openings.
            if book.is_some() || is_new && is_even() {
                match writeln!(out, "info string genfens {}", opening.fen()) {
                    Err(error) if files::has_no_reader(&error) => return Ok(()),
                    printed => printed.map_err(|error| error.to_string())?,
                }
                number += 1;
            }
        }
        Ok(())
    }
}

/// Larger books are refused.
const MOST_BYTES: u64 = 1 << 30;

fn read(book: &str) -> Result<Vec<Position>, String> {
    let text = files::read_text(Path::new(book), MOST_BYTES)
        .map_err(|error| format!("{book}: {error}"))?;
    epd_positions(&text).map_err(|(line, error)| format!("{book}:{line}: {error}"))
}
