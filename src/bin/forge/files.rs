//! Files, and what the system says against reading or writing them.

use std::io;
use std::path::{Path, PathBuf};

use zebu::files;

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
