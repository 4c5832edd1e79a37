//! engine.toml: where it is found and what it says.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{env, fs};

use log::LevelFilter;
use toml::de::{DeTable, DeValue};

use crate::uci::{OptionError, OptionKind, Options, UciOption, Value};

const FILE_NAME: &str = "engine.toml";

/// How the engine starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    pub options: Options,
    pub log_level: LevelFilter,
    /// `None` is standard error.
    pub log_file: Option<PathBuf>,
}

/// What is wrong with a configuration file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    #[error("{}: it cannot be read: {reason}", .file.display())]
    Unreadable { file: PathBuf, reason: String },
    #[error("{}:{line}: {problem}", .file.display())]
    Wrong { file: PathBuf, line: usize, problem: Problem },
}

/// What is wrong in a line of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("{0}")]
    Syntax(String),
    #[error("no key is called '{0}'")]
    UnknownKey(String),
    #[error("key '{key}' takes {wanted}, not {found}")]
    WrongType { key: String, wanted: &'static str, found: &'static str },
    #[error("key '{key}': {error}")]
    Option { key: String, error: OptionError },
    #[error("key 'level' takes off, error, warn, info or debug, not '{0}'")]
    Level(String),
}

impl Default for Config {
    fn default() -> Config {
        Config { options: Options::new(), log_level: LevelFilter::Off, log_file: None }
    }
}

impl Config {
    /// The defaults, changed by the first configuration file there is. If that one is wrong, the
    /// defaults alone and why.
    pub fn load(named: Option<&Path>) -> (Config, Option<ConfigError>) {
        let read = match find(named) {
            None => Ok(Config::default()),
            Some(file) => match fs::read_to_string(&file) {
                Ok(text) => Config::default().with(&text).map_err(|(span, problem)| {
                    let line = 1 + text[..span.start.min(text.len())].matches('\n').count();
                    ConfigError::Wrong { file, line, problem }
                }),
                Err(error) => Err(ConfigError::Unreadable { file, reason: error.to_string() }),
            },
        };
        match read {
            Ok(config) => (config, None),
            Err(error) => (Config::default(), Some(error)),
        }
    }

    /// This configuration with what a file changes; or what is wrong there, and where.
    fn with(mut self, text: &str) -> Result<Config, (Range<usize>, Problem)> {
        let table = DeTable::parse(text).map_err(|error| {
            (error.span().unwrap_or(0..0), Problem::Syntax(error.message().replace('\n', " ")))
        })?;
        for (section, contents) in table.into_inner() {
            let key = section.get_ref().as_ref();
            let read = match key {
                "options" => Config::read_option,
                "log" => Config::read_log,
                _ => return Err((section.span(), Problem::UnknownKey(key.to_string()))),
            };
            let DeValue::Table(entries) = contents.get_ref() else {
                return Err((contents.span(), wrong_type(key, "a table", contents.get_ref())));
            };
            for (name, value) in entries.iter() {
                read(&mut self, name.get_ref(), value.get_ref())
                    .map_err(|problem| (name.span(), problem))?;
            }
        }
        Ok(self)
    }

    fn read_option(&mut self, key: &str, value: &DeValue) -> Result<(), Problem> {
        let unknown = || Problem::UnknownKey(key.to_string());
        let option = UciOption::named(key).map_err(|_| unknown())?;
        let read = match (&option.kind, value) {
            (OptionKind::Spin(spin), DeValue::Integer(number)) => {
                spin.parse(option.name, number.as_str(), number.radix())
            }
            (&OptionKind::Check { field, .. }, &DeValue::Boolean(on)) => {
                Ok(Value::Check(field, on))
            }
            (OptionKind::String { .. }, DeValue::String(text)) => option.parse(Some(text)),
            (OptionKind::Spin(_), _) => return Err(wrong_type(key, "a whole number", value)),
            (OptionKind::Check { .. }, _) => return Err(wrong_type(key, "true or false", value)),
            (OptionKind::String { .. }, _) => return Err(wrong_type(key, "a string", value)),
            (OptionKind::Button, _) => return Err(unknown()),
            #[cfg(feature = "tune")]
            (OptionKind::Tunable(_), _) => return Err(unknown()),
        };
        let wrong = |error| Problem::Option { key: key.to_string(), error };
        read.map_err(wrong)?.put(&mut self.options);
        Ok(())
    }

    fn read_log(&mut self, key: &str, value: &DeValue) -> Result<(), Problem> {
        if !matches!(key, "level" | "file") {
            return Err(Problem::UnknownKey(key.to_string()));
        }
        let DeValue::String(text) = value else {
            return Err(wrong_type(key, "a string", value));
        };
        if key == "file" {
            self.log_file = (!text.is_empty()).then(|| PathBuf::from(text.as_ref()));
        } else {
            self.log_level = text.parse().map_err(|_| Problem::Level(text.to_string()))?;
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

/// The first configuration file there is. One that was named need not exist to be it.
fn find(named: Option<&Path>) -> Option<PathBuf> {
    if let Some(file) = named {
        return Some(file.to_path_buf());
    }
    if let Some(file) = env::var_os("ZEBU_CONFIG").filter(|file| !file.is_empty()) {
        return Some(PathBuf::from(file));
    }
    let beside =
        env::current_exe().ok().and_then(|program| Some(program.parent()?.join(FILE_NAME)));
    let own = configuration_folder().map(|folder| folder.join("zebu").join(FILE_NAME));
    [beside, own].into_iter().flatten().find(|file| file.is_file())
}

/// Where the user's programs keep their configuration.
fn configuration_folder() -> Option<PathBuf> {
    let folder = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    folder("XDG_CONFIG_HOME")
        .or_else(|| folder("APPDATA"))
        .or_else(|| Some(folder("HOME")?.join(".config")))
}
