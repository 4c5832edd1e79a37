//! `forge inspect`: statistics of a file of games, as text and charts.

use std::error::Error;
use std::path::PathBuf;

use clap::Args;

use super::plot;
use super::statistics::{MAX_SCORE, Statistics};
use super::{GameOutcome, GameReader};
use crate::sigmoid::{ScoreBin, fitted_scale, log_loss};

/// The width of the score rows, and where they end.
const ROW: i32 = 100;
const LAST_ROW: i32 = 1000;

/// The length of the longest bar.
const BAR: f64 = 40.0;

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
    print!("{}", report(&statistics));
    if let Some(path) = &arguments.plot {
        plot::draw(&statistics, path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn report(statistics: &Statistics) -> String {
    let counts = &statistics.counts;
    let positions = counts.positions.max(1) as f64;
    let percent = |part: u64| 100.0 * part as f64 / positions;
    let scale = fitted_scale(&statistics.bins);
    let mut text = format!(
        "{} games, {} positions, {:.1} plies a game, at most {}\n\
         White won {:.1} %, drawn {:.1} %, Black won {:.1} %\n\
         duplicates: {} games, {} openings, about {:.1} % of the positions\n\
         in check {:.1} %, else capturing or promoting {:.1} %, mate scores {:.1} %\n\
         sigmoid of scores against results: scale {scale:.0}, log loss {:.4}\n",
        counts.games(),
        counts.positions,
        positions / counts.games().max(1) as f64,
        statistics.lengths.len().saturating_sub(1),
        counts.percent(GameOutcome::WhiteWins),
        counts.percent(GameOutcome::Draw),
        counts.percent(GameOutcome::BlackWins),
        statistics.duplicate_games(),
        statistics.duplicate_openings(),
        statistics.duplicate_positions(),
        percent(statistics.in_check),
        percent(statistics.noisy),
        percent(statistics.mates),
        log_loss(&statistics.bins, scale),
    );

    let most = |shares: &[f64]| shares.iter().copied().fold(0.0, f64::max).max(1e-9);
    let bar = |share: f64, most: f64| "█".repeat((BAR * share / most).round() as usize);

    text += "\nscore of the side to move, share of positions, points\n";
    let rows = score_rows(&statistics.bins);
    let shares: Vec<f64> = rows.iter().map(|row| 100.0 * row.bin.positions / positions).collect();
    for (row, &share) in rows.iter().zip(&shares) {
        let points = row.bin.points / row.bin.positions.max(1.0);
        let bar = bar(share, most(&shares));
        text += &format!("{:>14}  {share:5.1} %  {points:.3}  {bar}\n", row.name);
    }

    text += "\npieces on the board, share of positions\n";
    let phases: Vec<f64> =
        statistics.pieces[1..].chunks(4).map(|group| percent(group.iter().sum())).collect();
    for (i, &share) in phases.iter().enumerate() {
        let (first, last) = (4 * i + 1, 4 * i + 4);
        let bar = bar(share, most(&phases));
        text += &format!("{:>14}  {share:5.1} %  {bar}\n", format!("{first} to {last}"));
    }
    text
}

/// A row of the table: some bins together.
struct ScoreRow {
    name: String,
    bin: ScoreBin,
}

fn score_rows(bins: &[ScoreBin]) -> Vec<ScoreRow> {
    let row = |from: i32, to: i32, name: String| {
        let within = |bin: &&ScoreBin| (f64::from(from)..f64::from(to)).contains(&bin.score);
        let sum = |sum: ScoreBin, bin: &ScoreBin| ScoreBin {
            positions: sum.positions + bin.positions,
            points: sum.points + bin.points,
            ..sum
        };
        ScoreRow { name, bin: bins.iter().filter(within).fold(ScoreBin::default(), sum) }
    };
    let mut rows = vec![row(-MAX_SCORE, -LAST_ROW, format!("below {}", -LAST_ROW))];
    rows.extend((-LAST_ROW / ROW..LAST_ROW / ROW).map(|i| {
        let (from, to) = (i * ROW, (i + 1) * ROW);
        row(from, to, format!("{from} to {}", to - 1))
    }));
    rows.push(row(LAST_ROW, MAX_SCORE, format!("from {LAST_ROW}")));
    rows
}
