//! Old games with new scores: every position is searched anew by the present engine.

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

use crate::contest::Player;
use crate::crew::Crew;
use crate::games::{Game, GamesError, Reader, Writer};
use crate::merge::fingerprint;
use crate::stop::{Stopped, stop_flag};
use crate::tally::Tally;

#[derive(Args)]
pub struct Arguments {
    /// The file whose games are searched
    games: PathBuf,
    /// The file for the games with their new scores; one that was begun is gone on with
    out: PathBuf,
    #[command(flatten)]
    crew: Crew,
}

#[derive(Debug, thiserror::Error)]
enum RescoreError {
    #[error("{} would be read and written at once", .0.display())]
    SameFile(PathBuf),
    #[error("{} holds other games than {}", .out.display(), .games.display())]
    OtherGames { games: PathBuf, out: PathBuf },
}

/// A game and its place in the file, or why there is none.
type Numbered = Result<(u64, Game), GamesError>;

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let players = arguments.crew.players()?;
    let (games, out) = (arguments.games.clone(), arguments.out.clone());
    let mut whole = Tally::default();
    for game in Reader::open(&games)? {
        whole.count(&game?);
    }
    if canonicalize(&out).is_ok_and(|out| canonicalize(&games).is_ok_and(|games| games == out)) {
        return Err(RescoreError::SameFile(out).into());
    }
    let mut reader = Reader::open(&games)?;
    let (mut tally, mut alike) = (Tally::default(), true);
    let mut writer = Writer::append(&out, |done| {
        let old = reader.next().and_then(Result::ok);
        alike &= old.is_some_and(|old| fingerprint(&old) == fingerprint(&done));
        tally.count(&done);
    })?;
    if !alike {
        return Err(RescoreError::OtherGames { games, out }.into());
    }

    let stop = stop_flag()?;
    let mut progress = Progress::new(Some(whole.positions), tally.positions);
    let (before, begin) = (tally.positions, Instant::now());
    let next = tally.games();
    let source = Mutex::new((next..).zip(reader));
    scope(|scope| -> Result<(), Box<dyn Error>> {
        let (sender, done) = channel();
        for player in players {
            let (source, sender) = (&source, sender.clone());
            let seat = Builder::new().stack_size(STACK_BYTES);
            seat.spawn_scoped(scope, move || work(player, source, &sender, stop))?;
        }
        drop(sender);
        let (mut next, mut waiting) = (next, BTreeMap::new());
        for numbered in done {
            let (number, game) = numbered?;
            waiting.insert(number, game);
            while let Some(game) = waiting.remove(&next) {
                next += 1;
                writer.write(&game)?;
                tally.count(&game);
            }
            writer.flush()?;
            let rate = per_second(tally.positions - before, begin.elapsed());
            progress.update(tally.positions, || format!("{tally}, {rate} positions/s"));
        }
        Ok(())
    })?;
    progress.eprintln(&format!("{}: {tally}", out.display()));
    if stop.load(Relaxed) { Err(Stopped.into()) } else { Ok(()) }
}

/// What a thread does: one game after the other, until there are no more or nobody waits for them.
fn work(
    mut player: Player,
    source: &Mutex<impl Iterator<Item = (u64, Result<Game, GamesError>)>>,
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
fn rescore(player: &mut Player, mut game: Game, stop: &AtomicBool) -> Option<Game> {
    player.forget();
    let mut board = board::Game::new(game.start);
    for ply in &mut game.plies {
        let found = player.search(&board).filter(|_| !stop.load(Relaxed))?;
        ply.score = found.score as i16;
        board.play(ply.mv);
    }
    Some(game)
}
