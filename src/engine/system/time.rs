//! Clocks: the system's, or the page's in WebAssembly.

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;

use chrono::{DateTime, Utc};

#[cfg(target_family = "wasm")]
pub use crate::system::wasm::Instant;

pub fn utc_now() -> DateTime<Utc> {
    #[cfg(target_family = "wasm")]
    return DateTime::UNIX_EPOCH + Instant::now().since_1970();
    #[cfg(not(target_family = "wasm"))]
    Utc::now()
}
