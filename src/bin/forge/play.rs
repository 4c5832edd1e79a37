//! Games of the engine against itself, on all cores, into a file.

use std::collections::HashSet;
use std::error::Error;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope};
use std::time::Instant;

use clap::Args;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use zebu::progress::Progress;
use zebu::search::{STACK_BYTES, per_second};

use crate::contest::Player;
use crate::crew::Crew;
use crate::games::{Game, Writer};
use crate::opening;
use crate::stop::{Stopped, stop_flag};
use crate::tally::Tally;

#[derive(Args)]
pub struct Arguments {
    /// The file that the games are added to
    out: PathBuf,
    /// Play until the file holds so many games
    #[arg(long)]
    games: Option<u64>,
    /// Play until the file holds so many positions
    #[arg(long)]
    positions: Option<u64>,
    #[command(flatten)]
    crew: Crew,
    /// The same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The share of games from double Chess960 starts
    #[arg(long, default_value_t = 0.1, value_parser = share)]
    chess960: f64,
    /// The score, in centipawns, that both sides must see for several plies to call a game won
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(i32).range(1..))]
    win: i32,
}

/// A number from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "a share is a number from 0 to 1".to_string())
}

/// What the playing threads have in common.
struct Hall<'a> {
    arguments: &'a Arguments,
    /// The next game's number, and the one at which to end.
    next: AtomicU64,
    end: u64,
    /// The keys of the positions that games started from.
    openings: Mutex<HashSet<u64>>,
    nodes: AtomicU64,
    stop: &'a AtomicBool,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let stop = stop_flag()?;
    let players = arguments.crew.players()?;
    let mut openings = HashSet::new();
    let mut tally = Tally::default();
    let mut out = Writer::append(&arguments.out, |game| {
        openings.insert(game.start.key());
        tally.count(&game);
    })?;
    let done = |tally: &Tally| arguments.games.map_or(tally.positions, |_| tally.games());
    let full = |tally: &Tally| arguments.positions.is_some_and(|most| tally.positions >= most);
    let hall = Hall {
        arguments,
        next: AtomicU64::new(tally.games()),
        end: if full(&tally) { 0 } else { arguments.games.unwrap_or(u64::MAX) },
        openings: Mutex::new(openings),
        nodes: AtomicU64::new(0),
        stop,
    };
    let mut progress = Progress::new(arguments.games.or(arguments.positions), done(&tally));
    let (before, begin) = (tally.positions, Instant::now());
    scope(|scope| -> Result<(), Box<dyn Error>> {
        let (sender, games) = channel();
        for player in players {
            let (hall, sender) = (&hall, sender.clone());
            let seat = Builder::new().stack_size(STACK_BYTES);
            seat.spawn_scoped(scope, move || hall.play(player, &sender))?;
        }
        drop(sender);
        // Whoever plays ends when nobody listens any more.
        for game in games {
            out.write(&game)?;
            out.flush()?;
            tally.count(&game);
            let rate = per_second(tally.positions - before, begin.elapsed());
            progress.update(done(&tally), || format!("{tally}, {rate} positions/s"));
            if full(&tally) {
                break;
            }
        }
        Ok(())
    })?;
    let speed = per_second(hall.nodes.load(Relaxed), begin.elapsed());
    progress.eprintln(&format!("{}: {tally}, {speed} nodes/s", arguments.out.display()));
    if stop.load(Relaxed) { Err(Stopped.into()) } else { Ok(()) }
}

impl Hall<'_> {
    /// What a thread does: one game after the other.
    fn play(&self, mut player: Player, games: &Sender<Game>) {
        loop {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= self.end {
                return;
            }
            let game = self.game(&mut player, number);
            self.nodes.fetch_add(std::mem::take(&mut player.spent), Relaxed);
            if game.is_none_or(|game| games.send(game).is_err()) {
                return;
            }
        }
    }

    /// The game of this number, which depends on nothing but the seed and the games before, of which
    /// none starts alike. `None` if it was stopped.
    fn game(&self, player: &mut Player, number: u64) -> Option<Game> {
        let streams = self.arguments.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(streams.wrapping_add(number));
        player.forget();
        while !self.stop.load(Relaxed) {
            let start = opening::draw(&mut random, self.arguments.chess960);
            if self.is_new(start.key()) && player.is_even(start) {
                return player.play(start, self.arguments.win, self.stop);
            }
        }
        None
    }

    fn is_new(&self, opening: u64) -> bool {
        self.openings.lock().unwrap_or_else(PoisonError::into_inner).insert(opening)
    }
}
