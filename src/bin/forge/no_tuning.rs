//! Replaces `tuning` in builds whose tunables are constants: the commands say which build they need.

use std::error::Error;

#[derive(clap::Args)]
pub struct OtherBuild {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

pub type MatchArguments = OtherBuild;
pub type TuneArguments = OtherBuild;

const OTHER_BUILD: &str =
    "this build has constants only; build with: cargo build --release --features \"forge tune\"";

pub fn run_match(_: &MatchArguments) -> Result<(), Box<dyn Error>> {
    Err(OTHER_BUILD.into())
}

pub fn tune(_: &TuneArguments) -> Result<(), Box<dyn Error>> {
    Err(OTHER_BUILD.into())
}
