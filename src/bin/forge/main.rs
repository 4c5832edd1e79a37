//! Zebu's workshop: self-play games, networks trained on them, matches and tuning of the search. The
//! engine does not need it.

mod accuracy;
mod adjudicator;
mod arguments;
mod atomic_file;
#[cfg(feature = "tune")]
mod build;
mod file_error;
mod fit;
#[cfg(test)]
#[path = "../../../tests/fuzz/fuzzer.rs"]
mod fuzzer;
mod game_counts;
mod games;
mod inspect;
#[cfg(feature = "tune")]
mod matches;
mod merge;
#[cfg(feature = "tune")]
mod openings;
#[cfg(feature = "tune")]
mod pair;
#[cfg(feature = "tune")]
mod parameters;
mod play;
mod player;
mod players;
mod plot;
mod rescore;
mod sigmoid;
mod split;
#[cfg(feature = "tune")]
mod state_file;
mod statistics;
mod stop;
mod train;
#[cfg(feature = "tune")]
mod tune;

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use zebu::opening;

/// Zebu's workshop: self-play games, networks trained on them, matches and tuning.
#[derive(Parser)]
#[command(version)]
struct CommandLine {
    #[command(subcommand)]
    command: ForgeCommand,
}

#[derive(Subcommand)]
enum ForgeCommand {
    /// Play games of the engine against itself
    Play(play::PlayArguments),
    /// Train a network on games
    #[command(after_help = TRAIN_HELP)]
    Train(train::TrainArguments),
    /// Merge files of games into a new one, without duplicates
    Merge(merge::MergeArguments),
    /// Split a file of games in two, each opening in one of them only
    Split(split::SplitArguments),
    /// Search every position of games again, for new scores in another file
    Rescore(rescore::RescoreArguments),
    /// Statistics of a file of games
    Inspect(inspect::InspectArguments),
    /// The error of the evaluation, or of a search, against an EPD file's scores
    Accuracy(accuracy::AccuracyArguments),
    /// Fit the WDL model of the engine to games
    Fit(fit::FitArguments),
    /// A match between two sets of tunables, limits or networks
    #[cfg(feature = "tune")]
    Match(matches::MatchArguments),
    /// A match between two sets of tunables (needs a build with the feature `tune`)
    #[cfg(not(feature = "tune"))]
    Match(OtherBuild),
    /// Tune numbers of the search by SPSA
    #[cfg(feature = "tune")]
    Tune(tune::TuneArguments),
    /// Tune numbers of the search by SPSA (needs a build with the feature `tune`)
    #[cfg(not(feature = "tune"))]
    Tune(OtherBuild),
}

const TRAIN_HELP: &str = "\
The defaults are the recipe of the network that ships.

Examples:
  forge train a.games b.games --out new.net
  forge train a.games --out wide.net --hidden 512 --king-buckets 4 --samples 4e9

Ctrl-C stops it and keeps what was learned in NAME.checkpoint; so does a power cut, but for the last
chunk. The same command with --resume goes on. NAME.csv and NAME.svg show the loss.";

/// The arguments of a command that another build has.
#[cfg(not(feature = "tune"))]
#[derive(clap::Args)]
struct OtherBuild {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

#[cfg(not(feature = "tune"))]
const OTHER_BUILD: &str =
    "this build has constants only; build with: cargo build --release --features \"forge tune\"";

fn main() -> ExitCode {
    let result: Result<(), Box<dyn Error>> = match CommandLine::parse().command {
        ForgeCommand::Play(arguments) => play::run(&arguments),
        ForgeCommand::Train(arguments) => train::run(&arguments),
        ForgeCommand::Merge(arguments) => merge::run(&arguments),
        ForgeCommand::Split(arguments) => split::run(&arguments),
        ForgeCommand::Rescore(arguments) => rescore::run(&arguments),
        ForgeCommand::Inspect(arguments) => inspect::run(&arguments),
        ForgeCommand::Accuracy(arguments) => accuracy::run(&arguments),
        ForgeCommand::Fit(arguments) => fit::run(&arguments),
        #[cfg(feature = "tune")]
        ForgeCommand::Match(arguments) => matches::run(&arguments),
        #[cfg(not(feature = "tune"))]
        ForgeCommand::Match(OtherBuild { .. }) | ForgeCommand::Tune(OtherBuild { .. }) => {
            Err(OTHER_BUILD.into())
        }
        #[cfg(feature = "tune")]
        ForgeCommand::Tune(arguments) => tune::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("forge: {error}");
            ExitCode::FAILURE
        }
    }
}
