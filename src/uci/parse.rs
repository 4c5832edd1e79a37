//! From a line of text to a typed command.

use super::command::{Command, CommandError, number};
use super::vampirc::parse_plain;
use crate::bench::Settings;
use crate::board::{Fen, Game, Position, UciMove};
use crate::session::{DEFAULT_MOVE_TIME, Go};
use crate::text::shortened;

/// The command on a line, or `None` if nothing is to be done. Words before the first known one are
/// skipped, as the protocol wants it.
pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
    let mut rest = line.trim();
    while let Some(word) = rest.split_whitespace().next() {
        if let Some(command) = parse_from(rest, word) {
            return command;
        }
        rest = rest[word.len()..].trim_start();
    }
    match line.split_whitespace().next() {
        Some(first) => Err(CommandError::Unknown(shortened(first))),
        None => Ok(None),
    }
}

/// The command on a line whose first word is this one, if it is one of ours.
pub fn parse_from(line: &str, verb: &str) -> Option<Result<Option<Command>, CommandError>> {
    let words = || line.split_whitespace().skip(1).collect::<Vec<_>>();
    let command = match verb.to_ascii_lowercase().as_str() {
        "position" => parse_position(&words()).or_else(|error| Ok(Command::BadPosition(error))),
        "go" => parse_go(&words()),
        "d" => Ok(Command::Display),
        "eval" => Ok(Command::Eval),
        "bench" => parse_bench(&words()),
        // Nothing needs to be registered.
        "register" => return Some(Ok(None)),
        _ => parse_plain(line, verb)?,
    };
    Some(command.map(Some))
}

/// The command of the words behind `position`.
pub fn parse_position(words: &[&str]) -> Result<Command, CommandError> {
    let is = |word: &str, wanted| word.eq_ignore_ascii_case(wanted);
    let moves = words.iter().position(|word| is(word, "moves")).unwrap_or(words.len());
    let (start, moves) = words.split_at(moves);
    let unexpected = |what: &str, word| {
        Err(CommandError::Unexpected { what: what.to_string(), word: shortened(word) })
    };
    let mut left_out = Vec::new();
    let start = match start {
        [startpos] if is(startpos, "startpos") => Position::start(),
        [startpos, word, ..] if is(startpos, "startpos") => {
            return unexpected("startpos", word);
        }
        [fen, fields @ ..] if is(fen, "fen") => {
            let fen: Fen = fields.join(" ").parse()?;
            left_out = fen.left_out;
            fen.position
        }
        [word, ..] => return unexpected("position", word),
        [] => return Err(CommandError::Incomplete("position".to_string())),
    };
    let mut game = Game::new(start);
    for (i, word) in moves.iter().enumerate().skip(1) {
        let wrong = |reason| CommandError::Move { number: i, word: shortened(word), reason };
        let position = game.position();
        // At the command line people write SAN.
        let mv = position
            .parse_uci(word)
            .or_else(|reason| position.parse_san(word).map_err(|_| wrong(reason)))?;
        game.play(mv);
    }
    Ok(Command::Position { game: Box::new(game), left_out })
}

/// 12 digits of milliseconds are 31 years.
const LONGEST: u64 = 999_999_999_999;

/// No line of play is deeper.
const DEEPEST: u64 = 255;

/// A limit of `go`: its word, its range, where a clock has no least, and its place.
type Limit = (&'static str, Option<u64>, u64, fn(&mut Go) -> &mut Option<u64>);

const LIMITS: [Limit; 9] = [
    ("wtime", None, LONGEST, |go| &mut go.time[0]),
    ("btime", None, LONGEST, |go| &mut go.time[1]),
    ("winc", None, LONGEST, |go| &mut go.increment[0]),
    ("binc", None, LONGEST, |go| &mut go.increment[1]),
    ("movetime", Some(0), LONGEST, |go| &mut go.move_time),
    ("movestogo", None, DEEPEST, |go| &mut go.moves_to_go),
    ("depth", Some(1), DEEPEST, |go| &mut go.depth),
    ("mate", Some(1), DEEPEST, |go| &mut go.mate),
    ("nodes", Some(1), u64::MAX, |go| &mut go.nodes),
];

fn limit(word: &str) -> Option<&'static Limit> {
    LIMITS.iter().find(|(name, ..)| word.eq_ignore_ascii_case(name))
}

/// Whether `go` takes this word, or it is `perft`.
pub fn is_go_word(word: &str) -> bool {
    const OTHERS: [&str; 4] = ["infinite", "ponder", "searchmoves", "perft"];
    limit(word).is_some() || OTHERS.iter().any(|other| word.eq_ignore_ascii_case(other))
}

/// The command of the words behind `go`. Those that it does not take are problems.
pub fn parse_go(mut words: &[&str]) -> Result<Command, CommandError> {
    let mut go = Go::default();
    let mut problems = Vec::new();
    while let [word, rest @ ..] = words {
        words = rest;
        if let Some(&(name, min, max, field)) = limit(word) {
            match number(name, words, min, max) {
                Ok(number) => *field(&mut go) = Some(number),
                Err(problem) => problems.push(problem),
            }
            // The next word is the number, unless that was forgotten.
            words = match words {
                [next, rest @ ..] if !is_go_word(next) => rest,
                words => words,
            };
            continue;
        }
        match word.to_ascii_lowercase().as_str() {
            "perft" => return Ok(Command::Perft(number("perft", words, Some(1), 99)? as u32)),
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                while let [word, rest @ ..] = words
                    && let Ok(mv) = word.parse::<UciMove>()
                {
                    go.search_moves.push(mv);
                    words = rest;
                }
            }
            _ => {
                let what = "go".to_string();
                problems.push(CommandError::Unexpected { what, word: shortened(word) });
            }
        }
    }
    // A search whose only limit could not be read ends all the same.
    if !problems.is_empty() && !go.infinite && !go.is_limited() {
        go.move_time = Some(DEFAULT_MOVE_TIME.as_millis() as u64);
    }
    Ok(Command::Go { go, problems })
}

/// Depth, threads and hash, as far as they are given.
fn parse_bench(words: &[&str]) -> Result<Command, CommandError> {
    let mut settings = Settings::default();
    if !words.is_empty() {
        settings.depth = number("depth", words, Some(1), 255)? as u32;
    }
    if words.len() > 1 {
        settings.threads = number("threads", &words[1..], Some(1), 1024)? as usize;
    }
    if words.len() > 2 {
        settings.hash = number("hash", &words[2..], Some(1), 33_554_432)? as usize;
    }
    Ok(Command::Bench(settings))
}
