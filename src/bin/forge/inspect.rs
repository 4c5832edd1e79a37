//! What is in a file of games, in words and as a picture.

use std::error::Error;
use std::path::PathBuf;

use clap::Args;

use crate::curve::{Bin, fitted_scale, log_loss};
use crate::games::{Outcome, Reader};
use crate::picture;
use crate::survey::{LARGEST, Survey};

/// The width of the score rows, and where they end.
const ROW: i32 = 100;
const LAST_ROW: i32 = 1000;

/// The length of the longest bar.
const BAR: f64 = 40.0;

#[derive(Args)]
pub struct Arguments {
    /// The file of games
    games: PathBuf,
    /// Draw it too, into this SVG file
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let mut survey = Survey::new();
    for game in Reader::open(&arguments.games)? {
        survey.count(&game?)?;
    }
    print!("{}", in_words(&survey));
    if let Some(path) = &arguments.picture {
        picture::draw(&survey, path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn in_words(survey: &Survey) -> String {
    let tally = &survey.tally;
    let positions = tally.positions.max(1) as f64;
    let percent = |part: u64| 100.0 * part as f64 / positions;
    let scale = fitted_scale(&survey.bins);
    let mut text = format!(
        "{} games, {} positions, {:.1} plies a game, at most {}\n\
         White won {:.1} %, drawn {:.1} %, Black won {:.1} %\n\
         again: {} games, {} openings, about {:.1} % of the positions\n\
         in check {:.1} %, else capturing or promoting {:.1} %, mate in sight {:.1} %\n\
         points by score fit a scale of {scale:.0} with a log loss of {:.4}\n",
        tally.games(),
        tally.positions,
        positions / tally.games().max(1) as f64,
        survey.lengths.len().saturating_sub(1),
        tally.percent(Outcome::WhiteWins),
        tally.percent(Outcome::Draw),
        tally.percent(Outcome::BlackWins),
        survey.games_again(),
        survey.openings_again(),
        survey.positions_again(),
        percent(survey.in_check),
        percent(survey.noisy),
        percent(survey.mates),
        log_loss(&survey.bins, scale),
    );

    let most = |shares: &[f64]| shares.iter().copied().fold(0.0, f64::max).max(1e-9);
    let bar = |share: f64, most: f64| "█".repeat((BAR * share / most).round() as usize);

    text += "\nscore of the side to move, share of positions, points\n";
    let rows = score_rows(&survey.bins);
    let shares: Vec<f64> = rows.iter().map(|row| 100.0 * row.bin.positions / positions).collect();
    for (row, &share) in rows.iter().zip(&shares) {
        let points = row.bin.points / row.bin.positions.max(1.0);
        let bar = bar(share, most(&shares));
        text += &format!("{:>14}  {share:5.1} %  {points:.3}  {bar}\n", row.name);
    }

    text += "\npieces on the board, share of positions\n";
    let phases: Vec<f64> =
        survey.pieces[1..].chunks(4).map(|group| percent(group.iter().sum())).collect();
    for (i, &share) in phases.iter().enumerate() {
        let (first, last) = (4 * i + 1, 4 * i + 4);
        let bar = bar(share, most(&phases));
        text += &format!("{:>14}  {share:5.1} %  {bar}\n", format!("{first} to {last}"));
    }
    text
}

/// A row of the text: bins put together.
struct Row {
    name: String,
    bin: Bin,
}

fn score_rows(bins: &[Bin]) -> Vec<Row> {
    let row = |from: i32, to: i32, name: String| {
        let within = |bin: &&Bin| (f64::from(from)..f64::from(to)).contains(&bin.score);
        let sum = |sum: Bin, bin: &Bin| Bin {
            positions: sum.positions + bin.positions,
            points: sum.points + bin.points,
            ..sum
        };
        Row { name, bin: bins.iter().filter(within).fold(Bin::default(), sum) }
    };
    let mut rows = vec![row(-LARGEST, -LAST_ROW, format!("below {}", -LAST_ROW))];
    rows.extend((-LAST_ROW / ROW..LAST_ROW / ROW).map(|i| {
        let (from, to) = (i * ROW, (i + 1) * ROW);
        row(from, to, format!("{from} to {}", to - 1))
    }));
    rows.push(row(LAST_ROW, LARGEST, format!("from {LAST_ROW}")));
    rows
}
