//! The forge makes Zebu's networks and tunes its search: self-play games, training, matches and tuning. The
//! engine does not need it.

/// Prints a line, ignoring a closed output.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write;
        writeln!(std::io::stdout(), $($text)*).ok();
    }};
}

/// The yardstick of networks.
mod accuracy;
/// Charts.
mod charts;
/// Shared by the commands.
mod common;
/// The WDL model.
mod fit;
#[cfg(test)]
#[path = "../../tests/fuzz/fuzzer.rs"]
mod fuzzer;
/// Games and their files.
mod games;
/// What short searches know.
mod labels;
/// Self-play.
mod play;
/// Progress of long tasks.
#[path = "../analysis/progress.rs"]
mod progress;
/// Scores and points.
mod sigmoid;
/// Networks.
mod train;
/// Matches, and tuning the search's constants.
mod tuning;

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use games::inspect;
use play::rescore;
use train::mean;

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
    /// A network with the mean weights of others
    Mean(mean::MeanArguments),
    /// Merge files of games into a new one, without duplicates
    Merge(games::MergeArguments),
    /// Split a file of games in two, each opening in one of them only
    Split(games::SplitArguments),
    /// Search every position of games again, for new scores in another file
    Rescore(rescore::RescoreArguments),
    /// Statistics of a file of games
    Inspect(inspect::InspectArguments),
    /// The error of the evaluation, or of a search, against the scores of EPD or games
    Accuracy(accuracy::AccuracyArguments),
    /// Fit the WDL model of the engine to games
    Fit(fit::FitArguments),
    /// What the scores of short searches know that the static evaluation does not
    Labels(labels::LabelsArguments),
    /// A match between two sets of tunables, limits or networks
    Match(tuning::MatchArguments),
    /// Tune numbers of the search by SPSA
    Tune(tuning::TuneArguments),
}

const TRAIN_HELP: &str = "\
The defaults are the recipe of the network that ships.

Examples:
  forge train a.games b.games --out new.net
  forge train a.games --out wide.net --hidden 512 --king-buckets 4 --samples 4e9

Ctrl-C stops it and keeps what was learned in NAME.checkpoint; so does a power cut, but for the last
chunk. The same command with --resume goes on. NAME.csv and NAME.svg show the loss.";

fn main() -> ExitCode {
    engine::system::end_on_panic();
    let result: Result<(), Box<dyn Error>> = match CommandLine::parse().command {
        ForgeCommand::Play(arguments) => play::run(&arguments),
        ForgeCommand::Train(arguments) => train::run(&arguments),
        ForgeCommand::Mean(arguments) => mean::run(&arguments),
        ForgeCommand::Merge(arguments) => games::merge(&arguments),
        ForgeCommand::Split(arguments) => games::split(&arguments),
        ForgeCommand::Rescore(arguments) => rescore::run(&arguments),
        ForgeCommand::Inspect(arguments) => inspect::run(&arguments),
        ForgeCommand::Accuracy(arguments) => accuracy::run(&arguments),
        ForgeCommand::Fit(arguments) => fit::run(&arguments),
        ForgeCommand::Labels(arguments) => labels::run(&arguments),
        ForgeCommand::Match(arguments) => tuning::run_match(&arguments),
        ForgeCommand::Tune(arguments) => tuning::tune(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("forge: {error}");
            ExitCode::FAILURE
        }
    }
}
