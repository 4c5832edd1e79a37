//! State files of matches and of tuning: a line for each key, then `end`. They begin with the build
//! and with the settings that the results belong to.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::{FromStr, Lines};
use std::sync::atomic::AtomicBool;

use zebu::bench::{self, BenchError, Settings};
use zebu::eval::Evaluator;

use crate::files::{FileError, replace};

/// What the results in a state belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub build: u64,
    /// All that the games depend on.
    pub settings: String,
}

/// The nodes of a short benchmark: another network or another search has other ones.
pub fn fingerprint() -> Result<u64, BenchError> {
    let short = Settings { depth: 5, threads: 1, hash: 1 };
    bench::run(short, Evaluator::default(), |_| {}, &AtomicBool::new(false))
}

#[derive(Debug, thiserror::Error)]
pub enum StateError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{} is no such state, or it is damaged", .0.display())]
    Damaged(PathBuf),
    #[error("{} is the state of another build", .0.display())]
    Build(PathBuf),
    #[error("{} is the state of other settings: {settings}", .path.display())]
    Settings { path: PathBuf, settings: String },
}

/// The rest of a state, line by line.
pub struct StateLines<'a>(Lines<'a>);

impl<'a> StateLines<'a> {
    /// The text after a key, if it is that of the next line.
    pub fn text(&mut self, key: &str) -> Option<&'a str> {
        self.0.next()?.strip_prefix(key)?.strip_prefix(' ')
    }

    /// The numbers after a key, if it is that of the next line.
    pub fn numbers<T: FromStr>(&mut self, key: &str) -> Option<Vec<T>> {
        self.text(key)?.split(' ').map(|word| word.parse().ok()).collect()
    }

    pub fn number<T: FromStr>(&mut self, key: &str) -> Option<T> {
        self.text(key)?.parse().ok()
    }
}

/// What `parse` makes of the state in a file, if there is a file.
pub fn load<T>(
    path: &Path,
    origin: &Origin,
    parse: impl FnOnce(&mut StateLines) -> Option<T>,
) -> Result<Option<T>, StateError> {
    if !path.exists() {
        return Ok(None);
    }
    let bytes = fs::read(path).map_err(FileError::on(path))?;
    let damaged = || StateError::Damaged(path.to_owned());
    let text = String::from_utf8(bytes).map_err(|_| damaged())?;
    let (saved, state) = read(&text, parse).ok_or_else(damaged)?;
    if saved.build != origin.build {
        return Err(StateError::Build(path.to_owned()));
    }
    if saved.settings != origin.settings {
        return Err(StateError::Settings { path: path.to_owned(), settings: saved.settings });
    }
    Ok(Some(state))
}

/// Replaces the state in a file by these lines.
pub fn save(path: &Path, origin: &Origin, lines: &str) -> Result<(), FileError> {
    replace(path, written(origin, lines).as_bytes())
}

fn written(origin: &Origin, lines: &str) -> String {
    format!("build {}\nsettings {}\n{lines}end\n", origin.build, origin.settings)
}

/// The origin and the rest of a state.
pub fn read<T>(
    text: &str,
    parse: impl FnOnce(&mut StateLines) -> Option<T>,
) -> Option<(Origin, T)> {
    let mut lines = StateLines(text.strip_suffix("\nend\n")?.lines());
    let build = lines.number("build")?;
    let settings = lines.text("settings")?.to_string();
    let state = parse(&mut lines)?;
    lines.0.next().is_none().then_some((Origin { build, settings }, state))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_state_is_none() {
        let origin = Origin { build: 7, settings: "a and b".to_string() };
        let parse = |lines: &mut StateLines| lines.numbers::<i32>("counts");
        let text = written(&origin, "counts 3 -4\n");
        assert_eq!(read(&text, parse), Some((origin, vec![3, -4])));
        for end in 0..text.len() {
            assert_eq!(read(&text[..end], parse), None, "{end}");
        }
        for (from, to) in [("counts", "count"), ("-4", "x"), ("-4", "-4\nmore 1"), ("7", "")] {
            assert_eq!(read(&text.replace(from, to), parse), None, "{to}");
        }
    }
}
