//! Data too large for the repository: endgame tables, books, puzzles. `tests/README.md` lists the files.

#[path = "skip.rs"]
pub mod skip;

use std::env;
use std::path::{Path, PathBuf};

use skip::skip;

/// A file or folder in `ZEBU_DATA`, or by default in `../shared/data` beside the checkout. Without it the
/// test is skipped.
pub fn data(name: &str) -> Option<PathBuf> {
    let beside = || {
        let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
        let checkout = folders.find(|folder| folder.join("Cargo.lock").exists());
        checkout.expect("a checkout").join("../shared/data")
    };
    let path = env::var_os("ZEBU_DATA").map_or_else(beside, PathBuf::from).join(name);
    if !path.exists() {
        skip("data", format!("there is no {} (see ZEBU_DATA in tests/README.md)", path.display()));
        return None;
    }
    Some(path)
}
