//! Skipping tests that need what a machine may lack.

use std::env;
use std::fmt::Display;
use std::io::{Write, stderr};

/// Reports that a test is skipped because a need like `browser`, `python` or `data` is not met, even if the
/// test's output is captured. Fails instead if `ZEBU_REQUIRE` names the need, or is `all`.
pub fn skip(need: &str, reason: impl Display) {
    let required = env::var("ZEBU_REQUIRE").unwrap_or_default();
    let is_required = required.split_whitespace().any(|name| name == need || name == "all");
    assert!(!is_required, "ZEBU_REQUIRE names {need}: {reason}");
    writeln!(stderr(), "skipped, without {need}: {reason}").ok();
}
