//! Several files of games into one, each game once.

use std::collections::HashSet;
use std::error::Error;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use clap::Args;

use crate::games::{Game, Reader, Writer};

#[derive(Args)]
pub struct Arguments {
    /// The new file
    out: PathBuf,
    /// The files whose games it gets
    #[arg(required = true)]
    games: Vec<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let readers: Vec<Reader> =
        arguments.games.iter().map(|path| Reader::open(path)).collect::<Result<_, _>>()?;
    let mut out = Writer::create(&arguments.out)?;
    let mut seen = HashSet::new();
    let (mut written, mut twice) = (0, 0);
    for game in readers.into_iter().flatten() {
        let game = game?;
        if seen.insert(fingerprint(&game)) {
            out.write(&game)?;
            written += 1;
        } else {
            twice += 1;
        }
    }
    out.finish()?;
    println!("{written} games, without {twice} that were there twice");
    Ok(())
}

/// Two games are the same if they start and go on alike, whatever their scores.
pub fn fingerprint(game: &Game) -> u64 {
    let mut hasher = DefaultHasher::new();
    game.start.key().hash(&mut hasher);
    for ply in &game.plies {
        ply.mv.hash(&mut hasher);
    }
    hasher.finish()
}
