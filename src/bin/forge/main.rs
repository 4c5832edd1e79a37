//! The workshop: it makes games and networks out of nothing. Nobody needs it to play.

mod contest;
mod crew;
mod curve;
mod fit;
mod games;
mod inspect;
mod merge;
mod opening;
mod picture;
mod play;
mod rescore;
mod split;
mod start;
mod stop;
mod survey;
mod tally;
mod train;
mod whole;

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Zebu's workshop.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Play games of the engine against itself
    Play(play::Arguments),
    /// Train a network on games
    Train(train::Arguments),
    /// Put the games of several files into a new one, each game once
    Merge(merge::Arguments),
    /// Divide the games of a file between two new ones, those of an opening together
    Split(split::Arguments),
    /// Search every position of a file's games anew, and keep the scores in another file
    Rescore(rescore::Arguments),
    /// Say what is in a file of games
    Inspect(inspect::Arguments),
    /// Find out from games what scores mean
    Fit(fit::Arguments),
}

fn main() -> ExitCode {
    let done: Result<(), Box<dyn Error>> = match Arguments::parse().task {
        Task::Play(arguments) => play::run(&arguments),
        Task::Train(arguments) => train::run(&arguments),
        Task::Merge(arguments) => merge::run(&arguments),
        Task::Split(arguments) => split::run(&arguments),
        Task::Rescore(arguments) => rescore::run(&arguments),
        Task::Inspect(arguments) => inspect::run(&arguments),
        Task::Fit(arguments) => fit::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("forge: {error}");
            ExitCode::FAILURE
        }
    }
}
