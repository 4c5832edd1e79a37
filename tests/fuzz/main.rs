//! Fuzzing: any input is accepted or refused, and nothing panics.
//!
//! `ZEBU_FUZZ_INPUTS` is the number of inputs per target, and `ZEBU_FUZZ_SEED` selects others.

mod fuzzer;
mod huge;
mod readers;
