//! What vampirc-uci does: it reads all but two of UCI's commands, and writes what advertises an option.
//!
//! `position` and `go` are read in [`super::command`]. Of `position` it silently drops what it does not
//! understand, and it knows neither short FENs nor Shredder-FENs. In `go` it panics at large numbers,
//! cuts others, loses `ponder` before a clock, and keeps the last of several kinds of limits. Our own
//! commands it does not know. Nor can it write `bestmove (none)`, or what `info` says of chances.

use vampirc_uci::{UciMessage, UciOptionConfig, parse_one};

use crate::player::{EMPTY, OptionKind, Options, UciOption};
#[cfg(feature = "tune")]
use crate::search::{TUNABLES, Tunable};
use crate::system::text::one_line;

/// The commands that it reads.
const COMMANDS: [&str; 8] =
    ["uci", "debug", "isready", "setoption", "ucinewgame", "stop", "ponderhit", "quit"];

/// What a line says that begins with this word in small letters, if it is one of those.
pub fn read(line: &str, verb: &str) -> Option<UciMessage> {
    COMMANDS.contains(&verb).then(|| parse_one(line))
}

/// The line that advertises an option, with its default.
pub fn advertised(option: &UciOption, defaults: &Options) -> String {
    let (name, defaults) = (option.name.to_string(), &mut defaults.clone());
    let config = match &option.kind {
        &OptionKind::Spin { min, max, field, .. } => {
            let [default, min, max] =
                [*field(defaults), min, max].map(|number| Some(number.into()));
            UciOptionConfig::Spin { name, default, min, max }
        }
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
