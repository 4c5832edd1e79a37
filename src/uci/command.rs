//! From a line of text to a typed command.
//!
//! vampirc-uci parses. This file keeps from it what it cannot bear and does beside it what it
//! cannot say: numbers beyond its types are brought into them where that changes nothing, `go` is
//! given to it word by word because of several limits it would keep only the last, FENs go
//! straight to the board, and what it has no word for is parsed here.

use std::time::Duration;

use vampirc_uci::{UciMessage, UciMove, UciTimeControl, parse_one};

use super::options::{OptionError, Setting, shortened};
use crate::bench::Settings;
use crate::board::{FenError, Game, Position, UciMoveError};
use crate::search::{Limits, Time};

/// A command, as it is obeyed.
#[derive(Clone)]
pub enum Command {
    Uci,
    IsReady,
    Debug(bool),
    Set(Setting),
    /// Nothing needs to be registered.
    Register,
    NewGame,
    /// A game that was played by the rules, up to the position to search.
    Position(Box<Game>),
    Go(Go),
    Stop,
    PonderHit,
    Quit,
    Perft(u32),
    Display,
    Evaluate,
    Bench(Settings),
    Person(Person),
}

/// What only a person at a terminal says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Person {
    Help,
    Board,
    Moves,
    Undo,
    /// A move, in SAN or as UCI writes it.
    Play(String),
    /// The engine is to move.
    Answer,
}

/// What `go` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    pub ponder: bool,
    pub infinite: bool,
    /// White's and Black's.
    pub time: [Option<Duration>; 2],
    pub increment: [Option<Duration>; 2],
    pub moves_to_go: Option<u32>,
    pub move_time: Option<Duration>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub mate: Option<u32>,
    pub moves: Vec<UciMove>,
}

impl Go {
    /// Whether some limit will end the search by itself.
    pub fn ends(&self) -> bool {
        let timed = self.move_time.is_some() || self.time.iter().any(Option::is_some);
        let counted = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some();
        !self.infinite && !self.ponder && (timed || counted)
    }

    /// What this means for a search of a position.
    pub fn limits(&self, position: &Position) -> Result<Limits, CommandError> {
        let legal = |word: &UciMove| {
            let word = word.to_string();
            let read = position.parse_uci(&word);
            read.map_err(|reason| CommandError::SearchMove { word, reason })
        };
        let side = position.side().index();
        Ok(Limits {
            depth: self.depth,
            nodes: self.nodes,
            soft_nodes: None,
            mate: self.mate,
            move_time: self.move_time,
            time: self.time[side].map(|left| Time {
                left,
                increment: self.increment[side].unwrap_or_default(),
                moves_to_go: self.moves_to_go,
            }),
            moves: self.moves.iter().map(legal).collect::<Result<_, _>>()?,
        })
    }
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    #[error("unknown command '{0}'")]
    Unknown(String),
    #[error("'{0}' is incomplete")]
    Incomplete(&'static str),
    #[error("'{word}' is not what {what} takes")]
    Unexpected { what: &'static str, word: String },
    #[error("{what} takes a number, not '{word}'")]
    NotANumber { what: &'static str, word: String },
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("move {number} of the list, '{word}': {reason}")]
    Move { number: usize, word: String, reason: UciMoveError },
    #[error("searchmoves '{word}': {reason}")]
    SearchMove { word: String, reason: UciMoveError },
}

/// Who speaks: a program, which says nothing but UCI, or a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    Program,
    Person,
}

/// The command on a line, or `None` for an empty one. Words before the first known one are skipped,
/// as the protocol wants it.
pub fn parse(line: &str, speaker: Speaker) -> Result<Option<Command>, CommandError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some(&first) = words.first() else { return Ok(None) };
    if speaker == Speaker::Person
        && let Some(command) = parse_person(&words)
    {
        return Ok(Some(command));
    }
    let known = words.iter().enumerate().find_map(|(i, word)| Some((i, verb(word)?)));
    match known {
        Some((i, verb)) => verb(line.trim(), &words[i + 1..]).map(Some),
        None => Err(CommandError::Unknown(shortened(first))),
    }
}

/// What a command does with its line and the words after its own.
type Verb = fn(&str, &[&str]) -> Result<Command, CommandError>;

