//! `forge match`: games between two sides in one process.

mod pentanomial;
mod tally;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use clap::{Args, value_parser};
use zebu::eval::Evaluator;
use zebu::progress::Progress;
use zebu::search::{Tunables, per_second};

use super::openings::Openings;
use super::pair::{Limit, PairPlayer, PairResult, Side, TimeControl};
use super::parameters::{self, changed};
use super::state_file::{self, Origin, fingerprint};
use crate::arguments::{Stopped, network, stop_flag, threads};
use crate::workers::{in_order, on_threads};
use pentanomial::Sprt;
use tally::Tally;

/// The games of a match without an SPRT.
const GAMES: u64 = 1000;

/// The state is saved at most this often.
const BETWEEN_SAVES: Duration = Duration::from_secs(2);

#[derive(Args)]
pub struct MatchArguments {
    /// The first side's tunables: a TOML file of name = value, or - for the defaults
    first: PathBuf,
    /// The second side's
    #[arg(default_value = "-")]
    second: PathBuf,
    #[command(flatten)]
    limits: Limits,
    /// The first side's network instead of the embedded one
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// The second side's
    #[arg(long, value_name = "FILE")]
    net2: Option<PathBuf>,
    /// An EPD file of openings instead of random moves
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Games to play; 1000, or with an SPRT as many as it takes
    #[arg(long, value_parser = value_parser!(u64).range(2..1 << 40))]
    games: Option<u64>,
    /// Play until one of these gains, in normalised Elo, is refused
    #[arg(long, num_args = 2, value_names = ["H0", "H1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Where the results so far are kept; the same command goes on from there
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Threads, each with its own game; by default one for each core
    #[arg(long, value_parser = value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Table size of each side in MB
    #[arg(long, default_value_t = 16, value_parser = value_parser!(u32).range(1..))]
    hash: u32,
    /// Other openings, or another order of the book
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The score, in centipawns, that both sides must agree on for several plies to adjudicate a
    /// win; 0 plays every game to its end
    #[arg(long, default_value_t = 2000, value_parser = value_parser!(i32).range(0..))]
    win: i32,
}

#[derive(Args)]
struct Limits {
    /// Nodes of a search
    #[arg(long, default_value_t = 25_000, value_parser = value_parser!(u64).range(1..1 << 40))]
    nodes: u64,
    /// A clock instead, in seconds: BASE+INCREMENT
    #[arg(long, conflicts_with = "nodes")]
    tc: Option<TimeControl>,
    /// Other nodes for the second side
    #[arg(long, value_parser = value_parser!(u64).range(1..1 << 40))]
    nodes2: Option<u64>,
    /// Another clock for the second side
    #[arg(long, conflicts_with = "nodes2")]
    tc2: Option<TimeControl>,
}

impl Limits {
    fn of_both(&self) -> [Limit; 2] {
        let first = self.tc.map_or(Limit::Nodes(self.nodes), Limit::Clock);
        let second = self.tc2.map(Limit::Clock).or(self.nodes2.map(Limit::Nodes));
        [first, second.unwrap_or(first)]
    }
}

/// Shared by the playing threads.
struct Match<'a> {
    sides: [Side; 2],
    openings: Openings,
    /// The next pair, and the first one not to play.
    next: AtomicU64,
    end: u64,
    nodes: AtomicU64,
    forfeits: AtomicU64,
    stop: &'a AtomicBool,
}

