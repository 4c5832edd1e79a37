//! Files that are replaced as a whole or not at all.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::file_error::FileError;

/// Replaces a file once all bytes are on the disk under another name.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
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
        fs::remove_file(&new).ok();
        FileError::on(path)(error)
    })
}
