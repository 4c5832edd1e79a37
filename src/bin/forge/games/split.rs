//! `forge split`: a file of games in two, so that no opening is in both.

use std::error::Error;
use std::path::PathBuf;

use clap::Args;

use super::{GameReader, GameWriter};
use crate::arguments::share;

#[derive(Args)]
pub struct SplitArguments {
    /// The file of games
    games: PathBuf,
    /// The new file for a share of them
    part: PathBuf,
    /// The new file for the rest
    rest: PathBuf,
    /// The share that goes to the first file
    #[arg(long, default_value_t = 0.05, value_parser = share)]
    share: f64,
}

pub fn run(arguments: &SplitArguments) -> Result<(), Box<dyn Error>> {
    let games = GameReader::open(&arguments.games)?;
    let mut part = GameWriter::create(&arguments.part)?;
    let mut rest = GameWriter::create(&arguments.rest)?;
    let (mut in_part, mut in_rest) = (0, 0);
    for game in games {
        let game = game?;
        // The key is as good as random, and the same for an opening in every file.
        if (game.start.key() as f64) < arguments.share * u64::MAX as f64 {
            part.write(&game)?;
            in_part += 1;
        } else {
            rest.write(&game)?;
            in_rest += 1;
        }
    }
    part.finish()?;
    rest.finish()?;
    println!("{in_part} games in {}", arguments.part.display());
    println!("{in_rest} games in {}", arguments.rest.display());
    Ok(())
}
