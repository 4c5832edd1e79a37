//! `forge rescore`: new scores for old games.

use std::error::Error;
use std::fs::canonicalize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use clap::Args;
use zebu::board;
use zebu::progress::Progress;
use zebu::search::per_second;

use super::player::Player;
use super::players::Players;
use crate::arguments::{Stopped, stop_flag};
use crate::games::{GameCounts, GameReader, GameRecord, GameWriter, GamesError};
use crate::workers::{in_order, on_threads};

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

/// A game and its number in the file.
type Numbered = (u64, Result<GameRecord, GamesError>);

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
    let source = Mutex::new((next..).zip(reader));
    let rescore = |player: Player, done: &Sender<_>| work(player, &source, done, stop);
    on_threads(players, rescore, |done| {
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

/// One thread: one game after the other.
fn work(
    mut player: Player,
    source: &Mutex<impl Iterator<Item = Numbered>>,
    done: &Sender<Numbered>,
    stop: &AtomicBool,
) {
    loop {
        let taken = source.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some((number, game)) = taken else { return };
        let rescored = match game {
            Ok(game) => rescore(&mut player, game, stop).map(Ok),
            Err(error) => Some(Err(error)),
        };
        if rescored.is_none_or(|game| done.send((number, game)).is_err()) {
            return;
        }
    }
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
