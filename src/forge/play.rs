//! `forge play`: self-play games on all cores.

pub mod game;
pub mod rescore;

use std::collections::HashSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::progress::Progress;
use clap::{Args, value_parser};
use engine::board::{Game, Position};
use engine::eval::Evaluator;
use engine::search::{Limits, SingleThread, Task, ThreadResult, Tunables, per_second};
use rand::RngExt;

use crate::common::{Stopped, network, on_threads, share, stop_flag, threads};
use crate::games::{GameCounts, GameRecord, GameWriter, Labels};
use crate::tuning::parameters::{self, ParametersError};
use engine::opening::{is_balanced, random_opening, random_stream};
use game::{Adjudicator, play_game};

/// The tunables in which a search for labels differs from a search for moves.
const LABEL_SEARCH: &str = include_str!("play/labels.toml");

/// The hard node limit, as a multiple of the soft one.
const HARD_LIMIT: u64 = 8;

/// Openings are searched with ten times the soft limit, or with this many nodes if that is less.
const OPENING_NODES: u64 = 3000;

/// The largest score of an opening, and of the uneven share of openings.
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

/// Threads, strength and evaluation.
#[derive(Args)]
pub struct Players {
    /// Soft node limit of a search: no new iteration is begun after it
    #[arg(long, default_value_t = 350, value_parser = value_parser!(u64).range(1..1 << 40))]
    nodes: u64,
    /// Threads, each with its own game; by default one for each core
    #[arg(long, value_parser = value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Table size of each thread in MB
    #[arg(long, default_value_t = 4, value_parser = value_parser!(u32).range(1..))]
    hash: u32,
    /// Scale evaluations as in play: for games whose scores forge fit reads, not for training
    #[arg(long)]
    scale_eval: bool,
    /// The network to use instead of the embedded one
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Use the piece-square teacher instead of a network
    #[arg(long, conflicts_with = "net")]
    teacher: bool,
    /// TOML with the tunables that differ from their defaults; without it those of the label search, with
    /// - none
    #[arg(long, value_name = "FILE")]
    tunables: Option<PathBuf>,
}

/// The tunables of a file, or of the label search.
pub fn label_search(path: Option<&Path>) -> Result<Tunables, ParametersError> {
    path.map_or_else(|| parameters::embedded(LABEL_SEARCH), parameters::load)
}

impl Players {
    pub fn start(&self) -> Result<Vec<Player>, Box<dyn Error>> {
        let evaluator = match &self.net {
            _ if self.teacher => Evaluator::Teacher,
            net => Evaluator::Network(network(net.as_deref())?),
        };
        let tunables = label_search(self.tunables.as_deref())?;
        let player = |_| {
            let search = SingleThread::new(self.hash as usize)?;
            let player = Player::new(search, evaluator.clone(), self.nodes, tunables);
            Ok(Player { scale_eval: self.scale_eval, ..player })
        };
        (0..threads(self.threads)).map(player).collect()
    }
}

/// One thread's player of both sides.
pub struct Player {
    search: SingleThread,
    evaluator: Evaluator,
    /// See [`Task::scale_eval`].
    scale_eval: bool,
    /// The soft limit.
    nodes: u64,
    tunables: Tunables,
    /// Playout cap randomisation: some positions are searched with more nodes.
    labels: Option<(Labels, u64)>,
    /// The soft limit for positions that training leaves out, in check or with a noisy best move.
    forcing_nodes: Option<u64>,
    /// Nodes of all searches so far.
    searched: u64,
}

impl Player {
    pub fn new(
        search: SingleThread,
        evaluator: Evaluator,
        nodes: u64,
        tunables: Tunables,
    ) -> Player {
        Player {
            search,
            evaluator,
            scale_eval: false,
            nodes,
            tunables,
            labels: None,
            forcing_nodes: None,
            searched: 0,
        }
    }

    /// The nodes of all searches since the last call.
    pub fn take_searched(&mut self) -> u64 {
        std::mem::take(&mut self.searched)
    }

    /// Clears table and histories, so that earlier games have no influence.
    pub fn clear(&mut self) {
        self.search.clear();
    }

