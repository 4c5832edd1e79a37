//! Fuzzing: whatever comes from outside is taken or refused, and nothing panics.
//!
//! Each target runs for a second here. `ZEBU_FUZZ_SECONDS` makes that longer and `ZEBU_FUZZ_SEED`
//! different; `scripts/check.sh fuzz` does so.

mod fuzzer;
mod readers;
