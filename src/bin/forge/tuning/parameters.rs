//! Sets of tunables: TOML files of `name = value`. What a file leaves out has its default.

use std::fs;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};
use zebu::search::{TUNABLES, Tunable, TunableValues, Tunables};

use crate::files::FileError;

/// In place of a file: the defaults.
const DEFAULTS: &str = "-";

#[derive(Debug, thiserror::Error)]
pub enum ParametersError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{}:{line}: {problem}", .path.display())]
    Wrong { path: PathBuf, line: usize, problem: String },
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TunableError {
    #[error("no tunable is called '{0}'")]
    Unknown(String),
    #[error("{name} takes a whole number from {min} to {max}")]
    NotInRange { name: &'static str, min: i32, max: i32 },
}

pub fn load(path: &Path) -> Result<Tunables, ParametersError> {
    if path.as_os_str() == DEFAULTS {
        return Ok(Tunables::DEFAULT);
    }
    read(path, parse).map(Tunables::new)
}

/// What is wrong, and at which byte.
pub type Wrong = (usize, String);

/// What `parse` makes of a file.
pub fn read<T>(
    path: &Path,
    parse: impl FnOnce(&str) -> Result<T, Wrong>,
) -> Result<T, ParametersError> {
    let text = fs::read_to_string(path).map_err(FileError::on(path))?;
    parse(&text).map_err(|(start, problem)| {
        let line = line_of(&text, start);
        ParametersError::Wrong { path: path.to_owned(), line, problem }
    })
}

/// The table that a file is.
pub fn table(text: &str) -> Result<DeTable<'_>, Wrong> {
    let wrong = |error: Error| {
        (error.span().map_or(0, |span| span.start), error.message().replace('\n', " "))
    };
    DeTable::parse(text).map(Spanned::into_inner).map_err(wrong)
}

fn parse(text: &str) -> Result<TunableValues, Wrong> {
    let mut values = Tunables::DEFAULT.values();
    for (name, value) in table(text)? {
        put(&mut values, name.get_ref(), value.get_ref())
            .map_err(|error| (name.span().start, error.to_string()))?;
    }
    Ok(values)
}

/// Sets a value by its name.
pub fn put(values: &mut TunableValues, name: &str, value: &DeValue) -> Result<(), TunableError> {
    let index = index_of(name)?;
    let Tunable { name, min, max, .. } = TUNABLES[index];
    let number = match value {
        DeValue::Integer(number) => i32::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    };
    let number = number.filter(|number| (min..=max).contains(number));
    values[index] = number.ok_or(TunableError::NotInRange { name, min, max })?;
    Ok(())
}

/// The place of a name in the table.
pub fn index_of(name: &str) -> Result<usize, TunableError> {
    let shortened: String = name.chars().take(40).flat_map(char::escape_debug).collect();
    Tunable::index_of(name).ok_or(TunableError::Unknown(shortened))
}

/// The line of a byte, from 1.
pub fn line_of(text: &str, start: usize) -> usize {
    1 + text.bytes().take(start).filter(|&byte| byte == b'\n').count()
}

/// The values that are not the defaults, as they stand in a file.
pub fn changed(values: &TunableValues) -> Vec<String> {
    let all = TUNABLES.iter().zip(values);
    let others = all.filter(|(tunable, value)| tunable.default != **value);
    others.map(|(tunable, value)| format!("{} = {value}", tunable.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_by_name() {
        let values = parse("# two\nrfp_margin = 90\nlmr_noisy_base = -0\n").unwrap();
        assert_eq!(changed(&values), ["rfp_margin = 90", "lmr_noisy_base = 0"]);
        assert_eq!(parse(""), Ok(Tunables::DEFAULT.values()));
        assert_eq!(parse(&changed(&values).join("\n")), Ok(values));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, line, problem) in [
            ("\nrfp = 3", 2, "no tunable is called 'rfp'"),
            ("rfp_margin = 151", 1, "rfp_margin takes a whole number from 0 to 150"),
            ("rfp_margin = 80.5", 1, "rfp_margin takes"),
            ("rfp_margin = 99999999999", 1, "rfp_margin takes"),
            ("mvv = 32\nrfp_margin = \"80\"", 2, "rfp_margin takes"),
            ("mvv = 32\nmvv = 33", 2, ""),
            ("mvv = 32\n[mvv", 2, ""),
        ] {
            let (start, found) = parse(text).unwrap_err();
            assert_eq!(line_of(text, start), line, "{text}");
            assert!(found.starts_with(problem), "{text}: {found}");
        }
    }

    #[test]
    fn fuzzed() {
        let corpus =
            ["# two\nrfp_margin = 90\nlmr_noisy_base = -0\n", "mvv = 0x20\n[mvv]\na = [1]"];
        crate::fuzzer::fuzz("tunables", corpus.map(Into::into).to_vec(), |bytes| {
            match parse(&String::from_utf8_lossy(bytes)) {
                Ok(values) => {
                    assert_eq!(parse(&changed(&values).join("\n")), Ok(values));
                    "value ".repeat(changed(&values).len())
                }
                Err((_, problem)) => {
                    assert!(!problem.contains('\n'), "{problem}");
                    problem
                }
            }
        });
    }
}
