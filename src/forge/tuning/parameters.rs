//! TOML files: sets of tunables, and configurations of tuning. Missing keys have their defaults.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use engine::search::{TUNABLES, Tunable, TunableValues, Tunables};
use engine::system::text::shortened;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;

use super::pair::{Limit, TimeControl};
use super::spsa::{Parameter, R_END, Spsa};
use crate::common::FileError;

/// Means the defaults instead of a file.
const DEFAULTS: &str = "-";

#[derive(Debug, thiserror::Error)]
pub enum ParametersError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{}:{line}: {problem}", .path.display())]
    Wrong { path: PathBuf, line: usize, problem: String },
}

/// An error, with its byte offset.
type Wrong = (usize, String);

/// An index into the table of tunables, by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Name(pub usize);

impl TryFrom<String> for Name {
    type Error = String;

    fn try_from(name: String) -> Result<Name, String> {
        let index = Tunable::index_of(&name);
        index.map(Name).ok_or_else(|| format!("no tunable is called '{}'", shortened(&name)))
    }
}

impl Name {
    fn tunable(self) -> &'static Tunable {
        &TUNABLES[self.0]
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.tunable().name)
    }
}

/// Steps and rates beyond a million would move everything out of its range.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "f64")]
struct Positive(f64);

impl TryFrom<f64> for Positive {
    type Error = &'static str;

    fn try_from(number: f64) -> Result<Positive, &'static str> {
        let fits = number > 0.0 && number <= 1e6;
        fits.then_some(Positive(number)).ok_or("a number above 0, up to a million, is needed")
    }
}

/// Values by name.
type Values = BTreeMap<Name, Spanned<i64>>;

fn values(all: &Values) -> Result<TunableValues, Wrong> {
    let mut values = Tunables::DEFAULT.values();
    for (&name, number) in all {
        let Tunable { name: text, min, max, .. } = name.tunable();
        let fitting = i32::try_from(*number.get_ref()).ok();
        let fitting = fitting.filter(|number| (min..=max).contains(&number));
        let wrong = || format!("{text} takes a whole number from {min} to {max}");
        values[name.0] = fitting.ok_or_else(|| (number.span().start, wrong()))?;
    }
    Ok(values)
}

/// The tunables of a file that is built in.
pub fn embedded(text: &str) -> Result<Tunables, ParametersError> {
    located(Path::new("-"), text, |text| values(&parse(text)?)).map(Tunables::new)
}

pub fn load(path: &Path) -> Result<Tunables, ParametersError> {
    if path.as_os_str() == DEFAULTS {
        return Ok(Tunables::DEFAULT);
    }
    read(path, |text| values(&parse(text)?)).map(Tunables::new)
}

/// The values that differ from the defaults, as lines of a file.
pub fn changed(values: &TunableValues) -> Vec<String> {
    let all = TUNABLES.iter().zip(values);
    let others = all.filter(|(tunable, value)| tunable.default != **value);
    others.map(|(tunable, value)| format!("{} = {value}", tunable.name)).collect()
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Wrong> {
    toml::from_str(text).map_err(|error| {
        (error.span().map_or(0, |span| span.start), error.message().replace('\n', " "))
    })
}

fn read<T>(
    path: &Path,
    parse: impl FnOnce(&str) -> Result<T, Wrong>,
) -> Result<T, ParametersError> {
    let text = fs::read_to_string(path).map_err(FileError::on(path))?;
    located(path, &text, parse)
}

/// An error gets the line of its byte.
fn located<T>(
    path: &Path,
    text: &str,
    parse: impl FnOnce(&str) -> Result<T, Wrong>,
) -> Result<T, ParametersError> {
    parse(text).map_err(|(start, problem)| {
        let line = line_of(text, start);
        ParametersError::Wrong { path: path.to_owned(), line, problem }
    })
}

/// The line of a byte offset, from 1.
fn line_of(text: &str, start: usize) -> usize {
    1 + text.bytes().take(start).filter(|&byte| byte == b'\n').count()
}

/// The file of a tuning run.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    games: Option<NonZero<u32>>,
    nodes: Option<NonZero<u32>>,
    tc: Option<Spanned<TimeControl>>,
    seed: Option<u64>,
    hash: Option<NonZero<u16>>,
    win: Option<u16>,
    book: Option<PathBuf>,
    batch: Option<NonZero<u16>>,
    r_end: Option<Positive>,
    tunables: Vec<Spanned<String>>,
    start: Values,
    steps: BTreeMap<Name, Spanned<Positive>>,
}

pub struct Config {
    games: u64,
    pub limit: Limit,
    pub seed: u64,
    pub hash: usize,
    pub win: i32,
    pub book: Option<PathBuf>,
    /// Iterations, each a pair of games, between two saves.
    pub batch: u64,
    r_end: f64,
    /// The starting values, also of everything that is not tuned.
    pub base: TunableValues,
    /// The tuned parameters, each with its final step.
    pub tuned: Vec<(Name, f64)>,
}

