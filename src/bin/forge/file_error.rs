//! What the system says against reading or writing a file.

use std::io;
use std::path::{Path, PathBuf};

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
