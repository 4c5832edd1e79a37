//! From a line of text to a typed command.
//!
//! vampirc-uci reads all but two of UCI's commands. Of `position` it silently drops what it does not
//! understand, and it knows neither short FENs nor Shredder-FENs. In `go` it panics at large numbers
//! and keeps the last of several kinds of limits. These two are read here, and our own commands.

use std::time::Duration;

use vampirc_uci::{UciMessage, parse_one};

use super::options::{OptionError, UciOption, Value};
use crate::bench::Settings;
use crate::board::{
    Color, Ending, Fen, FenError, Game, LeftOut, Move, Position, SanError, UciMove, UciMoveError,
};
use crate::search::{Limits, Time};
use crate::text::shortened;

/// A command, as it is obeyed.
pub enum Command {
    Uci,
    IsReady,
    Debug(bool),
    SetOption(&'static UciOption, Value),
    NewGame,
    /// A game that was played by the rules, up to the position to search.
    Position {
        game: Box<Game>,
        /// What its FEN says and the position does not bear out.
        left_out: Vec<LeftOut>,
    },
    /// A `position` that is refused.
    BadPosition(CommandError),
    Go(Go),
    Perft(u32),
    Stop,
    PonderHit,
    Quit,
    Display,
    Eval,
    Bench(Settings),
    Terminal(TerminalCommand),
}

/// What only a terminal understands.
pub enum TerminalCommand {
    Help,
    Board,
    Moves,
    Fen,
    Flip,
    /// Whether pieces are drawn as chess pieces.
    Pieces(bool),
    /// A move, in SAN or as UCI writes it.
    Move(String),
    /// So many moves; otherwise to the person's last one.
    Undo(Option<u64>),
    /// Zebu replies to moves from now on. The person has this side, or the one that is not to move.
    Play(Option<Color>),
    /// Zebu looks on.
    Analyse,
    New,
    Hint,
    Resign,
    /// The strength, or a question for it.
    Level(Option<String>),
    /// To a file, or to the one it has; without one it gets a name.
    Save(Option<String>),
    Load(String),
    /// The seconds that Zebu takes for a move, or a question for them.
    Time(Option<String>),
}

/// How long a move takes if nothing says how long.
pub const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(1);

/// What `go` asks for. Times are in milliseconds.
#[derive(Debug, Default)]
pub struct Go {
    pub ponder: bool,
    pub infinite: bool,
    /// White's and Black's.
    pub time: [Option<u64>; 2],
    pub increment: [Option<u64>; 2],
    pub moves_to_go: Option<u64>,
    pub move_time: Option<u64>,
    pub depth: Option<u64>,
    pub nodes: Option<u64>,
    pub mate: Option<u64>,
    pub search_moves: Vec<UciMove>,
    /// What could not be read. The search begins without it: a GUI waits for its best move.
    pub problems: Vec<CommandError>,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    #[error("unknown command '{0}'")]
    Unknown(String),
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
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("move {number} of the list, '{word}': {reason}")]
    Move { number: usize, word: String, reason: UciMoveError },
    #[error("go has no clock for {0}, who is to move: the opponent's is taken")]
    NoClock(Color),
    #[error("searchmoves '{mv}': {reason}")]
    SearchMove { mv: UciMove, reason: UciMoveError },
}

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

/// The words that a command for people begins with.
pub const TERMINAL_WORDS: [&str; 26] = [
    "analyse",
    "bench",
    "board",
    "d",
    "eval",
    "fen",
    "flip",
    "go",
    "help",
    "hint",
    "level",
    "load",
    "moves",
    "new",
    "pieces",
    "play",
    "position",
    "quit",
    "resign",
    "save",
    "setoption",
    "stop",
    "time",
    "uci",
    "ucinewgame",
    "undo",
];

