//! Huge and endless input: a reader answers in one short line after reading a bounded part.

use std::io::{self, BufReader, Read};

use engine::board::{Fen, Position, Square};
use engine::config::Config;
use engine::notation::book::Book;
use engine::notation::{EpdLine, Lines, PgnError, PgnReader};
use engine::uci::parse;

use crate::readers::{scratch, told};

/// The beginnings of texts, and the parts that they repeat.
const TEXTS: [(&str, &str); 27] = [
    ("", "\0"),
    ("", "a"),
    ("", "ä "),
    ("", "e4 "),
    ("", "8/"),
    ("4k3/8/8/8/8/8/8/4K3 w ", "KQkq"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 ", "bm "),
    ("4k3/8/8/8/8/8/8/4K3 w - - ", "9"),
    ("4k3/8/8/8/8/8/8/4K3 w - - ", "id \"a\"; "),
    ("4k3/8/8/8/8/8/8/4K3 w - - ", "\""),
    ("position startpos moves ", "g1f3 g8f6 f3g1 f6g8 "),
    ("position fen ", "8 "),
    ("go ", "nodes "),
    ("go ", "foo "),
    ("setoption name ", "Hash "),
    ("setoption name Hash value ", "1"),
    ("a = ", "["),
    ("a = \"", "a"),
    ("", "Hash = 1\n"),
    ("", "[A \"b\"]\n"),
    ("[Event \"", "a"),
    ("1. e4 ", "{}"),
    ("1. e4 {", " a\n"),
    ("1. e4 ", "("),
    ("1. e4 ", "(1. d4) $1 "),
    ("", "Nf3 Nf6 Ng1 Ng8\n"),
    ("", "\n"),
];

/// Texts of 2 MB.
#[test]
fn huge_texts_have_short_answers() {
    let file = scratch("huge.toml");
    for (head, unit) in TEXTS {
        let text = head.to_string() + &unit.repeat((2 << 20) / unit.len());
        let start = Position::start();
        told(text.parse::<Fen>(), |fen| {
            fen.left_out
                .iter()
                .map(|left_out| told(Err::<(), _>(left_out), |()| String::new()))
                .collect()
        });
        told(text.parse::<Square>(), |_| String::new());
        told(start.parse_san(&text), |_| String::new());
        told(start.parse_uci(&text), |_| String::new());
        told(parse(&text), |_| String::new());
        told(EpdLine::parse(&text), |_| String::new());
        told(Book::parse(text.clone().into_bytes()), |_| String::new());
        for game in PgnReader::new(text.as_bytes()) {
            told(game, |_| String::new());
        }
        std::fs::write(&file, &text).expect("the file can be written");
        let (_, errors) = Config::load(Some(&file));
        errors.iter().for_each(|error| drop(told(Err::<(), _>(error), |()| String::new())));
    }
    std::fs::remove_file(&file).ok();
}

/// Endless bytes that are counted.
struct Endless {
    head: &'static [u8],
    unit: &'static [u8],
    read: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let head = self.head.len();
        for byte in &mut *buffer {
            *byte = match self.read < head {
                true => self.head[self.read],
                false => self.unit[(self.read - head) % self.unit.len()],
            };
            self.read += 1;
        }
        Ok(buffer.len())
    }
}

/// The most that a reader may read before it answers.
const MOST: usize = 17 << 20;

#[test]
fn endless_input_is_given_up() {
    for (head, unit) in TEXTS {
        let mut input =
            BufReader::new(Endless { head: head.as_bytes(), unit: unit.as_bytes(), read: 0 });
        // Endless games are read one by one, as long as each is within the limit.
        let mut before = 0;
        let mut games = PgnReader::new(&mut input);
        for _ in 0..3 {
            let game = games.next().expect("there is no end");
            assert!(games.bytes() - before < MOST as u64, "{head}{unit}");
            before = games.bytes();
            let is_over = matches!(game, Err(PgnError::Io(_)));
            told(game, |_| String::new());
            if is_over {
                break;
            }
        }
        let mut input =
            BufReader::new(Endless { head: head.as_bytes(), unit: unit.as_bytes(), read: 0 });
        let line = Lines::new(&mut input).next_line();
        assert!(
            line.is_err() != unit.contains('\n') && input.get_ref().read < MOST,
            "{head}{unit}"
        );
    }
}
