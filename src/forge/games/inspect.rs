//! `forge inspect`: statistics of a game file, as text and charts.

use std::collections::HashSet;
use std::error::Error;
use std::path::PathBuf;

use clap::Args;
use plotters::style::RED;

use super::file::GameReader;
use super::record::{GameCounts, GameOutcome, GameRecord};
use crate::charts::{self, Chart, ChartError, Points, Series};
use crate::common::replace;
use crate::sigmoid::{ScoreBin, expected_points, fitted_scale, log_loss};

/// The width of a score bin. The last bin contains all larger scores.
const BIN_WIDTH: i32 = 25;
const MAX_SCORE: i32 = 2000;
const BINS: usize = 2 * (MAX_SCORE / BIN_WIDTH) as usize;

/// The lowest score that is a mate.
const MATE: i16 = 31_000;

/// One of this many positions is sampled to estimate the share of duplicates.
const SAMPLE: u64 = 16;

/// The pieces on a full board. Two sets of queens would still fit.
const MAX_PIECES: usize = 32;

/// The width of the score rows, and the last one's start.
const ROW: i32 = 100;
const LAST_ROW: i32 = 1000;

/// The length of the longest bar in the text.
const BAR: f64 = 40.0;

const CHART: (u32, u32) = (500, 350);

/// Bins with fewer positions are omitted from the chart of points.
const MIN_POSITIONS: f64 = 30.0;

/// Plies per bar in the chart of lengths.
const LENGTH_BAR: usize = 10;

#[derive(Args)]
pub struct InspectArguments {
    /// The file of games
    games: PathBuf,
    /// Charts in this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

pub fn run(arguments: &InspectArguments) -> Result<(), Box<dyn Error>> {
    let mut statistics = Statistics::new();
    for game in GameReader::open(&arguments.games)? {
        statistics.add(&game?);
    }
    say!("{}", statistics.report().trim_end());
    if let Some(path) = &arguments.plot {
        replace(path, statistics.charts()?.as_bytes())?;
    }
    Ok(())
}

struct Statistics {
    counts: GameCounts,
    /// Games by length, in plies.
    lengths: Vec<u64>,
    /// By score, for the side to move.
    bins: Vec<ScoreBin>,
    mates: u64,
    /// Positions by the number of pieces on the board.
    pieces: [u64; MAX_PIECES + 1],
    in_check: u64,
    /// Positions not in check whose move captures or promotes.
    noisy: u64,
    games: HashSet<u64>,
    openings: HashSet<u64>,
    sample: HashSet<u64>,
    sampled: u64,
}

impl Statistics {
    fn new() -> Statistics {
        let bin = |bin| {
            let score = f64::from(bin * BIN_WIDTH - MAX_SCORE) + 0.5 * f64::from(BIN_WIDTH);
            ScoreBin { score, ..ScoreBin::default() }
        };
        Statistics {
            counts: GameCounts::default(),
            lengths: Vec::new(),
            bins: (0..BINS as i32).map(bin).collect(),
            mates: 0,
            pieces: [0; MAX_PIECES + 1],
            in_check: 0,
            noisy: 0,
            games: HashSet::new(),
            openings: HashSet::new(),
            sample: HashSet::new(),
            sampled: 0,
        }
    }

    fn add(&mut self, game: &GameRecord) {
        for (position, ply) in game.positions() {
            self.add_score(ply.score, game.outcome.half_points(position.side()));
            self.pieces[position.occupied().len() as usize] += 1;
            if position.in_check() {
                self.in_check += 1;
            } else if position.is_noisy(ply.mv) {
                self.noisy += 1;
            }
            if position.key().is_multiple_of(SAMPLE) {
                self.sampled += 1;
                self.sample.insert(position.key());
            }
        }
        self.counts.add(game);
        self.games.insert(game.fingerprint());
        self.openings.insert(game.start.key());
        let plies = game.plies.len();
        self.lengths.resize(self.lengths.len().max(plies + 1), 0);
        self.lengths[plies] += 1;
    }

    fn add_score(&mut self, score: i16, half_points: u8) {
        self.mates += u64::from(score.unsigned_abs() >= MATE.unsigned_abs());
        let score = i32::from(score).clamp(-MAX_SCORE, MAX_SCORE - 1);
        let bin = &mut self.bins[((score + MAX_SCORE) / BIN_WIDTH) as usize];
        bin.positions += 1.0;
        bin.points += 0.5 * f64::from(half_points);
    }

