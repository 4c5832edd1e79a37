//! How a long piece of work is asked to end: by Ctrl-C or a signal to terminate.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static STOP: AtomicBool = AtomicBool::new(false);

/// The work was asked to end before it was done.
#[derive(Debug, thiserror::Error)]
#[error("stopped; the same command goes on from here")]
pub struct Stopped;

/// The flag that is set when the work shall end.
pub fn stop_flag() -> Result<&'static AtomicBool, ctrlc::Error> {
    ctrlc::set_handler(|| STOP.store(true, Relaxed))?;
    Ok(&STOP)
}