/// The command that a person typed.
pub fn parse_terminal(line: &str) -> Result<Option<Command>, CommandError> {
    // Quotes are for shells.
    let line = line.replace('"', " ");
    let words: Vec<&str> = line.split_whitespace().collect();
    let command = match words[..] {
        ["help" | "?", ..] => TerminalCommand::Help,
        ["board"] => TerminalCommand::Board,
        ["moves"] => TerminalCommand::Moves,
        ["fen"] => TerminalCommand::Fen,
        ["fen", ..] => return Command::position(&words).map(Some),
        ["position", board, ..] | [board, ..] if board.contains('/') => {
            let fen = words.iter().copied().skip_while(|word| *word == "position");
            return Command::position(&["fen"].into_iter().chain(fen).collect::<Vec<_>>())
                .map(Some);
        }
        ["flip"] => TerminalCommand::Flip,
        ["pieces", "unicode"] => TerminalCommand::Pieces(true),
        ["pieces", "letters"] => TerminalCommand::Pieces(false),
        ["undo"] => TerminalCommand::Undo(None),
        ["undo", ..] => TerminalCommand::Undo(Some(number("undo", &words[1..], Some(1), 9999)?)),
        ["play"] => TerminalCommand::Play(None),
        ["play", "white"] => TerminalCommand::Play(Some(Color::White)),
        ["play", "black"] => TerminalCommand::Play(Some(Color::Black)),
        ["play", word, ..] if is_go_word(word) => {
            let meant = format!("go {}", words[1..].join(" "));
            return Err(CommandError::Meant {
                what: "play".to_string(),
                word: word.to_string(),
                meant,
            });
        }
        ["play", word] => TerminalCommand::Move(word.to_string()),
        ["analyse" | "analyze"] => TerminalCommand::Analyse,
        ["new"] => TerminalCommand::New,
        ["hint"] => TerminalCommand::Hint,
        ["resign"] => TerminalCommand::Resign,
        ["level"] => TerminalCommand::Level(None),
        ["level", level] => TerminalCommand::Level(Some(level.to_string())),
        ["time"] => TerminalCommand::Time(None),
        ["time", seconds] => TerminalCommand::Time(Some(seconds.to_string())),
        ["load"] => return Err(CommandError::Incomplete("load".to_string())),
        ["save"] => TerminalCommand::Save(None),
        ["save", ..] => TerminalCommand::Save(Some(words[1..].join(" "))),
        ["load", ..] => TerminalCommand::Load(words[1..].join(" ")),
        ["exit"] => return Ok(Some(Command::Quit)),
        // A person means the first word, and alone one that is no command can only be a move.
        [word, ..] => match parse_from(line.trim(), word) {
            Some(parsed) => return parsed,
            None if words.len() == 1 => TerminalCommand::Move(word.to_string()),
            None => return Err(CommandError::Unknown(shortened(word))),
        },
        [] => return Ok(None),
    };
    Ok(Some(Command::Terminal(command)))
}

/// The move that a person typed, in SAN or as UCI writes it.
pub fn typed_move(word: &str, position: &Position) -> Result<Move, String> {
    // nf3 is a knight's move where no pawn can make it; e2-e4 is what UCI writes as e2e4.
    let mut letters = word.chars();
    let piece = letters.next().map(|letter| letter.to_ascii_uppercase());
    let of_piece: String = piece.into_iter().chain(letters).collect();
    let plain = word.replace('-', "");
    let move_by_squares = || position.parse_uci(word).or_else(|_| position.parse_uci(&plain));
    let by_name = || {
        position.parse_san(word).or_else(|reason| {
            let clearer = |other| if reason == SanError::Malformed { other } else { reason };
            position.parse_san(&of_piece).map_err(clearer)
        })
    };
    move_by_squares().or_else(|by_squares| {
        by_name().map_err(|reason| {
            let is_move = reason != SanError::Malformed || by_squares == UciMoveError::Illegal;
            let word = shortened(word);
            match position.ending() {
                Some(Ending::Checkmate { .. } | Ending::Stalemate) if is_move => {
                    "the game is over: undo takes a move back, new starts another game".to_string()
                }
                _ if reason == SanError::Ambiguous => format!("'{word}': {reason}"),
                _ if is_move => format!("'{word}' is not legal here"),
                _ => format!("'{word}' is neither a command (try help) nor a move: {reason}"),
            }
        })
    })
}

/// What vampirc-uci reads.
const PLAIN: [&str; 8] =
    ["uci", "debug", "isready", "setoption", "ucinewgame", "stop", "ponderhit", "quit"];

/// The command on a line whose first word is this one, if it is one of ours.
fn parse_from(line: &str, verb: &str) -> Option<Result<Option<Command>, CommandError>> {
    let words = || line.split_whitespace().skip(1).collect::<Vec<_>>();
    let command = match verb.to_ascii_lowercase().as_str() {
        "position" => Command::position(&words()).or_else(|error| Ok(Command::BadPosition(error))),
        "go" => Command::go(&words()),
        "d" => Ok(Command::Display),
        "eval" => Ok(Command::Eval),
        "bench" => parse_bench(&words()),
        // Nothing needs to be registered.
        "register" => return Some(Ok(None)),
        verb if PLAIN.contains(&verb) => parse_plain(line, verb, words().first().copied()),
        _ => return None,
    };
    Some(command.map(Some))
}

fn parse_plain(line: &str, verb: &str, next: Option<&str>) -> Result<Command, CommandError> {
    Ok(match parse_one(line) {
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
            Command::SetOption(option, option.parse(value.as_deref())?)
        }
        _ => {
            let rest = line[verb.len()..].trim_start();
            return Err(match next {
                Some(word) if let Some(meant) = meant_option(rest) => {
                    CommandError::Meant { what: verb.to_string(), word: shortened(word), meant }
                }
                Some(word) if !word.eq_ignore_ascii_case("name") => {
                    CommandError::Unexpected { what: verb.to_string(), word: shortened(word) }
                }
                _ => CommandError::Incomplete(verb.to_string()),
            });
        }
    })
}

