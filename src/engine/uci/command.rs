//! From a line to a typed command: those of UCI, and our own.

use vampirc_uci::UciMessage;

use super::vampirc;
use crate::bench::Settings;
use crate::board::{Fen, FenError, Game, LeftOut, Position, SanError, UciMove, UciMoveError};
use crate::player::{DEFAULT_MOVE_TIME, Go, OptionError, UciOption};
use crate::system::text::shortened;

/// A line of input.
pub enum InputLine {
    Line(String),
    /// A line that was skipped because it is too long.
    TooLong,
}

pub enum Command {
    Uci,
    IsReady,
    Debug(bool),
    SetOption(&'static UciOption, Option<String>),
    NewGame,
    /// The words after `position`. [`set_up`] reads them when their turn comes, for games are large.
    Position(String),
    Go(Box<Go>),
    Perft(u32),
    Stop,
    PonderHit,
    Quit,
    Display,
    Eval,
    Bench(Settings),
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    #[error("unknown command '{0}'")]
    Unknown(String),
    #[error(
        "this is UCI; zebu --help tells the commands of a shell, and zebu in a terminal has help of its own"
    )]
    Help,
    #[error("'{0}' is incomplete")]
    Incomplete(String),
    #[error("'{word}' is not what {what} takes")]
    Unexpected { what: String, word: String },
    #[error("'{word}' is not what {what} takes: did you mean '{meant}'?")]
    Meant { what: String, word: String, meant: String },
    #[error("{what} takes a number, not '{word}'")]
    NotANumber { what: String, word: String },
    #[error("{what} takes a number of at least {min}, not '{word}'")]
    TooSmall { what: String, min: u64, word: String },
    #[error("go has an increment or moves but no clock: a second is taken")]
    NoClock,
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("move {number} of the list, '{word}': {reason}")]
    Move { number: usize, word: String, reason: String },
}

/// The command of a line, or `None` if there is nothing to do. Words before the first known one are
/// skipped, as the protocol demands.
pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
    let mut rest = line.trim();
    while let Some(word) = rest.split_whitespace().next() {
        if let Some(command) = parse_from(rest, word) {
            return command;
        }
        rest = rest[word.len()..].trim_start();
    }
    match line.split_whitespace().next() {
        Some("help" | "h" | "?") => Err(CommandError::Help),
        Some(first) => Err(CommandError::Unknown(shortened(first))),
        None => Ok(None),
    }
}

/// The command of a line that begins with this word, if it is a command.
pub fn parse_from(line: &str, verb: &str) -> Option<Result<Option<Command>, CommandError>> {
    let words = || line.split_whitespace().skip(1).collect::<Vec<_>>();
    let name = verb.to_ascii_lowercase();
    let command = match name.as_str() {
        "position" => Ok(Command::Position(line[verb.len()..].trim().to_string())),
        "go" => parse_go(&words()),
        "d" => Ok(Command::Display),
        "eval" => Ok(Command::Eval),
        "bench" => parse_bench(&words()),
        // Nothing needs to be registered.
        "register" => return Some(Ok(None)),
        _ => known(vampirc::read(line, &name)?, line, &name),
    };
    Some(command.map(Some))
}

/// The command that vampirc-uci read in a line that begins with this word.
fn known(message: UciMessage, line: &str, verb: &str) -> Result<Command, CommandError> {
    let next = line.split_whitespace().nth(1);
    Ok(match message {
        UciMessage::Uci => Command::Uci,
        // It takes `onward` for `on`.
        UciMessage::Debug(on) if next.is_some_and(|word| word.len() == if on { 2 } else { 3 }) => {
            Command::Debug(on)
        }
        UciMessage::IsReady => Command::IsReady,
        UciMessage::UciNewGame => Command::NewGame,
        UciMessage::Stop => Command::Stop,
        UciMessage::PonderHit => Command::PonderHit,
        UciMessage::Quit => Command::Quit,
        UciMessage::SetOption { name, value } => {
            let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
            let option = UciOption::named(&name).map_err(|unknown| {
                meant_option(&name).map_or(CommandError::Option(unknown), |meant| {
                    CommandError::Meant { what: verb.to_string(), word: shortened(&name), meant }
                })
            })?;
            Command::SetOption(option, value)
        }
        _ => {
            let rest = line[verb.len()..].trim_start();
            return Err(match next {
                Some(word) if let Some(meant) = meant_option(rest) => {
                    CommandError::Meant { what: verb.to_string(), word: shortened(word), meant }
                }
                Some(word) if !word.eq_ignore_ascii_case("name") => unexpected(verb, word),
                _ => CommandError::Incomplete(verb.to_string()),
            });
        }
    })
}

/// The `setoption` that is probably meant by an option's name, then perhaps `value`, and a value.
fn meant_option(text: &str) -> Option<String> {
    let starts = |option: &&UciOption| {
        let start = text.get(..option.name.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(option.name))
    };
    let option = UciOption::all().filter(starts).max_by_key(|option| option.name.len())?;
    let value = text[option.name.len()..].trim_start();
    let value = value.strip_prefix("value").unwrap_or(value).trim_start();
    let value =
        if value.is_empty() { String::new() } else { format!(" value {}", shortened(value)) };
    Some(format!("setoption name {}{value}", option.name))
}

