//! The workshop: it makes games and networks out of nothing. Nobody needs it to play.

mod contest;
mod games;
mod merge;
mod opening;
mod play;
mod progress;
mod start;
mod stop;
mod tally;

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
    /// Put the games of several files into a new one, each game once
    Merge(merge::Arguments),
}

fn main() -> ExitCode {
    let done: Result<(), Box<dyn Error>> = match Arguments::parse().task {
        Task::Play(arguments) => play::run(&arguments),
        Task::Merge(arguments) => merge::run(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("forge: {error}");
            ExitCode::FAILURE
        }
    }
}
