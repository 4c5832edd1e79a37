//! `forge rescore`: new scores for old games.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::canonicalize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope};
use std::time::Instant;

use clap::Args;
use zebu::board;
use zebu::progress::Progress;
use zebu::search::{STACK_BYTES, per_second};

use super::player::Player;
use super::players::Players;
use crate::arguments::{Stopped, stop_flag};
use crate::games::{GameCounts, GameReader, GameRecord, GameWriter, GamesError};

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
type Numbered = Result<(u64, GameRecord), GamesError>;

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
    scope(|scope| -> Result<(), Box<dyn Error>> {
        let (sender, done) = channel();
        for player in players {
            let (source, sender) = (&source, sender.clone());
            let thread = Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, move || work(player, source, &sender, stop))?;
        }
        drop(sender);
        let (mut next, mut waiting) = (next, BTreeMap::new());
        for numbered in done {
            let (number, game) = numbered?;
            waiting.insert(number, game);
            while let Some(game) = waiting.remove(&next) {
                next += 1;
                writer.write(&game)?;
                counts.add(&game);
            }
            writer.flush()?;
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
    source: &Mutex<impl Iterator<Item = (u64, Result<GameRecord, GamesError>)>>,
    done: &Sender<Numbered>,
    stop: &AtomicBool,
) {
    loop {
        let taken = source.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some((number, game)) = taken else { return };
        let rescored = match game {
            Ok(game) => rescore(&mut player, game, stop).map(|game| Ok((number, game))),
            Err(error) => Some(Err(error)),
        };
        if rescored.is_none_or(|game| done.send(game).is_err()) {
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