pub fn run(arguments: &MatchArguments) -> Result<(), Box<dyn Error>> {
    let stop = stop_flag()?;
    let sprt = match arguments.sprt.as_deref() {
        Some(&[low, high]) if low < high => Some(Sprt { low, high }),
        Some(_) => return Err("--sprt needs H0 below H1".into()),
        None => None,
    };
    let most = arguments.games.or(sprt.is_none().then_some(GAMES)).map(|games| games.div_ceil(2));
    let sides = arguments.sides()?;
    let openings = Openings::new(arguments.book.as_deref(), arguments.seed)?;
    let origin = Origin { build: fingerprint()?, settings: arguments.settings(&sides) };
    let state = arguments.state.as_deref();
    let saved = state.map(|path| state_file::load(path, &origin, Tally::parse)).transpose()?;
    let mut tally = saved.flatten().unwrap_or_default();
    let save = |tally: &Tally| match state {
        Some(path) => state_file::save(path, &origin, &tally.to_lines()),
        None => Ok(()),
    };
    let begun = tally.pairs.pairs();
    let is_over = |tally: &Tally| {
        most.is_some_and(|most| tally.pairs.pairs() >= most)
            || sprt.is_some_and(|sprt| sprt.verdict(&tally.pairs).is_some())
    };
    let playing = Match {
        sides,
        openings,
        next: AtomicU64::new(begun),
        end: if is_over(&tally) { 0 } else { most.unwrap_or(u64::MAX) },
        nodes: AtomicU64::new(0),
        forfeits: AtomicU64::new(0),
        stop,
    };
    let mut players = Vec::new();
    for _ in 0..threads(arguments.threads) {
        players.push(PairPlayer::new(arguments.hash as usize, win_score(arguments.win))?);
    }
    let mut progress = Progress::new(most.map(|pairs| 2 * pairs), 2 * begun);
    let begin = Instant::now();
    let minutes = || begin.elapsed().as_secs_f64() / 60.0;
    let play = |player: PairPlayer, results: &Sender<_>| playing.play(player, results);
    on_threads(players, play, |results| {
        let mut saved = Instant::now();
        // Pairs count in their order, so that the threads do not decide what an SPRT sees.
        for result in in_order(begun, results) {
            tally.add(result);
            if saved.elapsed() >= BETWEEN_SAVES {
                save(&tally).inspect_err(|_| stop.store(true, Relaxed))?;
                saved = Instant::now();
            }
            if is_over(&tally) {
                stop.store(true, Relaxed);
                break;
            }
            let done = 2 * tally.pairs.pairs();
            progress.update(done, || {
                let rate = (done - 2 * begun) as f64 / minutes();
                format!("{}, {rate:.0} games/min", tally.line(sprt))
            });
        }
        Ok(())
    })?;
    save(&tally)?;
    progress.println(&tally.report(sprt));
    let games = 2 * (tally.pairs.pairs() - begun);
    let speed = per_second(playing.nodes.load(Relaxed), begin.elapsed());
    progress.eprintln(&format!("{:.1} games/min, {speed} nodes/s", games as f64 / minutes()));
    if let forfeits @ 1.. = playing.forfeits.load(Relaxed) {
        progress.eprintln(&format!("{forfeits} games were lost on time"));
    }
    if is_over(&tally) { Ok(()) } else { Err(Stopped.into()) }
}

impl MatchArguments {
    fn sides(&self) -> Result<[Side; 2], Box<dyn Error>> {
        let [first, second] = self.limits.of_both();
        let side = |path: &Path, limit, net: &Option<PathBuf>| -> Result<Side, Box<dyn Error>> {
            Ok(Side {
                tunables: parameters::load(path)?,
                limit,
                evaluator: Evaluator::Network(network(net.as_deref())?),
            })
        };
        Ok([side(&self.first, first, &self.net)?, side(&self.second, second, &self.net2)?])
    }

    /// All that the games depend on, in one line.
    fn settings(&self, sides: &[Side; 2]) -> String {
        let tunables = |side: &Side| match side.tunables {
            Tunables::DEFAULT => "defaults".to_string(),
            other => changed(&other.values()).join(", "),
        };
        let net = |net: &Option<PathBuf>| {
            net.as_ref().map_or(String::new(), |path| format!(", {}", path.display()))
        };
        let [first, second] = sides;
        let book = self.book.as_ref().map(|path| path.display().to_string());
        let settings = format!(
            "{}, {}{} against {}, {}{}; {}, seed {}, hash {}, win {}",
            tunables(first),
            first.limit,
            net(&self.net),
            tunables(second),
            second.limit,
            net(&self.net2),
            book.unwrap_or("random openings".to_string()),
            self.seed,
            self.hash,
            self.win,
        );
        settings.escape_debug().to_string()
    }
}

/// The score that adjudicates a win; 0 stands for none.
pub fn win_score(score: i32) -> Option<i32> {
    (score > 0).then_some(score)
}

impl Match<'_> {
    fn play(&self, mut player: PairPlayer, results: &Sender<(u64, PairResult)>) {
        loop {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= self.end || self.stop.load(Relaxed) {
                return;
            }
            let opening = self.openings.opening(number, player.search());
            let result = player.play(&self.sides, opening, self.stop);
            self.nodes.fetch_add(std::mem::take(&mut player.nodes), Relaxed);
            self.forfeits.fetch_add(std::mem::take(&mut player.forfeits), Relaxed);
            if result.is_none_or(|result| results.send((number, result)).is_err()) {
                return;
            }
        }
    }
}
