//! The data that lies beside the checkout, or where `ZEBU_DATA` says.

use std::env;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};

/// A file or folder of it. Where there is none, the test is skipped, and says so also where it passes.
pub fn data(name: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let path = env::var_os("ZEBU_DATA").map_or(beside, PathBuf::from).join(name);
    if !path.exists() {
        writeln!(stderr(), "skipped: there is no {}", path.display()).ok();
        return None;
    }
    Some(path)
}
