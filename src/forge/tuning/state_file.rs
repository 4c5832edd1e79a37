//! State files of matches and of tuning, in TOML: where the results belong, and the results so far.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use engine::bench::{self, BenchError, Report};
use engine::eval::Evaluator;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::common::{FileError, replace};

/// What the results belong to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The nodes of a short benchmark, which identify network and search.
    build: u64,
    /// Everything that the games depend on.
    settings: String,
}

impl Origin {
    /// The origin of results by this build.
    pub fn new(settings: String) -> Result<Origin, BenchError> {
        let short = bench::Settings { depth: 5, threads: 1, hash: 1 };
        let mut build = 0;
        let count = |report| {
            if let Report::Bench { nodes, .. } = report {
                build = nodes;
            }
        };
        bench::run(short, Evaluator::default(), count, &AtomicBool::new(false))?;
        Ok(Origin { build, settings })
    }
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
    #[error("the state cannot be written: {0}")]
    Unwritable(#[from] toml::ser::Error),
}

#[derive(Serialize, Deserialize)]
struct State<O, T> {
    origin: O,
    results: T,
}

/// Loads the results of a file, if it exists. Results that are not `are_sound` are refused as damaged.
pub fn load<T: DeserializeOwned>(
    path: &Path,
    origin: &Origin,
    are_sound: impl Fn(&T) -> bool,
) -> Result<Option<T>, StateError> {
    if !path.exists() {
        return Ok(None);
    }
    let bytes = fs::read(path).map_err(FileError::on(path))?;
    let path = path.to_owned();
    let state = String::from_utf8(bytes).ok().and_then(|text| toml::from_str(&text).ok());
    let state = state.filter(|state: &State<Origin, T>| are_sound(&state.results));
    let Some(State { origin: Origin { build, settings }, results }) = state else {
        return Err(StateError::Damaged(path));
    };
    match () {
        () if build != origin.build => Err(StateError::Build(path)),
        () if settings != origin.settings => {
            let settings = settings.escape_debug().to_string();
            Err(StateError::Settings { path, settings })
        }
        () => Ok(Some(results)),
    }
}

/// Replaces the results in a file.
pub fn save(path: &Path, origin: &Origin, results: &impl Serialize) -> Result<(), StateError> {
    let text = toml::to_string(&State { origin, results })?;
    Ok(replace(path, text.as_bytes())?)
}
