//! Files that are replaced as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file could not be written. What was there before still is.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", .path.display())]
pub struct WriteError {
    path: PathBuf,
    error: io::Error,
}

/// Puts these bytes in place of a file, once they are all on the disk under another name.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().map_err(|error| {
        // The half-written file is of no use to anybody, and the error that matters is known.
        fs::remove_file(&new).ok();
        WriteError { path: path.to_owned(), error }
    })
}
