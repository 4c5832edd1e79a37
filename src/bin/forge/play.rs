//! `forge play`: self-play games on all cores.

pub mod adjudicator;
pub mod game;
mod player;
mod players;
pub mod rescore;

use std::collections::HashSet;
use std::error::Error;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use clap::{Args, value_parser};
use rand::RngExt;
use zebu::progress::Progress;
use zebu::search::per_second;

use crate::arguments::{Stopped, share, stop_flag};
use crate::games::{GameCounts, GameRecord, GameWriter, Labels};
use crate::opening::{random_opening, random_stream};
use crate::workers::on_threads;
use adjudicator::Adjudicator;
use player::Player;
use players::Players;

/// The largest score of an opening, and of the share of them that may be uneven.
const EVEN: i32 = 80;
const UNEVEN: i32 = 300;
const UNEVEN_SHARE: f64 = 0.1;

#[derive(Args)]
pub struct PlayArguments {
    /// The file that the games are added to
    out: PathBuf,
    /// Play until the file holds this many games
    #[arg(long)]
    games: Option<u64>,
    /// Play until the file holds this many positions
    #[arg(long)]
    positions: Option<u64>,
    #[command(flatten)]
    players: Players,
    /// The same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The share of games from double Chess960 starts
    #[arg(long, default_value_t = 0.1, value_parser = share)]
    chess960: f64,
    /// The score, in centipawns, that both sides must agree on for several plies to adjudicate a win
    #[arg(long, default_value_t = 700, value_parser = value_parser!(i32).range(1..))]
    win: i32,
    /// The share of games that no score ends
    #[arg(long, default_value_t = 0.05, value_parser = share)]
    played_out: f64,
    /// The share of positions that are searched with --label-nodes: train on them with the same --labels
    #[arg(long, value_parser = share, requires = "label_nodes")]
    labels: Option<f64>,
    /// Soft node limit of the search of a label
    #[arg(long, value_parser = value_parser!(u64).range(1..1 << 40), requires = "labels")]
    label_nodes: Option<u64>,
    /// Soft node limit in check, or while the best move captures or promotes: no network is trained on
    /// such positions
    #[arg(long, value_parser = value_parser!(u64).range(1..1 << 40))]
    forcing_nodes: Option<u64>,
}

/// Shared by the playing threads.
struct SelfPlay<'a> {
    arguments: &'a PlayArguments,
    /// The number of the next game, and of the first one not to play.
    next: AtomicU64,
    end: u64,
    /// The keys of all first positions.
    openings: Mutex<HashSet<u64>>,
    nodes: AtomicU64,
    stop: &'a AtomicBool,
}

pub fn run(arguments: &PlayArguments) -> Result<(), Box<dyn Error>> {
    let stop = stop_flag()?;
    let mut players = arguments.players.start()?;
    if let (Some(labels), Some(nodes)) = (arguments.labels, arguments.label_nodes) {
        let with_labels = |player: Player| player.with_labels(Labels(labels), nodes);
        players = players.into_iter().map(with_labels).collect();
    }
    let with_forcing = |player: Player| player.with_forcing_nodes(arguments.forcing_nodes);
    players = players.into_iter().map(with_forcing).collect();
    let mut openings = HashSet::new();
    let mut counts = GameCounts::default();
    let mut out = GameWriter::append(&arguments.out, |game| {
        openings.insert(game.start.key());
        counts.add(&game);
    })?;
    let done = |counts: &GameCounts| arguments.games.map_or(counts.positions, |_| counts.games());
    let full =
        |counts: &GameCounts| arguments.positions.is_some_and(|most| counts.positions >= most);
    let self_play = SelfPlay {
        arguments,
        next: AtomicU64::new(counts.games()),
        end: if full(&counts) { 0 } else { arguments.games.unwrap_or(u64::MAX) },
        openings: Mutex::new(openings),
        nodes: AtomicU64::new(0),
        stop,
    };
    let mut progress = Progress::new(arguments.games.or(arguments.positions), done(&counts));
    let (before, begin) = (counts.positions, Instant::now());
    let play = |player: Player, games: &Sender<_>| self_play.play(player, games);
    on_threads(players, play, |games| {
        // The threads end when the channel is closed.
        for game in games {
            out.write(&game)?;
            out.flush()?;
            counts.add(&game);
            let rate = per_second(counts.positions - before, begin.elapsed());
            progress.update(done(&counts), || format!("{counts}, {rate} positions/s"));
            if full(&counts) {
                break;
            }
        }
        Ok(())
    })?;
    let speed = per_second(self_play.nodes.load(Relaxed), begin.elapsed());
    progress.eprintln(&format!("{}: {counts}, {speed} nodes/s", arguments.out.display()));
    if stop.load(Relaxed) { Err(Stopped.into()) } else { Ok(()) }
}

impl SelfPlay<'_> {
    fn play(&self, mut player: Player, games: &Sender<GameRecord>) {
        loop {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= self.end {
                return;
            }
            let game = self.game(&mut player, number);
            self.nodes.fetch_add(std::mem::take(&mut player.searched), Relaxed);
            if game.is_none_or(|game| games.send(game).is_err()) {
                return;
            }
        }
    }

    /// The game of this number, or `None` if it was stopped. It depends only on the seed, and on the
    /// games before it, since no two may start alike.
    fn game(&self, player: &mut Player, number: u64) -> Option<GameRecord> {
        let mut random = random_stream(self.arguments.seed, number);
        player.clear();
        while !self.stop.load(Relaxed) {
            let start = random_opening(&mut random, self.arguments.chess960);
            let most = if random.random_bool(UNEVEN_SHARE) { UNEVEN } else { EVEN };
            if self.is_new(start.key()) && player.is_balanced(start, most) {
                let is_played_out = random.random_bool(self.arguments.played_out);
                let adjudicator = (!is_played_out).then(|| Adjudicator::new(self.arguments.win));
                return player.play(start, adjudicator, self.stop);
            }
        }
        None
    }

    fn is_new(&self, opening: u64) -> bool {
        self.openings.lock().unwrap_or_else(PoisonError::into_inner).insert(opening)
    }
}
