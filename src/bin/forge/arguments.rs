//! What the commands share: numbers and networks on the command line, and the end by Ctrl-C.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::available_parallelism;

use zebu::eval::{Network, NetworkError};

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

/// A flag that Ctrl-C and SIGTERM set when a long task shall end.
pub fn stop_flag() -> Result<&'static AtomicBool, ctrlc::Error> {
    ctrlc::set_handler(|| STOP.store(true, Relaxed))?;
    Ok(&STOP)
}

/// The network of a file, or without a path the embedded one.
pub fn network(net: Option<&Path>) -> Result<Arc<Network>, NetError> {
    let Some(path) = net else { return Ok(Network::embedded()) };
    Network::load(net).map_err(|error| NetError { path: path.to_owned(), error })
}

/// One thread for each core, unless there shall be another number of them.
pub fn threads(wanted: Option<u32>) -> usize {
    wanted.map_or(available_parallelism().map_or(1, NonZero::get), |threads| threads as usize)
}

/// A number from 0 to 1.
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