/// The `setoption` that is meant by the name of an option, then perhaps `value`, and a value.
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

impl Command {
    /// The command of the words behind `position`.
    pub fn position(words: &[&str]) -> Result<Command, CommandError> {
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

    /// The command of the words behind `go`. Those that it does not take are problems.
    pub fn go(mut words: &[&str]) -> Result<Command, CommandError> {
        /// 12 digits of milliseconds are 31 years.
        const LONGEST: u64 = 999_999_999_999;
        /// No line of play is deeper.
        const DEEPEST: u64 = 255;
        let mut go = Go::default();
        while let [word, rest @ ..] = words {
            words = rest;
            let name = word.to_ascii_lowercase();
            let (limit, min, max) = match name.as_str() {
                "wtime" => (&mut go.time[0], None, LONGEST),
                "btime" => (&mut go.time[1], None, LONGEST),
                "winc" => (&mut go.increment[0], None, LONGEST),
                "binc" => (&mut go.increment[1], None, LONGEST),
                "movetime" => (&mut go.move_time, Some(0), LONGEST),
                "movestogo" => (&mut go.moves_to_go, None, DEEPEST),
                "depth" => (&mut go.depth, Some(1), DEEPEST),
                "mate" => (&mut go.mate, Some(1), DEEPEST),
                "nodes" => (&mut go.nodes, Some(1), u64::MAX),
                "perft" => return Ok(Command::Perft(number("perft", words, Some(1), 99)? as u32)),
                "infinite" => {
                    go.infinite = true;
                    continue;
                }
                "ponder" => {
                    go.ponder = true;
                    continue;
                }
                "searchmoves" => {
                    while let [word, rest @ ..] = words
                        && let Ok(mv) = word.parse::<UciMove>()
                    {
                        go.search_moves.push(mv);
                        words = rest;
                    }
                    continue;
                }
                _ => {
                    let what = "go".to_string();
                    go.problems.push(CommandError::Unexpected { what, word: shortened(word) });
                    continue;
                }
            };
            match number(&name, words, min, max) {
                Ok(number) => *limit = Some(number),
                Err(problem) => go.problems.push(problem),
            }
            // The next word is the number, unless that was forgotten.
            words = match words {
                [next, rest @ ..] if !is_go_word(next) => rest,
                words => words,
            };
        }
        Ok(Command::Go(go))
    }
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

/// The words of UCI that `go` takes, and `perft`.
const GO_WORDS: [&str; 13] = [
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

fn is_go_word(word: &str) -> bool {
    GO_WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// The first of these words as a number, at most `max`. Without a least one it is of a clock: what is
/// below zero has run out.
fn number(what: &str, words: &[&str], min: Option<u64>, max: u64) -> Result<u64, CommandError> {
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

impl Go {
    /// Whether some limit ends the search by itself. There may be no mate to be found.
    pub fn ends(&self) -> bool {
        let timed = self.move_time.is_some() || self.time.iter().any(Option::is_some);
        let counted = self.depth.is_some() || self.nodes.is_some();
        !self.infinite && !self.ponder && (timed || counted)
    }

    /// What this means for a search of a position. Moves that are not legal there are left out.
    pub fn limits(&self, position: &Position) -> (Limits, Vec<CommandError>) {
        let mut problems = self.problems.clone();
        let mut moves = Vec::new();
        for &mv in &self.search_moves {
            match position.legal_move(mv) {
                Ok(mv) => moves.push(mv),
                Err(reason) => problems.push(CommandError::SearchMove { mv, reason }),
            }
        }
        let side = position.side();
        let [own, others] = [side, !side].map(|color| self.time[color.index()]);
        // A search that is told only the opponent's clock would never end.
        if own.is_none() && others.is_some() {
            problems.push(CommandError::NoClock(side));
        }
        let time = own.or(others).map(|left| Time {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(self.increment[side.index()].unwrap_or(0)),
            moves_to_go: self.moves_to_go.filter(|&moves| moves > 0).map(|moves| moves as u32),
        });
        let mut limits = Limits {
            depth: self.depth.map(|depth| depth as u32),
            nodes: self.nodes,
            soft_nodes: None,
            forcing_soft_nodes: None,
            mate: self.mate.map(|moves| moves as u32),
            move_time: self.move_time.map(Duration::from_millis),
            time,
            moves,
        };
        // A search whose only limit could not be read ends all the same.
        let counted = limits.depth.is_some() || limits.nodes.is_some() || limits.mate.is_some();
        let ends = counted || limits.move_time.is_some() || limits.time.is_some();
        if !self.problems.is_empty() && !self.infinite && !ends {
            limits.move_time = Some(DEFAULT_MOVE_TIME);
        }
        (limits, problems)
    }
}
