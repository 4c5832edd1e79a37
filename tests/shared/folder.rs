//! Temporary folders for tests.

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// Removed with its contents when it is dropped.
pub struct Folder(PathBuf);

impl Folder {
    /// `name` must be unique among the tests.
    pub fn new(name: &str) -> Folder {
        let own = format!("{}-{}-{name}", env!("CARGO_CRATE_NAME"), std::process::id());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(own);
        fs::create_dir_all(&folder).expect("a folder for temporary files");
        Folder(folder)
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}
