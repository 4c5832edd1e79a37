//! Fuzzing: whatever comes from outside is taken or refused, and nothing panics.
//!
//! Each target tries as many inputs as `ZEBU_FUZZ_INPUTS` says; `ZEBU_FUZZ_SEED` makes others.

mod fuzzer;
mod huge;
mod readers;