impl Config {
    pub fn load(path: &Path) -> Result<Config, ParametersError> {
        read(path, Config::parse)
    }

    fn parse(text: &str) -> Result<Config, Wrong> {
        let settings: Settings = parse(text)?;
        let limit = match (settings.nodes, settings.tc) {
            (Some(_), Some(tc)) => {
                return Err((tc.span().start, "nodes and tc are two limits".to_string()));
            }
            (None, Some(tc)) => Limit::Clock(tc.into_inner()),
            (nodes, None) => Limit::Nodes(nodes.map_or(25_000, |nodes| nodes.get().into())),
        };
        let mut tuned: Vec<(Name, f64)> = Vec::new();
        for name in settings.tunables {
            let start = name.span().start;
            let name = Name::try_from(name.into_inner()).map_err(|problem| (start, problem))?;
            if tuned.iter().any(|&(other, _)| other == name) {
                return Err((start, format!("{name:?} is named twice")));
            }
            tuned.push((name, name.tunable().step.into()));
        }
        for (name, step) in settings.steps {
            let step_of = tuned.iter_mut().find(|(other, _)| *other == name);
            let problem = || (step.span().start, format!("{name:?} is not tuned"));
            step_of.ok_or_else(problem)?.1 = step.get_ref().0;
        }
        if tuned.is_empty() {
            return Err((0, "the key tunables must name what to tune".to_string()));
        }
        Ok(Config {
            games: settings.games.map_or(30_000, |games| games.get().into()),
            limit,
            seed: settings.seed.unwrap_or(1),
            hash: settings.hash.map_or(16, |hash| hash.get().into()),
            win: settings.win.unwrap_or(2000).into(),
            book: settings.book,
            batch: settings.batch.map_or(16, |batch| batch.get().into()),
            r_end: settings.r_end.map_or(R_END, |r_end| r_end.0),
            base: values(&settings.start)?,
            tuned,
        })
    }

    pub fn spsa(&self) -> Spsa {
        let parameters = self.tuned.iter().map(|&(name, step)| {
            let &Tunable { name: text, min, max, .. } = name.tunable();
            let [start, min, max] = [self.base[name.0], min, max].map(f64::from);
            Parameter { name: text, start, min, max, step }
        });
        Spsa {
            parameters: parameters.collect(),
            iterations: self.games.div_ceil(2),
            r_end: self.r_end,
            seed: self.seed,
        }
    }

    /// Everything that the games depend on, in one line.
    pub fn origin(&self) -> String {
        let Config { games, limit, seed, hash, win, batch, r_end, .. } = self;
        let book = self.book.as_ref().map(|path| path.display().to_string());
        let book = book.unwrap_or("random openings".to_string());
        let tuned: Vec<String> =
            self.tuned.iter().map(|(name, step)| format!("{name:?} by {step}")).collect();
        let (tuned, base) = (tuned.join(", "), changed(&self.base).join(", "));
        format!(
            "{games} games, {limit}, {book}, seed {seed}, hash {hash}, win {win}, batch {batch}, \
             r_end {r_end}; {tuned}; {base}"
        )
    }

    /// The base with these values for the tuned parameters.
    pub fn values(&self, tuned: impl IntoIterator<Item = i32>) -> TunableValues {
        let mut values = self.base;
        for (&(name, _), value) in self.tuned.iter().zip(tuned) {
            values[name.0] = value;
        }
        values
    }

