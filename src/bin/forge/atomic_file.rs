//! Files that are replaced as a whole or not at all.

use std::path::Path;

use zebu::files;

use crate::file_error::FileError;

pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    files::replace(path, bytes).map_err(FileError::on(path))
}
