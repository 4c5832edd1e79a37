//! What to tune and how, from a TOML file.

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use zebu::search::{TUNABLES, Tunable, TunableValues, Tunables};

use super::spsa::{Parameter, R_END, Spsa};
use crate::tuning::pair::Limit;
use crate::tuning::parameters::{ParametersError, Wrong, changed, index_of, put, read, table};

pub struct Config {
    pub games: u64,
    pub limit: Limit,
    pub seed: u64,
    pub hash: u32,
    pub win: i32,
    pub book: Option<PathBuf>,
    /// Iterations, pairs of games, between two saves.
    pub batch: u64,
    pub r_end: f64,
    /// Where the tuning starts, and the values of what is not tuned.
    pub base: TunableValues,
    pub tuned: Vec<Tuned>,
}

/// A number that is tuned.
pub struct Tuned {
    /// Its place in the table.
    pub index: usize,
    /// The step at the end.
    pub step: f64,
}

impl Config {
    pub fn load(path: &Path) -> Result<Config, ParametersError> {
        read(path, Config::parse)
    }

    fn parse(text: &str) -> Result<Config, Wrong> {
        let mut config = Config {
            games: 30_000,
            limit: Limit::Nodes(25_000),
            seed: 1,
            hash: 16,
            win: 2000,
            book: None,
            batch: 16,
            r_end: R_END,
            base: Tunables::DEFAULT.values(),
            tuned: Vec::new(),
        };
        let mut steps = Vec::new();
        let mut limit = None;
        for (key, value) in &table(text)? {
            let wrong =
                |wanted: &str| (value.span().start, format!("{} takes {wanted}", key.get_ref()));
            let number = |min: u64, max: u64| {
                let number = match value.get_ref() {
                    DeValue::Integer(n) => u64::from_str_radix(n.as_str(), n.radix()).ok(),
                    _ => None,
                };
                let number = number.filter(|number| (min..=max).contains(number));
                number.ok_or_else(|| wrong(&format!("a whole number from {min} to {max}")))
            };
            match key.get_ref().as_ref() {
                "games" => config.games = number(2, 1 << 32)?,
                name @ ("nodes" | "tc") if limit.is_some() => {
                    return Err((key.span().start, format!("{name} is a second limit")));
                }
                "nodes" => limit = Some(Limit::Nodes(number(1, 1 << 40)?)),
                "tc" => match value.get_ref() {
                    DeValue::String(text) => {
                        let control = text.parse().map_err(|_| wrong(CLOCK))?;
                        limit = Some(Limit::Clock(control));
                    }
                    _ => return Err(wrong(CLOCK)),
                },
                "seed" => config.seed = number(0, i64::MAX as u64)?,
                "hash" => config.hash = number(1, 1 << 20)? as u32,
                "win" => config.win = number(0, 1 << 20)? as i32,
                "batch" => config.batch = number(1, 1 << 16)?,
                "r_end" => config.r_end = positive(value).ok_or_else(|| wrong(POSITIVE))?,
                "book" => match value.get_ref() {
                    DeValue::String(path) => config.book = Some(PathBuf::from(path.as_ref())),
                    _ => return Err(wrong("a file")),
                },
                "tunables" => config.tuned = tuned(value)?,
                "start" => {
                    for (name, value) in entries(value).ok_or_else(|| wrong("a table"))?.iter() {
                        put(&mut config.base, name.get_ref(), value.get_ref())
                            .map_err(|error| (name.span().start, error.to_string()))?;
                    }
                }
                "steps" => {
                    for (name, value) in entries(value).ok_or_else(|| wrong("a table"))?.iter() {
                        let at = name.span().start;
                        let index = index_of(name.get_ref()).map_err(|e| (at, e.to_string()))?;
                        let step = positive(value);
                        let step = step.ok_or((at, format!("a step takes {POSITIVE}")))?;
                        steps.push((index, at, step));
                    }
                }
                other => return Err((key.span().start, format!("no key is called '{other}'"))),
            }
        }
        config.limit = limit.unwrap_or(config.limit);
        for (index, at, step) in steps {
            let tuned = config.tuned.iter_mut().find(|tuned| tuned.index == index);
            let problem = || (at, format!("{} is not tuned", TUNABLES[index].name));
            tuned.ok_or_else(problem)?.step = step;
        }
        if config.tuned.is_empty() {
            return Err((0, "the key tunables must name what to tune".to_string()));
        }
        Ok(config)
    }

    pub fn spsa(&self) -> Spsa {
        let parameters = self.tuned.iter().map(|&Tuned { index, step }| {
            let Tunable { name, min, max, .. } = TUNABLES[index];
            let [start, min, max] = [self.base[index], min, max].map(f64::from);
            Parameter { name, start, min, max, step }
        });
        Spsa {
            parameters: parameters.collect(),
            iterations: self.games.div_ceil(2),
            r_end: self.r_end,
            seed: self.seed,
        }
    }

    /// All that the games depend on, in one line.
    pub fn settings(&self) -> String {
        let book = self.book.as_ref().map(|path| path.display().to_string());
        let tuned = self
            .tuned
            .iter()
            .map(|tuned| format!("{} by {}", TUNABLES[tuned.index].name, tuned.step));
        let settings = format!(
            "{} games, {}, {}, seed {}, hash {}, win {}, batch {}, r_end {}; {}; {}",
            self.games,
            self.limit,
            book.unwrap_or("random openings".to_string()),
            self.seed,
            self.hash,
            self.win,
            self.batch,
            self.r_end,
            tuned.collect::<Vec<_>>().join(", "),
            changed(&self.base).join(", "),
        );
        settings.escape_debug().to_string()
    }

