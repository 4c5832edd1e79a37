//! engine.toml: finding it, reading it, and starting the log.

use std::collections::HashSet;
use std::env;
use std::ops::Range;
use std::path::{Path, PathBuf};

use env_logger::Target;
use log::LevelFilter;
use toml::de::{DeTable, DeValue, Error};

use crate::player::{Effect, OptionError, OptionKind, Options, UciOption};
use crate::system::files;
use crate::system::text::shortened;

const FILE_NAME: &str = "engine.toml";

/// Far more than all settings with their comments.
const MOST_BYTES: u64 = 1 << 20;

/// At most this many wrong lines are reported; the rest are counted.
const MOST_NAMED: usize = 20;

/// The engine's initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub options: Options,
    pub log_level: LevelFilter,
    /// `None` is standard error.
    pub log_file: Option<PathBuf>,
}

/// An error in a configuration file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    #[error("{named_by}{}: it cannot be read: {reason}", .file.display())]
    Unreadable { named_by: &'static str, file: PathBuf, reason: String },
    #[error("{}:{line}: {problem}", .file.display())]
    Wrong { file: PathBuf, line: usize, problem: Problem },
    #[error("{}: {count} more lines are wrong", .file.display())]
    More { file: PathBuf, count: usize },
}

/// An error in one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("{0}")]
    Syntax(String),
    #[error("no key is called '{}'", shortened(.0))]
    UnknownKey(String),
    #[error("'{}' is there twice", shortened(.0))]
    Duplicate(String),
    #[error("'{0}' belongs under [options]")]
    OutsideOptions(String),
    #[error("key '{key}' takes {wanted}, not {found}")]
    WrongType { key: String, wanted: &'static str, found: &'static str },
    #[error("key '{key}': {error}")]
    Option { key: String, error: OptionError },
    #[error("{0} takes off, error, warn, info or debug, not '{1}'")]
    Level(&'static str, String),
}

impl Default for Config {
    fn default() -> Config {
        Config { options: Options::default(), log_level: LevelFilter::Off, log_file: None }
    }
}

impl Config {
    /// The defaults, changed by the first configuration file found, and the errors in it.
    pub fn load(named: Option<&Path>) -> (Config, Vec<ConfigError>) {
        let mut config = Config::default();
        let Some((named_by, file)) = find(named) else { return (config, Vec::new()) };
        let text = match files::read_text(&file, MOST_BYTES) {
            Ok(text) => text,
            Err(error) => {
                let reason = error.to_string();
                return (config, vec![ConfigError::Unreadable { named_by, file, reason }]);
            }
        };
        let folder = file.parent().unwrap_or(Path::new(""));
        let mut errors = config.read(&text, folder);
        errors.sort_by_key(|&(line, _)| line);
        let count = errors.len().saturating_sub(MOST_NAMED);
        errors.truncate(MOST_NAMED);
        let named = errors.into_iter().map(|(line, problem)| ConfigError::Wrong {
            file: file.clone(),
            line,
            problem,
        });
        let mut errors: Vec<ConfigError> = named.collect();
        if count > 0 {
            errors.push(ConfigError::More { file, count });
        }
        (config, errors)
    }

    /// Starts the log with the configured file and level; ZEBU_LOG overrides the level. Returns the errors in
    /// either.
    pub fn start_log(&self) -> Vec<String> {
        const LEVEL: &str = "ZEBU_LOG";
        let mut complaints = Vec::new();
        let mut builder = env_logger::Builder::new();
        let level = env::var(LEVEL).ok().filter(|level| !level.is_empty()).and_then(|level| {
            let parsed = level.parse().map_err(|_| Problem::Level(LEVEL, level));
            parsed.map_err(|problem| complaints.push(problem.to_string())).ok()
        });
        builder.filter_level(level.unwrap_or(self.log_level));
        if let Some(file) = &self.log_file {
            match files::append(file) {
                Ok(log) => drop(builder.target(Target::Pipe(Box::new(log)))),
                Err(error) => complaints.push(format!("log file {}: {error}", file.display())),
            }
        }
        builder.init();
        complaints
    }

