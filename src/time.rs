//! Clocks: the system's, or in a web page the page's.

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;

use chrono::{DateTime, Utc};

#[cfg(target_family = "wasm")]
pub use crate::wasm::Instant;

/// The date and the time of day.
pub fn utc_now() -> DateTime<Utc> {
    #[cfg(target_family = "wasm")]
    return DateTime::UNIX_EPOCH + Instant::now().since_1970();
    #[cfg(not(target_family = "wasm"))]
    Utc::now()
}
