//! Fuzzing: whatever comes from outside is taken or refused, and nothing panics.
//!
//! Each target runs for a second here. `ZEBU_FUZZ_SECONDS` makes that longer and `ZEBU_FUZZ_SEED`
//! different; `ZEBU_FUZZ_COMMANDS` is the length of the long session. `scripts/check.sh fuzz` does so.

mod commands;
#[path = "../protocol/driver.rs"]
#[allow(dead_code)]
mod driver;
mod fuzzer;
mod readers;