    pub fn search(&mut self, game: &Game) -> Option<ThreadResult> {
        let label = self.labels.filter(|(labels, _)| labels.contains(game.position()));
        let nodes = label.map_or(self.nodes, |(_, nodes)| nodes);
        let limits = Limits {
            soft_nodes: Some(nodes),
            forcing_soft_nodes: self.forcing_nodes,
            nodes: Some(HARD_LIMIT * nodes),
            ..Limits::default()
        };
        let evaluator = self.evaluator.clone();
        let task = Task {
            evaluator,
            scale_eval: self.scale_eval,
            tunables: self.tunables,
            ..Task::in_game(game, limits)
        };
        let found = self.search.search(task)?;
        self.searched += found.line.nodes;
        Some(found)
    }
}

pub fn run(arguments: &PlayArguments) -> Result<(), Box<dyn Error>> {
    let stop = stop_flag()?;
    let mut players = arguments.players.start()?;
    for player in &mut players {
        player.labels = arguments.labels.map(Labels).zip(arguments.label_nodes);
        player.forcing_nodes = arguments.forcing_nodes;
    }
    let mut openings = HashSet::new();
    let mut counts = GameCounts::default();
    let mut out = GameWriter::append(&arguments.out, |game| {
        openings.insert(game.start.key());
        counts.add(&game);
    })?;
    let done = |counts: &GameCounts| arguments.games.map_or(counts.positions, |_| counts.games());
    let full =
        |counts: &GameCounts| arguments.positions.is_some_and(|most| counts.positions >= most);
    let end = if full(&counts) { 0 } else { arguments.games.unwrap_or(u64::MAX) };
    let mut progress = Progress::new(arguments.games.or(arguments.positions), done(&counts));
    let (before, begin, mut nodes) = (counts.positions, Instant::now(), 0);
    let openings = Mutex::new(openings);
    let play = |player: &mut Player, number: u64| {
        let game = play(arguments, player, number, &openings, stop)?;
        Some((game, player.take_searched()))
    };
    on_threads(players, counts.games()..end, play, |games| {
        // The threads end when the channel is closed.
        for (game, searched) in games {
            out.write(&game)?;
            out.flush()?;
            counts.add(&game);
            nodes += searched;
            let rate = per_second(counts.positions - before, begin.elapsed());
            progress.update(done(&counts), || format!("{counts}, {rate} positions/s"));
            if full(&counts) {
                break;
            }
        }
        Ok(())
    })?;
    let speed = per_second(nodes, begin.elapsed());
    progress.eprintln(&format!("{}: {counts}, {speed} nodes/s", arguments.out.display()));
    if stop.load(Relaxed) { Err(Stopped.into()) } else { Ok(()) }
}

/// Plays the game with this number, or returns `None` if it was stopped. A game depends only on the seed and
/// on the `openings` of earlier games, since no two games may start alike.
fn play(
    arguments: &PlayArguments,
    player: &mut Player,
    number: u64,
    openings: &Mutex<HashSet<u64>>,
    stop: &AtomicBool,
) -> Option<GameRecord> {
    let mut random = random_stream(arguments.seed, number);
    let is_new = |opening: &Position| {
        openings.lock().unwrap_or_else(PoisonError::into_inner).insert(opening.key())
    };
    player.clear();
    while !stop.load(Relaxed) {
        let start = random_opening(&mut random, arguments.chess960);
        let most = if random.random_bool(UNEVEN_SHARE) { UNEVEN } else { EVEN };
        let nodes = OPENING_NODES.min(10 * player.nodes);
        let evaluator = player.evaluator.clone();
        if is_new(&start) && is_balanced(start, nodes, most, evaluator, &mut player.search) {
            let is_played_out = random.random_bool(arguments.played_out);
            let adjudicator = (!is_played_out).then(|| Adjudicator::new(arguments.win));
            let search = |game: &Game| player.search(game).filter(|_| !stop.load(Relaxed));
            return play_game(start, adjudicator, search);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_label_search_differs() {
        assert_ne!(label_search(None).expect("it is embedded"), Tunables::DEFAULT);
        assert_eq!(label_search(Some(Path::new("-"))).expect("no file"), Tunables::DEFAULT);
    }
}
