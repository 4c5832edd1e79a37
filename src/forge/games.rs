//! Self-play games and their files; `forge merge` and `forge split`.

mod file;
mod format;
pub mod inspect;
mod record;
#[cfg(test)]
pub mod samples;

use std::collections::HashSet;
use std::error::Error;
use std::path::PathBuf;

use clap::Args;

use crate::common::share;
pub use file::{GameReader, GameWriter, GamesError};
pub use record::{GameCounts, GameOutcome, GameRecord, Labels, ScoredPly};

#[derive(Args)]
pub struct MergeArguments {
    /// The new file
    out: PathBuf,
    /// The files of games
    #[arg(required = true)]
    games: Vec<PathBuf>,
}

pub fn merge(arguments: &MergeArguments) -> Result<(), Box<dyn Error>> {
    let readers: Vec<GameReader> =
        arguments.games.iter().map(|path| GameReader::open(path)).collect::<Result<_, _>>()?;
    let mut out = GameWriter::create(&arguments.out)?;
    let mut seen = HashSet::new();
    let (mut written, mut duplicates) = (0, 0);
    for game in readers.into_iter().flatten() {
        let game = game?;
        if seen.insert(game.fingerprint()) {
            out.write(&game)?;
            written += 1;
        } else {
            duplicates += 1;
        }
    }
    out.finish()?;
    say!("{written} games, without {duplicates} duplicates");
    Ok(())
}

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

pub fn split(arguments: &SplitArguments) -> Result<(), Box<dyn Error>> {
    let games = GameReader::open(&arguments.games)?;
    let mut part = GameWriter::create(&arguments.part)?;
    let mut rest = GameWriter::create(&arguments.rest)?;
    let (mut in_part, mut in_rest) = (0, 0);
    for game in games {
        let game = game?;
        // Keys are practically random, and an opening has the same one in every file.
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
    say!("{in_part} games in {}", arguments.part.display());
    say!("{in_rest} games in {}", arguments.rest.display());
    Ok(())
}
