//! Zebu's workshop: self-play games, and networks trained on them. The engine does not need it.

mod arguments;
mod atomic_file;
mod file_error;
mod fit;
mod game_counts;
mod games;
mod inspect;
mod merge;
mod opening;
mod play;
mod player;
mod players;
mod plot;
mod rescore;
mod sigmoid;
mod split;
mod statistics;
mod stop;
mod train;

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Zebu's workshop: self-play games, and networks trained on them.
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
    Train(train::TrainArguments),
    /// Merge files of games into a new one, without duplicates
    Merge(merge::MergeArguments),
    /// Split a file of games in two, each opening in one of them only
    Split(split::SplitArguments),
    /// Search every position of games again, for new scores in another file
    Rescore(rescore::RescoreArguments),
    /// Statistics of a file of games
    Inspect(inspect::InspectArguments),
    /// Fit the WDL model of the engine to games
    Fit(fit::FitArguments),
}

fn main() -> ExitCode {
    let result: Result<(), Box<dyn Error>> = match CommandLine::parse().command {
        ForgeCommand::Play(arguments) => play::run(&arguments),
        ForgeCommand::Train(arguments) => train::run(&arguments),
        ForgeCommand::Merge(arguments) => merge::run(&arguments),
        ForgeCommand::Split(arguments) => split::run(&arguments),
        ForgeCommand::Rescore(arguments) => rescore::run(&arguments),
        ForgeCommand::Inspect(arguments) => inspect::run(&arguments),
        ForgeCommand::Fit(arguments) => fit::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("forge: {error}");
            ExitCode::FAILURE
        }
    }
}