    fn report(&self) -> String {
        let counts = &self.counts;
        let positions = counts.positions.max(1) as f64;
        let percent = |part: u64| 100.0 * part as f64 / positions;
        let scale = fitted_scale(&self.bins);
        let mut text = format!(
            "{} games, {} positions, {:.1} plies a game, at most {}\n\
             White won {:.1} %, drawn {:.1} %, Black won {:.1} %\n\
             duplicates: {} games, {} openings, about {:.1} % of the positions\n\
             in check {:.1} %, else capturing or promoting {:.1} %, mate scores {:.1} %\n\
             sigmoid of scores against results: scale {scale:.0}, log loss {:.4}\n",
            counts.games(),
            counts.positions,
            positions / counts.games().max(1) as f64,
            self.lengths.len().saturating_sub(1),
            counts.percent(GameOutcome::WhiteWins),
            counts.percent(GameOutcome::Draw),
            counts.percent(GameOutcome::BlackWins),
            counts.games() - self.games.len() as u64,
            counts.games() - self.openings.len() as u64,
            100.0 * (self.sampled - self.sample.len() as u64) as f64 / self.sampled.max(1) as f64,
            percent(self.in_check),
            percent(self.noisy),
            percent(self.mates),
            log_loss(&self.bins, scale),
        );

        let most = |shares: &[f64]| shares.iter().copied().fold(0.0, f64::max).max(1e-9);
        let bar = |share: f64, most: f64| "█".repeat((BAR * share / most).round() as usize);

        text += "\nscore of the side to move, share of positions, points\n";
        let rows = score_rows(&self.bins);
        let shares: Vec<f64> =
            rows.iter().map(|(_, bin)| 100.0 * bin.positions / positions).collect();
        for ((name, bin), &share) in rows.iter().zip(&shares) {
            let points = bin.points / bin.positions.max(1.0);
            let bar = bar(share, most(&shares));
            text += &format!("{name:>14}  {share:5.1} %  {points:.3}  {bar}\n");
        }

        text += "\npieces on the board, share of positions\n";
        let phases: Vec<f64> =
            self.pieces[1..].chunks(4).map(|group| percent(group.iter().sum())).collect();
        for (i, &share) in phases.iter().enumerate() {
            let (first, last) = (4 * i + 1, 4 * i + 4);
            let bar = bar(share, most(&phases));
            text += &format!("{:>14}  {share:5.1} %  {bar}\n", format!("{first} to {last}"));
        }
        text
    }

    fn charts(&self) -> Result<String, ChartError> {
        let scores = self.bins[1..BINS - 1].iter().map(|bin| (bin.score, bin.positions));
        let scale = fitted_scale(&self.bins);
        let half = f64::from(MAX_SCORE) / 2.0;
        let known = self
            .bins
            .iter()
            .filter(|bin| bin.positions >= MIN_POSITIONS && bin.score.abs() < half)
            .map(|bin| (bin.score, bin.points / bin.positions));
        let sigmoid = (-MAX_SCORE / 2..=MAX_SCORE / 2)
            .step_by(BIN_WIDTH as usize)
            .map(|score| (score.into(), expected_points(score.into(), scale)));
        let points = Chart {
            name: format!("points by score, sigmoid with scale {scale:.0}"),
            x: -half..half,
            y: 0.0..1.0,
            series: vec![Series::Dots(known.collect()), Series::Line(RED, sigmoid.collect())],
        };
        let pieces = self.pieces.iter().enumerate().skip(2);
        let pieces = pieces.map(|(pieces, &positions)| (pieces as f64, positions as f64));
        let lengths = self.lengths.chunks(LENGTH_BAR).enumerate().map(|(i, games)| {
            ((i * LENGTH_BAR) as f64 + 0.5 * LENGTH_BAR as f64, games.iter().sum::<u64>() as f64)
        });
        let all = [
            bars("score of the side to move", f64::from(BIN_WIDTH), scores.collect()),
            points,
            bars("pieces on the board", 1.0, pieces.collect()),
            bars("plies of a game", LENGTH_BAR as f64, lengths.collect()),
        ];
        charts::svg(&all, 2, CHART)
    }
}

/// A bar of this width around each point of the axis.
fn bars(name: &str, width: f64, bars: Points) -> Chart {
    let most = bars.iter().map(|&(_, height)| height).fold(1.0, f64::max);
    let first = bars.first().map_or(0.0, |&(place, _)| place - width);
    let last = bars.last().map_or(1.0, |&(place, _)| place + width);
    let series = vec![Series::Bars(width, bars)];
    Chart { name: name.to_string(), x: first..last, y: 0.0..1.05 * most, series }
}

/// The rows of the table, each a group of bins.
fn score_rows(bins: &[ScoreBin]) -> Vec<(String, ScoreBin)> {
    let row = |from: i32, to: i32, name: String| {
        let within = |bin: &&ScoreBin| (f64::from(from)..f64::from(to)).contains(&bin.score);
        let sum = |sum: ScoreBin, bin: &ScoreBin| ScoreBin {
            positions: sum.positions + bin.positions,
            points: sum.points + bin.points,
            ..sum
        };
        (name, bins.iter().filter(within).fold(ScoreBin::default(), sum))
    };
    let mut rows = vec![row(-MAX_SCORE, -LAST_ROW, format!("below {}", -LAST_ROW))];
    rows.extend((-LAST_ROW / ROW..LAST_ROW / ROW).map(|i| {
        let (from, to) = (i * ROW, (i + 1) * ROW);
        row(from, to, format!("{from} to {}", to - 1))
    }));
    rows.push(row(LAST_ROW, MAX_SCORE, format!("from {LAST_ROW}")));
    rows
}

#[cfg(test)]
mod tests {
    use super::super::samples::{TempFile, extremes};
    use super::*;

    #[test]
    fn fuzzed() {
        let file = TempFile::new("fuzzed-statistics");
        crate::fuzzer::fuzz("statistics", extremes(), |game| {
            let Some(()) = file.write_fuzzed(game, &[]) else { return "damaged".to_string() };
            let mut statistics = Statistics::new();
            let games = GameReader::open(file.path()).expect("its head is right");
            games.for_each(|game| statistics.add(&game.expect("it can be read")));
            assert!(statistics.report().starts_with("1 games"));
            statistics.charts().expect("a page");
            let plies = statistics.lengths.len();
            format!("{}mates: {}", "ply ".repeat(plies.min(9)), statistics.mates > 0)
        });
    }
}
