//! Shared by the commands: arguments, networks, files, threads, and interruption.

use std::collections::BTreeMap;
use std::error::Error;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, available_parallelism, scope};

use engine::eval::file::NetFile;
use engine::eval::{EMBEDDED_FILE, Network, NetworkError};
use engine::search::STACK_BYTES;
use engine::system::files;

static STOP: AtomicBool = AtomicBool::new(false);

#[derive(Debug, thiserror::Error)]
#[error("stopped; the same command goes on from here")]
pub struct Stopped;

#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", .path.display())]
pub struct NetError {
    path: PathBuf,
    error: NetworkError,
}

/// A system error about a file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", .path.display())]
pub struct FileError {
    path: PathBuf,
    error: io::Error,
}

impl FileError {
    /// For `map_err`.
    pub fn on(path: &Path) -> impl Fn(io::Error) -> FileError + '_ {
        |error| FileError { path: path.to_owned(), error }
    }
}

/// Replaces a file as a whole or not at all.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    files::replace(path, bytes).map_err(FileError::on(path))
}

/// A flag that Ctrl-C and SIGTERM set to end a long task.
pub fn stop_flag() -> Result<&'static AtomicBool, ctrlc::Error> {
    ctrlc::set_handler(|| STOP.store(true, Relaxed))?;
    Ok(&STOP)
}

/// Loads a network file, or the embedded network if there is no path.
pub fn network(net: Option<&Path>) -> Result<Arc<Network>, NetError> {
    let Some(path) = net else { return Ok(Network::embedded()) };
    Network::load(net).map_err(|error| NetError { path: path.to_owned(), error })
}

/// Like [`network`], as a file, whose shape may differ from the embedded one.
pub fn net_file(net: Option<&Path>) -> Result<NetFile, NetError> {
    let read = |path| Ok(NetFile::parse(&Network::read(path)?)?);
    let wrong = |path: &Path, error| NetError { path: path.to_owned(), error };
    match net {
        None => NetFile::parse(EMBEDDED_FILE).map_err(|error| wrong(Path::new("-"), error.into())),
        Some(path) => read(path).map_err(|error| wrong(path, error)),
    }
}

/// The number of threads: `wanted`, or one per core.
pub fn threads(wanted: Option<u32>) -> usize {
    wanted.map_or(available_parallelism().map_or(1, NonZero::get), |threads| threads as usize)
}

/// Hands out tasks to workers on threads of their own. A thread ends when no task is left or `work` returns
/// nothing. `receive` gets the results until all threads have ended.
pub fn on_threads<W: Send, T, R: Send>(
    workers: Vec<W>,
    tasks: impl Iterator<Item = T> + Send,
    work: impl Fn(&mut W, T) -> Option<R> + Sync,
    receive: impl FnOnce(Receiver<R>) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let (tasks, work) = (&Mutex::new(tasks), &work);
    scope(|scope| {
        let (sender, results) = channel();
        for mut worker in workers {
            let sender = sender.clone();
            let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
            Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, move || {
                while let Some(result) = next().and_then(|task| work(&mut worker, task)) {
                    if sender.send(result).is_err() {
                        break;
                    }
                }
            })?;
        }
        drop(sender);
        receive(results)
    })
}

/// Sorts numbered results, starting from this number, so that their order does not depend on the threads.
pub fn in_order<T>(
    mut next: u64,
    results: impl IntoIterator<Item = (u64, T)>,
) -> impl Iterator<Item = T> {
    let mut early = BTreeMap::new();
    results.into_iter().flat_map(move |(number, result)| {
        early.insert(number, result);
        let mut ready = Vec::new();
        while let Some(result) = early.remove(&next) {
            ready.push(result);
            next += 1;
        }
        ready
    })
}

/// Parses a number from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    number(text, |number| (0.0..=1.0).contains(&number), "a number from 0 to 1 is needed")
}

pub fn positive(text: &str) -> Result<f64, String> {
    number(text, |number| number > 0.0, "a number above 0 is needed")
}

pub fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |number| number >= 0.0, "a number that is not below 0 is needed")
}

fn number(text: &str, fits: impl Fn(f64) -> bool, complaint: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number: &f64| number.is_finite() && fits(number));
    number.ok_or_else(|| complaint.to_string())
}