fn verb(word: &str) -> Option<Verb> {
    Some(match word.to_ascii_lowercase().as_str() {
        "uci" => |_, _| Ok(Command::Uci),
        "isready" => |_, _| Ok(Command::IsReady),
        "ucinewgame" => |_, _| Ok(Command::NewGame),
        "register" => |_, _| Ok(Command::Register),
        "stop" => |_, _| Ok(Command::Stop),
        "ponderhit" => |_, _| Ok(Command::PonderHit),
        "quit" => |_, _| Ok(Command::Quit),
        "debug" => parse_debug,
        "setoption" => parse_option,
        "position" => |_, words| parse_position(words),
        "go" => |_, words| parse_go(words),
        "d" => |_, _| Ok(Command::Display),
        "eval" => |_, _| Ok(Command::Evaluate),
        "bench" => |_, words| parse_bench(words),
        _ => return None,
    })
}

fn parse_person(words: &[&str]) -> Option<Command> {
    let person = match words {
        ["help" | "?"] => Person::Help,
        ["moves"] => Person::Moves,
        ["undo"] => Person::Undo,
        ["play"] => Person::Answer,
        ["play", word] => Person::Play(word.to_string()),
        ["board"] => Person::Board,
        ["new"] => return Some(Command::Position(Box::new(Game::new(Position::start())))),
        ["exit"] => return Some(Command::Quit),
        // A single word that is no command can only be a move.
        [word] if verb(word).is_none() => Person::Play(word.to_string()),
        _ => return None,
    };
    Some(Command::Person(person))
}

fn parse_debug(_: &str, words: &[&str]) -> Result<Command, CommandError> {
    let word = words.first().ok_or(CommandError::Incomplete("debug"))?;
    match parse_one(&format!("debug {word}")) {
        UciMessage::Debug(on) if word.len() == if on { 2 } else { 3 } => Ok(Command::Debug(on)),
        _ => Err(CommandError::Unexpected { what: "debug", word: shortened(word) }),
    }
}

fn parse_option(line: &str, words: &[&str]) -> Result<Command, CommandError> {
    let first = words.first().ok_or(CommandError::Incomplete("setoption"))?;
    if !first.eq_ignore_ascii_case("name") {
        return Err(CommandError::Unexpected { what: "setoption", word: shortened(first) });
    }
    let start = line.to_ascii_lowercase().find("setoption").unwrap_or(0);
    match parse_one(&line[start..]) {
        UciMessage::SetOption { name, value } => {
            let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
            Ok(Command::Set(Setting::parse(&name, value.as_deref())?))
        }
        _ => Err(CommandError::Incomplete("setoption")),
    }
}

fn parse_position(words: &[&str]) -> Result<Command, CommandError> {
    let moves = words.iter().position(|word| word.eq_ignore_ascii_case("moves"));
    let (from, moves) = words.split_at(moves.unwrap_or(words.len()));
    let start = match from {
        [word, rest @ ..] if word.eq_ignore_ascii_case("startpos") => {
            if let Some(word) = rest.first() {
                return Err(CommandError::Unexpected { what: "startpos", word: shortened(word) });
            }
            Position::start()
        }
        [word, fields @ ..] if word.eq_ignore_ascii_case("fen") => fields.join(" ").parse()?,
        [word, ..] => {
            return Err(CommandError::Unexpected { what: "position", word: shortened(word) });
        }
        [] => return Err(CommandError::Incomplete("position")),
    };
    let mut game = Game::new(start);
    let words = moves.get(1..).unwrap_or(&[]);
    let wrong = |i: usize, reason| {
        let word = shortened(words.get(i).copied().unwrap_or_default());
        CommandError::Move { number: i + 1, word, reason }
    };
    // What is not written like a move would be dropped silently, and what follows it too.
    let written = words.iter().position(|word| !is_move(word)).unwrap_or(words.len());
    for (i, mv) in parse_moves(&words[..written]).into_iter().enumerate() {
        let mv = game.position().parse_uci(&mv.to_string()).map_err(|reason| wrong(i, reason))?;
        game.play(mv);
    }
    match words.get(written) {
        None => Ok(Command::Position(Box::new(game))),
        Some(&"0000") => Err(wrong(written, UciMoveError::Null)),
        Some(_) => Err(wrong(written, UciMoveError::Malformed)),
    }
}

/// Words that are all written like moves.
fn parse_moves(words: &[&str]) -> Vec<UciMove> {
    if words.is_empty() {
        return Vec::new();
    }
    match parse_one(&format!("position startpos moves {}", words.join(" "))) {
        UciMessage::Position { moves, .. } => moves,
        _ => Vec::new(),
    }
}