    /// The result as a file for `forge match`, and as lines for src/search/tunables.rs.
    pub fn result(&self, tuned: &[f64]) -> (String, String) {
        let values = self.values(tuned.iter().map(|value| value.round() as i32));
        let file = changed(&values).iter().map(|line| format!("{line}\n")).collect();
        let table = self.tuned.iter().map(|&(name, _)| {
            let (value, tunable) = (values[name.0], name.tunable());
            let Tunable { name, min, max, step, meaning, .. } = tunable;
            format!("    {name} = {value}, {min}..={max}, {step}, \"{meaning}\";\n")
        });
        (file, table.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzzer::fuzz;

    #[test]
    fn what_a_file_says() {
        let text = "games = 200\nr_end = 0.01\ntunables = [\"mvv\", \"rfp_margin\"]\n\
            [start]\nrfp_margin = 60\nrfp_depth = 8\n[steps]\nmvv = 2.5\n";
        let config = Config::parse(text).unwrap_or_else(|(_, problem)| panic!("{problem}"));
        let spsa = config.spsa();
        let default = f64::from(Name::try_from("mvv".to_string()).unwrap().tunable().default);
        assert_eq!((spsa.iterations, spsa.r_end, spsa.start()), (100, 0.01, vec![default, 60.0]));
        assert_eq!([spsa.parameters[0].step, spsa.parameters[1].step], [2.5, 8.0]);
        let (file, table) = config.result(&[33.4, 71.6]);
        assert_eq!(file, "rfp_depth = 8\nrfp_margin = 72\nmvv = 33\n");
        let line = "    rfp_margin = 72, 0..=150, 8, \"above beta, by depth\";\n";
        assert!(table.ends_with(line), "{table}");
        let again = parse(&file).and_then(|all| values(&all));
        assert_eq!(changed(&again.unwrap()).join("\n") + "\n", file);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let tunables = |text: &str| parse(text).and_then(|all| values(&all)).map(drop);
        let config = |text: &str| Config::parse(text).map(drop);
        let problem = |text: &str, found: Result<(), Wrong>| {
            let (start, problem) = found.expect_err(text);
            format!("{}: {problem}", line_of(text, start))
        };
        for (text, wanted) in [
            ("\nrfp = 3", "2: no tunable is called 'rfp'"),
            ("rfp_margin = 151", "1: rfp_margin takes a whole number from 0 to 150"),
            ("rfp_margin = 80.5", "1: invalid type: floating point `80.5`, expected i64"),
            ("rfp_margin = 99999999999", "1: rfp_margin takes"),
            ("mvv = 32\nrfp_margin = \"80\"", "2: invalid type: string \"80\", expected i64"),
            ("mvv = 32\nmvv = 33", "2: "),
            ("mvv = 32\n[mvv", "2: "),
        ] {
            let found = problem(text, tunables(text));
            assert!(found.starts_with(wanted), "{text}: {found}");
        }
        for (text, wanted) in [
            ("games = 100", "1: the key tunables must name what to tune"),
            ("\ngame = 100", "2: unknown field `game`, expected one of `games`, `nodes`"),
            ("games = 0", "1: invalid value: integer `0`, expected a nonzero u32"),
            ("r_end = 0", "1: a number above 0, up to a million, is needed"),
            ("r_end = 1e300", "1: a number above 0"),
            ("tunables = \"mvv\"", "1: invalid type: string \"mvv\", expected a sequence"),
            ("tunables = [\n\"mvv\",\n\"mvx\"]", "3: no tunable is called 'mvx'"),
            ("tunables = [\"mvv\",\n\"mvv\"]", "2: mvv is named twice"),
            ("tunables = [\"mvv\"]\n[start]\nmvv = 65", "3: mvv takes a whole number from 8 to 64"),
            ("tunables = [\"mvv\"]\n[steps]\nrfp_margin = 1", "3: rfp_margin is not tuned"),
            ("tunables = [\"mvv\"]\n[steps]\nmvv = 0", "3: a number above 0"),
            ("tc = \"2+\"", "1: seconds and an increment are needed, like 2+0.02"),
            ("nodes = 100\ntc = \"2+0.02\"", "2: nodes and tc are two limits"),
        ] {
            let found = problem(text, config(text));
            assert!(found.starts_with(wanted), "{text}: {found}");
        }
    }

    /// Tuned values stay in their ranges, whatever the file says.
    #[test]
    fn fuzzed() {
        let corpus = [
            "games = 200\nnodes = 1\nr_end = 0.01\nseed = 0x7f\nbook = \"a.epd\"\ntunables = [\"mvv\", \"rfp_margin\"]\n\
             [start]\nrfp_margin = 60\n[steps]\nmvv = 2.5e5\n",
            "batch = 3\ntc = \"1+0.1\"\nhash = 1\nwin = 0\ntunables = [ \"mvv\" ]\nsteps = { mvv = inf }\n",
        ];
        fuzz("tune_config", corpus.map(Into::into).to_vec(), |bytes| {
            let text = String::from_utf8_lossy(bytes);
            let config = match Config::parse(&text) {
                Ok(config) => config,
                Err((start, problem)) => {
                    assert!(line_of(&text, start) <= 1 + text.matches('\n').count());
                    assert!(!problem.contains('\n'), "{problem}");
                    return problem;
                }
            };
            let (spsa, mut values) = (config.spsa(), config.spsa().start());
            let ranges = || spsa.parameters.iter().map(|p| p.min..=p.max);
            for (iteration, result) in [(0, 2), (1, 0), (spsa.iterations - 1, -2)] {
                let sets = spsa.perturbation(&values, iteration);
                spsa.update(&mut values, iteration, result);
                assert!(ranges().zip(&values).all(|(range, value)| range.contains(value)));
                for set in [sets.plus, sets.minus] {
                    assert!(ranges().zip(set).all(|(range, value)| range.contains(&value.into())));
                }
            }
            format!("{} tuned", "one more ".repeat(values.len().min(4)))
        });
    }
}
