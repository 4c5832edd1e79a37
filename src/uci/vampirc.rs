//! What vampirc-uci does: it reads all but two of UCI's commands, and writes what advertises an option.
//!
//! `position` and `go` are read in [`super::parse`]. Of `position` it silently drops what it does not
//! understand, and it knows neither short FENs nor Shredder-FENs. In `go` it panics at large numbers,
//! cuts others, loses `ponder` before a clock, and keeps the last of several kinds of limits. Our own
//! commands it does not know. Nor can it write `bestmove (none)`, or what `info` says of chances.

use vampirc_uci::{UciMessage, UciOptionConfig, parse_one};

use super::command::{Command, CommandError};
#[cfg(feature = "tune")]
use crate::search::{TUNABLES, Tunable};
use crate::session::{EMPTY, OptionKind, Options, UciOption};
use crate::text::{one_line, shortened};

/// The commands that it reads.
const COMMANDS: [&str; 8] =
    ["uci", "debug", "isready", "setoption", "ucinewgame", "stop", "ponderhit", "quit"];

/// The command on a line that begins with this word, if it is one of those.
pub fn parse_plain(line: &str, verb: &str) -> Option<Result<Command, CommandError>> {
    let verb = verb.to_ascii_lowercase();
    let next = line.split_whitespace().nth(1);
    COMMANDS.contains(&verb.as_str()).then(|| parse_known(line, &verb, next))
}

fn parse_known(line: &str, verb: &str, next: Option<&str>) -> Result<Command, CommandError> {
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

/// The line that advertises an option, with its default.
pub fn advertised(option: &UciOption, defaults: &Options) -> String {
    let (name, defaults) = (option.name.to_string(), &mut defaults.clone());
    let config = match &option.kind {
        OptionKind::Spin(spin) => UciOptionConfig::Spin {
            name,
            default: Some((*(spin.field)(defaults)).into()),
            min: Some(spin.min.into()),
            max: Some(spin.max.into()),
        },
        OptionKind::Check { field, .. } => {
            UciOptionConfig::Check { name, default: Some(*field(defaults)) }
        }
        OptionKind::String { field } => {
            let value = field(defaults).as_str();
            let default = Some(one_line(if value.is_empty() { EMPTY } else { value }));
            UciOptionConfig::String { name, default }
        }
        OptionKind::Button => UciOptionConfig::Button { name },
        #[cfg(feature = "tune")]
        &OptionKind::Tunable(index) => {
            let Tunable { default, min, max, .. } = TUNABLES[index];
            let [default, min, max] = [default, min, max].map(|number| Some(number.into()));
            UciOptionConfig::Spin { name, default, min, max }
        }
    };
    config.to_string()
}