/// The game that the words after `position` set up, and what its FEN claims and the position does not
/// allow.
pub fn set_up(text: &str) -> Result<(Game, Vec<LeftOut>), CommandError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is = |word: &str, wanted| word.eq_ignore_ascii_case(wanted);
    let moves = words.iter().position(|word| is(word, "moves")).unwrap_or(words.len());
    let (start, moves) = words.split_at(moves);
    let mut left_out = Vec::new();
    let start = match start {
        [startpos] if is(startpos, "startpos") => Position::start(),
        [startpos, word, ..] if is(startpos, "startpos") => {
            return Err(unexpected("startpos", word));
        }
        [fen, fields @ ..] if is(fen, "fen") => {
            let fen: Fen = fields.join(" ").parse()?;
            left_out = fen.left_out;
            fen.position
        }
        [word, ..] => return Err(unexpected("position", word)),
        [] => return Err(CommandError::Incomplete("position".to_string())),
    };
    let mut game = Game::new(start);
    for (i, word) in moves.iter().enumerate().skip(1) {
        let position = game.position();
        // At the command line people write SAN.
        let mv = position.parse_uci(word).or_else(|in_uci| {
            position.parse_san(word).map_err(|in_san| {
                let reason = match (in_uci, in_san) {
                    (UciMoveError::Malformed, SanError::Illegal) => {
                        UciMoveError::Illegal.to_string()
                    }
                    (UciMoveError::Malformed, _) => in_san.to_string(),
                    _ => in_uci.to_string(),
                };
                CommandError::Move { number: i, word: shortened(word), reason }
            })
        })?;
        game.play(mv);
    }
    Ok((game, left_out))
}

/// 12 digits of milliseconds are 31 years.
const LONGEST: u64 = 999_999_999_999;

/// No line of play is deeper.
const DEEPEST: u64 = 255;

/// A limit of `go`: its word, its least value (clocks have none), its greatest, and its field.
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

/// Whether `go` takes this word.
pub fn is_go_word(word: &str) -> bool {
    const OTHERS: [&str; 4] = ["infinite", "ponder", "searchmoves", "perft"];
    limit(word).is_some() || OTHERS.iter().any(|other| word.eq_ignore_ascii_case(other))
}

/// The command of the words after `go`. The first one that it does not take becomes its problem.
pub fn parse_go(mut words: &[&str]) -> Result<Command, CommandError> {
    let mut go = Go::default();
    let mut problem = None;
    let mut lacks_number = false;
    while let [word, rest @ ..] = words {
        words = rest;
        if let Some(&(name, min, max, field)) = limit(word) {
            match number(name, words, min, max) {
                Ok(number) => *field(&mut go) = Some(number),
                Err(error) => {
                    lacks_number |= !matches!(error, CommandError::TooSmall { .. });
                    problem.get_or_insert(error);
                }
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
                problem.get_or_insert_with(|| unexpected("go", word));
            }
        }
    }
    let is_endless = !go.infinite && go.mate.is_none() && !go.is_bounded();
    if is_endless && (go.moves_to_go.is_some() || go.increment.iter().any(Option::is_some)) {
        problem.get_or_insert(CommandError::NoClock);
    }
    // Without its number a limit leaves nothing to search. After other errors the search must end, too.
    if is_endless && problem.is_some() && !lacks_number {
        go.move_time = Some(DEFAULT_MOVE_TIME.as_millis() as u64);
    }
    go.problem = problem.map(|problem| problem.to_string());
    Ok(Command::Go(Box::new(go)))
}

/// Depth, threads and hash, of which the last may be left out.
pub fn parse_bench(words: &[&str]) -> Result<Command, CommandError> {
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
    if let Some(word) = words.get(3) {
        return Err(unexpected("bench", word));
    }
    Ok(Command::Bench(settings))
}

/// The first of these words as a number; more than `max` counts as `max`. Without `min` it is of a clock,
/// which may have run out: below zero is zero.
pub fn number(what: &str, words: &[&str], min: Option<u64>, max: u64) -> Result<u64, CommandError> {
    let word = words.first().ok_or_else(|| CommandError::Incomplete(what.to_string()))?;
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CommandError::NotANumber { what: what.to_string(), word: shortened(word) });
    }
    // Only too many digits fail here.
    let size = digits.parse().unwrap_or(u64::MAX);
    let negative = word.starts_with('-') && size > 0;
    match min {
        Some(min) if negative || size < min => {
            Err(CommandError::TooSmall { what: what.to_string(), min, word: shortened(word) })
        }
        _ => Ok(if negative { 0 } else { size.min(max) }),
    }
}

pub fn unexpected(what: &str, word: &str) -> CommandError {
    CommandError::Unexpected { what: what.to_string(), word: shortened(word) }
}
