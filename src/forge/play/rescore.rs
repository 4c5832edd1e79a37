//! `forge rescore`: searches the positions of old games again for new scores.

use std::error::Error;
use std::fs::canonicalize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use crate::progress::Progress;
use clap::Args;
use engine::board;
use engine::search::per_second;

use super::{Player, Players};
use crate::common::{Stopped, in_order, on_threads, stop_flag};
use crate::games::{GameCounts, GameReader, GameRecord, GameWriter};

#[derive(Args)]
pub struct RescoreArguments {
    /// The file of games
    games: PathBuf,
    /// The file for the games with new scores; an unfinished one is continued
    out: PathBuf,
    #[command(flatten)]
    players: Players,
}

#[derive(Debug, thiserror::Error)]
enum RescoreError {
    #[error("{} would be both read and written", .0.display())]
    SameFile(PathBuf),
    #[error("{} holds other games than {}", .out.display(), .games.display())]
    OtherGames { games: PathBuf, out: PathBuf },
}

pub fn run(arguments: &RescoreArguments) -> Result<(), Box<dyn Error>> {
    let players = arguments.players.start()?;
    let (games, out) = (arguments.games.clone(), arguments.out.clone());
    let mut all = GameCounts::default();
    for game in GameReader::open(&games)? {
        all.add(&game?);
    }
    if canonicalize(&out).is_ok_and(|out| canonicalize(&games).is_ok_and(|games| games == out)) {
        return Err(RescoreError::SameFile(out).into());
    }
    let mut reader = GameReader::open(&games)?;
    let (mut counts, mut alike) = (GameCounts::default(), true);
    let mut writer = GameWriter::append(&out, |done| {
        let old = reader.next().and_then(Result::ok);
        alike &= old.is_some_and(|old| old.fingerprint() == done.fingerprint());
        counts.add(&done);
    })?;
    if !alike {
        return Err(RescoreError::OtherGames { games, out }.into());
    }

    let stop = stop_flag()?;
    let mut progress = Progress::new(Some(all.positions), counts.positions);
    let (before, begin) = (counts.positions, Instant::now());
    let next = counts.games();
    let rescore = |player: &mut Player, (number, game): (u64, Result<_, _>)| match game {
        Ok(game) => rescore(player, game, stop).map(|game| (number, Ok(game))),
        Err(error) => Some((number, Err(error))),
    };
    on_threads(players, (next..).zip(reader), rescore, |done| {
        for game in in_order(next, done) {
            let game = game?;
            writer.write(&game)?;
            writer.flush()?;
            counts.add(&game);
            let rate = per_second(counts.positions - before, begin.elapsed());
            progress.update(counts.positions, || format!("{counts}, {rate} positions/s"));
        }
        Ok(())
    })?;
    progress.eprintln(&format!("{}: {counts}", out.display()));
    if stop.load(Relaxed) { Err(Stopped.into()) } else { Ok(()) }
}

/// The game with new scores, unless it was stopped.
fn rescore(player: &mut Player, mut game: GameRecord, stop: &AtomicBool) -> Option<GameRecord> {
    player.clear();
    let mut board = board::Game::new(game.start);
    for ply in &mut game.plies {
        let found = player.search(&board).filter(|_| !stop.load(Relaxed))?;
        ply.score = found.score as i16;
        board.play(ply.mv);
    }
    Some(game)
}
