//! `forge merge`: files of games into one, without duplicates.

use std::collections::HashSet;
use std::error::Error;
use std::path::PathBuf;

use clap::Args;

use super::{GameReader, GameWriter};

#[derive(Args)]
pub struct MergeArguments {
    /// The new file
    out: PathBuf,
    /// The files of games
    #[arg(required = true)]
    games: Vec<PathBuf>,
}

pub fn run(arguments: &MergeArguments) -> Result<(), Box<dyn Error>> {
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
    println!("{written} games, without {duplicates} duplicates");
    Ok(())
}
