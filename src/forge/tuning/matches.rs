//! `forge match`: games between two sides in one process.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use crate::progress::Progress;
use clap::{Args, value_parser};
use engine::eval::Evaluator;
use engine::search::{Tunables, per_second};
use serde::{Deserialize, Serialize};

use super::pair::{Limit, Openings, PairPlayer, PairResult, Side, TimeControl};
use super::parameters::{self, changed};
use super::pentanomial::{Pentanomial, Sprt, Verdict};
use super::state_file::{self, Origin};
use crate::common::{Stopped, in_order, network, on_threads, stop_flag, threads};

/// The number of games in a match without an SPRT.
const GAMES: u64 = 1000;

/// The shortest interval between two saves of the state.
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
    let origin = Origin::new(arguments.settings(&sides))?;
    let state = arguments.state.as_deref();
    let saved = state.map(|path| state_file::load(path, &origin, Tally::is_sound)).transpose()?;
    let mut tally = saved.flatten().unwrap_or_default();
    let save = |tally: &Tally| match state {
        Some(path) => state_file::save(path, &origin, tally),
        None => Ok(()),
    };
    let begun = tally.pairs.pairs();
    let is_over = |tally: &Tally| {
        most.is_some_and(|most| tally.pairs.pairs() >= most)
            || sprt.is_some_and(|sprt| sprt.verdict(&tally.pairs).is_some())
    };
    let end = if is_over(&tally) { 0 } else { most.unwrap_or(u64::MAX) };
    let mut players = Vec::new();
    for _ in 0..threads(arguments.threads) {
        players.push(PairPlayer::new(arguments.hash as usize, arguments.win)?);
    }
    let mut progress = Progress::new(most.map(|pairs| 2 * pairs), 2 * begun);
    let begin = Instant::now();
    let minutes = || begin.elapsed().as_secs_f64() / 60.0;
    let play = |player: &mut PairPlayer, number: u64| {
        let opening = openings.opening(number, player.search());
        let result = player.play(&sides, opening, stop)?;
        let [nodes, forfeits] = [&mut player.nodes, &mut player.forfeits].map(std::mem::take);
        Some((number, (result, nodes, forfeits)))
    };
    let (mut nodes, mut forfeits) = (0, 0);
    on_threads(players, begun..end, play, |results| {
        let mut saved = Instant::now();
        // Pairs count in order, so that the threads do not affect the SPRT.
        for (result, searched, lost) in in_order(begun, results) {
            tally.add(result);
            (nodes, forfeits) = (nodes + searched, forfeits + lost);
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
    let speed = per_second(nodes, begin.elapsed());
    progress.eprintln(&format!("{:.1} games/min, {speed} nodes/s", games as f64 / minutes()));
    if forfeits > 0 {
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

    /// Everything that the games depend on.
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
        format!(
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
        )
    }
}

/// The most pairs in a match.
const MOST_PAIRS: u64 = 1 << 40;

/// Results of the first side.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Tally {
    /// Lost, drawn, won.
    games: [u64; 3],
    pairs: Pentanomial,
}

impl Tally {
    fn add(&mut self, result: PairResult) {
        for half_points in result {
            self.games[usize::from(half_points)] += 1;
        }
        self.pairs.0[usize::from(result[0] + result[1])] += 1;
    }

    /// The results on a line.
    fn line(&self, sprt: Option<Sprt>) -> String {
        let [losses, draws, wins] = self.games;
        let llr = sprt.map_or(String::new(), |sprt| format!(", LLR {:.2}", sprt.llr(&self.pairs)));
        let (elo, los) = (self.pairs.elo(), 100.0 * self.pairs.superiority());
        format!("+{wins} ={draws} -{losses}, Elo {elo}, LOS {los:.1} %{llr}")
    }

    fn report(&self, sprt: Option<Sprt>) -> String {
        let [losses, draws, wins] = self.games;
        let pairs = self.pairs.0.map(|count| count.to_string()).join(" ");
        let mut text = format!(
            "Games       {}: +{wins} ={draws} -{losses}\n\
             Pairs       {pairs} with 0, ½, 1, 1½ and 2 points\n\
             Elo         {}\n\
             Normalised  {}\n\
             LOS         {:.2} %",
            losses + draws + wins,
            self.pairs.elo(),
            self.pairs.normalised_elo(),
            100.0 * self.pairs.superiority(),
        );
        if let Some(sprt) = sprt {
            let [lower, upper] = sprt.bounds();
            let verdict = match sprt.verdict(&self.pairs) {
                Some(Verdict::H0) => format!("the gain is not {}", sprt.high),
                Some(Verdict::H1) => format!("the gain is more than {}", sprt.low),
                None => "undecided".to_string(),
            };
            let llr = sprt.llr(&self.pairs);
            text += &format!("\nSPRT        LLR {llr:.2} ({lower:.2}, {upper:.2}): {verdict}");
        }
        text
    }

    /// Whether the counts of games and pairs are consistent.
    fn is_sound(&self) -> bool {
        let points = |counts: &[u64]| -> u128 {
            (0..).zip(counts).map(|(points, &count)| points * u128::from(count)).sum()
        };
        let number = |counts: &[u64]| counts.iter().map(|&count| u128::from(count)).sum::<u128>();
        let (games, pairs) = (&self.games, &self.pairs.0);
        pairs.iter().all(|&count| count <= MOST_PAIRS)
            && points(games) == points(pairs)
            && number(games) == 2 * number(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_their_points() {
        let mut tally = Tally::default();
        for result in [[2, 2], [0, 1], [1, 1], [2, 0]] {
            tally.add(result);
        }
        assert_eq!(tally.games, [2, 3, 3]);
        assert_eq!(tally.pairs.0, [0, 1, 2, 0, 1]);
        assert!(tally.is_sound() && tally.line(None).starts_with("+3 =3 -2, Elo "));
    }

    #[test]
    fn fuzzed() {
        let corpus = [
            "games = [2, 3, 3]\npairs = [0, 1, 2, 0, 1]\n",
            "games = [0, 36028797018963968, 0]\npairs = [0, 0, 18014398509481984, 0, 0]\n",
        ];
        crate::fuzzer::fuzz("match_state", corpus.map(Into::into).to_vec(), |bytes| {
            let tally: Result<Tally, _> = toml::from_str(&String::from_utf8_lossy(bytes));
            match tally.ok().filter(Tally::is_sound) {
                Some(tally) => tally.line(None) + &tally.report(Some(Sprt { low: 0.0, high: 5.0 })),
                None => "damaged".to_string(),
            }
        });
    }
}