    /// The base with what was tuned.
    fn values(&self, tuned: &[f64]) -> TunableValues {
        let mut values = self.base;
        for (&Tuned { index, .. }, value) in self.tuned.iter().zip(tuned) {
            values[index] = value.round() as i32;
        }
        values
    }

    /// The result as a file for `forge match`.
    pub fn tuned_file(&self, tuned: &[f64]) -> String {
        changed(&self.values(tuned)).iter().map(|line| format!("{line}\n")).collect()
    }

    /// The result as lines of the table in src/search/tunables.rs.
    pub fn tuned_table(&self, tuned: &[f64]) -> String {
        let values = self.values(tuned);
        let lines = self.tuned.iter().map(|&Tuned { index, .. }| {
            let Tunable { name, min, max, step, meaning, .. } = TUNABLES[index];
            format!("    {name} = {}, {min}..={max}, {step}, \"{meaning}\";\n", values[index])
        });
        lines.collect()
    }
}

const CLOCK: &str = "a clock in seconds, like \"2+0.02\"";

const POSITIVE: &str = "a number above 0, up to a million";

/// Steps and rates beyond it would move everything out of its range.
const MOST: f64 = 1e6;

fn positive(value: &Spanned<DeValue>) -> Option<f64> {
    let number: f64 = match value.get_ref() {
        DeValue::Integer(number) => number.as_str().parse().ok()?,
        DeValue::Float(number) => number.as_str().parse().ok()?,
        _ => return None,
    };
    Some(number).filter(|&number| number > 0.0 && number <= MOST)
}

fn entries<'a, 'b>(value: &'a Spanned<DeValue<'b>>) -> Option<&'a DeTable<'b>> {
    match value.get_ref() {
        DeValue::Table(table) => Some(table),
        _ => None,
    }
}

/// The tunables that a list names, each once, with the steps of the table.
fn tuned(value: &Spanned<DeValue>) -> Result<Vec<Tuned>, Wrong> {
    let wrong =
        |at: &Spanned<DeValue>| (at.span().start, "tunables takes a list of names".to_string());
    let DeValue::Array(names) = value.get_ref() else { return Err(wrong(value)) };
    let mut all: Vec<Tuned> = Vec::new();
    for name in names.iter() {
        let DeValue::String(text) = name.get_ref() else { return Err(wrong(name)) };
        let index = index_of(text).map_err(|error| (name.span().start, error.to_string()))?;
        if all.iter().any(|other| other.index == index) {
            return Err((name.span().start, format!("{text} is named twice")));
        }
        all.push(Tuned { index, step: f64::from(TUNABLES[index].step) });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use crate::tuning::parameters::line_of;

    use super::*;
    use crate::fuzzer::fuzz;

    #[test]
    fn what_a_file_says() {
        let text = "games = 200\nr_end = 0.01\ntunables = [\"mvv\", \"rfp_margin\"]\n\
            [start]\nrfp_margin = 60\nrfp_depth = 8\n[steps]\nmvv = 2.5\n";
        let config = Config::parse(text).unwrap_or_else(|(_, problem)| panic!("{problem}"));
        let spsa = config.spsa();
        let default = f64::from(TUNABLES[index_of("mvv").unwrap()].default);
        assert_eq!((spsa.iterations, spsa.r_end, spsa.start()), (100, 0.01, vec![default, 60.0]));
        assert_eq!([spsa.parameters[0].step, spsa.parameters[1].step], [2.5, 8.0]);
        let tuned = [33.4, 71.6];
        assert_eq!(config.tuned_file(&tuned), "rfp_depth = 8\nrfp_margin = 72\nmvv = 33\n");
        let table = config.tuned_table(&tuned);
        let line = "    rfp_margin = 72, 0..=150, 8, \"above beta, by depth\";\n";
        assert!(table.ends_with(line), "{table}");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, line, problem) in [
            ("games = 100", 1, "the key tunables must name what to tune"),
            ("\ngame = 100", 2, "no key is called 'game'"),
            ("games = 1", 1, "games takes a whole number from 2 to"),
            ("r_end = 0", 1, "r_end takes a number above 0"),
            ("tunables = \"mvv\"", 1, "tunables takes a list of names"),
            ("tunables = [\n\"mvv\",\n\"mvx\"]", 3, "no tunable is called 'mvx'"),
            ("tunables = [\"mvv\",\n\"mvv\"]", 2, "mvv is named twice"),
            ("[start]\nmvv = 65", 2, "mvv takes a whole number from 8 to 64"),
            ("tunables = [\"mvv\"]\n[steps]\nrfp_margin = 1", 3, "rfp_margin is not tuned"),
            ("tunables = [\"mvv\"]\n[steps]\nmvv = 0", 3, "a step takes a number above 0"),
            ("tc = 2", 1, "tc takes a clock in seconds, like \"2+0.02\""),
            ("tc = \"2+\"", 1, "tc takes a clock in seconds"),
            ("nodes = 100\ntc = \"2+0.02\"", 2, "tc is a second limit"),
            ("games = ", 1, ""),
            ("r_end = 1e300", 1, "r_end takes a number above 0, up to a million"),
        ] {
            let Err((start, found)) = Config::parse(text) else { panic!("{text}") };
            assert_eq!(line_of(text, start), line, "{text}");
            assert!(found.starts_with(problem), "{text}: {found}");
        }
    }

    /// What is tuned stays in its range, whatever the file says.
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
            assert!(!config.settings().contains('\n'));
            format!("{} tuned", "one more ".repeat(values.len().min(4)))
        });
    }
}
