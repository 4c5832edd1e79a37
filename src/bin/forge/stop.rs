//! Ending a long task by Ctrl-C or SIGTERM.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static STOP: AtomicBool = AtomicBool::new(false);

#[derive(Debug, thiserror::Error)]
#[error("stopped; the same command goes on from here")]
pub struct Stopped;

/// A flag that is set when the task shall end.
pub fn stop_flag() -> Result<&'static AtomicBool, ctrlc::Error> {
    ctrlc::set_handler(|| STOP.store(true, Relaxed))?;
    Ok(&STOP)
}
