//! The commands of UCI and our own, and why a line is none.

use crate::bench::Settings;
use crate::board::{FenError, Game, LeftOut, UciMoveError};
use crate::session::{Go, OptionError, UciOption, Value};
use crate::text::shortened;

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
    Go {
        go: Go,
        /// What could not be read. The search begins without it: a GUI waits for its best move.
        problems: Vec<CommandError>,
    },
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
}

impl Command {
    /// Whether it is executed while a search runs, which it does not disturb.
    pub fn is_immediate(&self) -> bool {
        matches!(
            self,
            Command::Uci
                | Command::IsReady
                | Command::Debug(_)
                | Command::Stop
                | Command::PonderHit
        )
    }
}

/// The first of these words as a number, at most `max`. Without a least one it is of a clock: what is
/// below zero has run out.
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