/// Whether a word is written like a move, as vampirc-uci reads them.
fn is_move(word: &str) -> bool {
    let square =
        |file: u8, rank: u8| (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank);
    match *word.as_bytes() {
        [a, b, c, d] => square(a, b) && square(c, d),
        [a, b, c, d, kind] => {
            square(a, b) && square(c, d) && b"qrbn".contains(&kind.to_ascii_lowercase())
        }
        _ => false,
    }
}

fn parse_go(words: &[&str]) -> Result<Command, CommandError> {
    let mut go = Go::default();
    let mut rest = words;
    while let [word, after @ ..] = rest {
        rest = after;
        let word = word.to_ascii_lowercase();
        let taken = match word.as_str() {
            "infinite" => {
                go.infinite = true;
                0
            }
            "ponder" => {
                go.ponder = true;
                0
            }
            "searchmoves" => {
                let count = after.iter().take_while(|word| is_move(word)).count();
                go.moves.extend(parse_moves(&after[..count]));
                count
            }
            "perft" => return Ok(Command::Perft(number("perft", after, 1, 99)? as u32)),
            // Too large for vampirc-uci, which would cut it.
            "nodes" => {
                go.nodes = Some(number("nodes", after, 1, u64::MAX as i128)? as u64);
                1
            }
            _ => match NUMBERS.iter().find(|(name, ..)| *name == word) {
                Some(&(name, least, most)) => {
                    let number = number(name, after, least, most)?;
                    go.add(parse_one(&format!("go {name} {number}")));
                    1
                }
                None => 0,
            },
        };
        rest = &rest[taken..];
    }
    Ok(Command::Go(go))
}

/// The limits that are numbers, with the least and the most that means anything: deeper than 255
/// plies no line goes, beyond 255 moves no clock looks, and 12 digits of milliseconds are 31 years.
const NUMBERS: [(&str, i128, i128); 8] = [
    ("wtime", 0, 999_999_999_999),
    ("btime", 0, 999_999_999_999),
    ("winc", 0, 999_999_999_999),
    ("binc", 0, 999_999_999_999),
    ("movetime", 0, 999_999_999_999),
    ("movestogo", 0, 255),
    ("depth", 1, 255),
    ("mate", 1, 255),
];

/// The first of these words as a number, brought into the range.
fn number(
    what: &'static str,
    words: &[&str],
    least: i128,
    most: i128,
) -> Result<i128, CommandError> {
    let word = words.first().ok_or(CommandError::Incomplete(what))?;
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CommandError::NotANumber { what, word: shortened(word) });
    }
    // More digits than the type has are more than anybody means.
    let size = digits.parse().unwrap_or(i128::MAX);
    let number = if word.starts_with('-') { -size } else { size };
    Ok(number.clamp(least, most))
}

impl Go {
    /// Adds the one limit that a message holds.
    fn add(&mut self, message: UciMessage) {
        let UciMessage::Go { time_control, search_control } = message else { return };
        let duration = |milliseconds: i64| Duration::from_millis(milliseconds.max(0) as u64);
        match time_control {
            Some(UciTimeControl::MoveTime(time)) => {
                self.move_time = Some(duration(time.num_milliseconds()));
            }
            Some(UciTimeControl::TimeLeft {
                white_time,
                black_time,
                white_increment,
                black_increment,
                moves_to_go,
            }) => {
                for (own, said) in self
                    .time
                    .iter_mut()
                    .zip([white_time, black_time])
                    .chain(self.increment.iter_mut().zip([white_increment, black_increment]))
                {
                    *own = said.map(|time| duration(time.num_milliseconds())).or(*own);
                }
                let counted = moves_to_go.filter(|&moves| moves > 0).map(u32::from);
                self.moves_to_go = counted.or(self.moves_to_go);
            }
            Some(UciTimeControl::Ponder | UciTimeControl::Infinite) | None => {}
        }
        if let Some(control) = search_control {
            self.depth = control.depth.map(u32::from).or(self.depth);
            self.mate = control.mate.map(u32::from).or(self.mate);
        }
    }
}

/// Depth, threads and hash, as far as they are given.
fn parse_bench(words: &[&str]) -> Result<Command, CommandError> {
    let mut settings = Settings::default();
    if !words.is_empty() {
        settings.depth = number("depth", words, 1, 255)? as u32;
    }
    if words.len() > 1 {
        settings.threads = number("threads", &words[1..], 1, 1024)? as usize;
    }
    if words.len() > 2 {
        settings.hash = number("hash", &words[2..], 1, 33_554_432)? as usize;
    }
    Ok(Command::Bench(settings))
}