    /// Applies the text of a file in this folder. Returns the errors with their lines.
    fn read(&mut self, text: &str, folder: &Path) -> Vec<(usize, Problem)> {
        let (table, errors) = DeTable::parse_recoverable(text);
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        let line = |span: Range<usize>| 1 + ends.partition_point(|&end| end < span.start);
        let syntax = |error: Error| {
            let problem = Problem::Syntax(error.message().replace('\n', " "));
            (error.span().map_or(1, line), problem)
        };
        let mut wrong: Vec<_> = errors.into_iter().map(syntax).collect();
        // After a syntax error, further errors in the same line are consequences.
        let misread: HashSet<usize> = wrong.iter().map(|&(line, _)| line).collect();
        let mut seen = HashSet::new();
        let mut sections: Vec<_> = table.get_ref().iter().collect();
        sections.sort_by_key(|(section, _)| section.span().start);
        for (section, contents) in sections {
            let key = section.get_ref().as_ref();
            let read = match key.to_ascii_lowercase().as_str() {
                "options" => Config::read_option,
                "log" => Config::read_log,
                _ => {
                    let is_option = UciOption::named(key).is_ok();
                    let problem =
                        if is_option { Problem::OutsideOptions } else { Problem::UnknownKey };
                    wrong.push((line(section.span()), problem(key.to_string())));
                    continue;
                }
            };
            let DeValue::Table(entries) = contents.get_ref() else {
                wrong.push((line(contents.span()), wrong_type(key, "a table", contents.get_ref())));
                continue;
            };
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by_key(|(name, _)| name.span().start);
            for (name, value) in entries {
                if misread.contains(&line(name.span())) {
                    continue;
                }
                // Keys that differ only in case are distinct in TOML but the same here.
                if !seen.insert((key.to_ascii_lowercase(), name.get_ref().to_ascii_lowercase())) {
                    wrong.push((line(name.span()), Problem::Duplicate(name.get_ref().to_string())));
                    continue;
                }
                if let Err(problem) = read(self, name.get_ref(), value.get_ref(), folder) {
                    wrong.push((line(name.span()), problem));
                }
            }
        }
        wrong
    }

    fn read_option(&mut self, key: &str, value: &DeValue, folder: &Path) -> Result<(), Problem> {
        let unknown = || Problem::UnknownKey(key.to_string());
        let option = UciOption::named(key).map_err(|_| unknown())?;
        let options = &mut self.options;
        let set = match (option.kind, value) {
            (OptionKind::Spin { .. }, DeValue::Integer(number)) => {
                option.set_number(options, number.as_str(), number.radix())
            }
            (OptionKind::Check { field, .. }, &DeValue::Boolean(on)) => {
                *field(options) = on;
                Ok(())
            }
            (OptionKind::String { .. }, DeValue::String(text)) => match option.effect {
                Effect::Network | Effect::Tables | Effect::Book => {
                    option.set(options, Some(&beside(folder, text)))
                }
                _ => option.set(options, Some(text)),
            },
            (OptionKind::Spin { .. }, _) => return Err(wrong_type(key, "a whole number", value)),
            (OptionKind::Check { .. }, _) => return Err(wrong_type(key, "true or false", value)),
            (OptionKind::String { .. }, _) => return Err(wrong_type(key, "a string", value)),
            (OptionKind::Button, _) => return Err(unknown()),
            #[cfg(feature = "tune")]
            (OptionKind::Tunable(_), _) => return Err(unknown()),
        };
        set.map_err(|error| Problem::Option { key: key.to_string(), error })
    }

    fn read_log(&mut self, key: &str, value: &DeValue, _: &Path) -> Result<(), Problem> {
        if !matches!(key, "level" | "file") {
            return Err(Problem::UnknownKey(key.to_string()));
        }
        let DeValue::String(text) = value else {
            return Err(wrong_type(key, "a string", value));
        };
        if key == "file" {
            self.log_file = (!text.is_empty()).then(|| PathBuf::from(text.as_ref()));
        } else {
            self.log_level =
                text.parse().map_err(|_| Problem::Level("key 'level'", text.to_string()))?;
        }
        Ok(())
    }
}

fn wrong_type(key: &str, wanted: &'static str, found: &DeValue) -> Problem {
    let found = match found {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    };
    Problem::WrongType { key: key.to_string(), wanted, found }
}

/// Makes relative paths absolute if they exist in this folder, since GUIs start engines in any folder.
fn beside(folder: &Path, paths: &str) -> String {
    let whole = |path: PathBuf| {
        let found = folder.join(&path);
        if !path.as_os_str().is_empty() && found.exists() { found } else { path }
    };
    let joined = env::join_paths(env::split_paths(paths).map(whole));
    joined.ok().and_then(|paths| paths.into_string().ok()).unwrap_or_else(|| paths.to_string())
}

/// The first configuration file found, and where its path came from. A file that the user named is returned
/// even if it does not exist, so that it is reported.
fn find(named: Option<&Path>) -> Option<(&'static str, PathBuf)> {
    if let Some(file) = named {
        return Some(("", file.to_path_buf()));
    }
    if let Some(file) = env::var_os("ZEBU_CONFIG").filter(|file| !file.is_empty()) {
        return Some(("ZEBU_CONFIG: ", PathBuf::from(file)));
    }
    let beside =
        env::current_exe().ok().and_then(|program| Some(program.parent()?.join(FILE_NAME)));
    let own = folder().map(|folder| folder.join(FILE_NAME));
    let found = [beside, own].into_iter().flatten().find(|file| file.is_file());
    found.map(|file| ("", file))
}

/// Zebu's folder in the user's configuration folder.
pub fn folder() -> Option<PathBuf> {
    let folder = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let all = folder("XDG_CONFIG_HOME")
        .or_else(|| folder("APPDATA"))
        .or_else(|| Some(folder("HOME")?.join(".config")));
    all.map(|folder| folder.join("zebu"))
}
