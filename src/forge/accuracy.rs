//! `forge accuracy`: the error of evaluations or searches on positions with known scores.
//!
//! On an EPD file it is the yardstick of networks: the root mean square error in expected points against the
//! file's judges, after one scale has been fitted. It is only for measuring; no network is trained on it. On
//! games it is the training loss.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, value_parser};
use engine::board::Position;
use engine::eval::{Evaluator, Network};
use engine::notation::EpdLine;
use engine::search::{Limits, SingleThread, Task};
use engine::system::text::shortened;
use rayon::prelude::*;

use crate::common::{FileError, net_file, network};
use crate::games::{GameReader, GamesError};
use crate::sigmoid::{best_scale, expected_points};
use crate::train::{evaluations, loss_on};

/// The EPD operations of the judges, and the centipawns per logit of each.
const JUDGES: [(&str, f64); 2] = [("ce", 180.0), ("c0", 200.0)];

/// The table size of a search in MB.
const HASH: usize = 16;

/// Upper bounds of the groups by number of pieces, and by the judges' distance from a draw in points.
const PIECES: [usize; 4] = [8, 16, 24, 32];
const DISTANCES: [f64; 4] = [0.1, 0.2, 0.35, 0.5];

#[derive(Args)]
pub struct AccuracyArguments {
    /// EPD with the judges' centipawns in `ce` and perhaps `c0`, whose mean in points is used; or games,
    /// whose own scores are used
    file: PathBuf,
    /// The network to use instead of the embedded one
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Measure the scores of a search of so many nodes instead of the evaluation, on EPD
    #[arg(long, value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,
}

#[derive(Debug, thiserror::Error)]
enum AccuracyError {
    #[error("{}:{line}: {error}", .path.display())]
    Line { path: PathBuf, line: usize, error: String },
    #[error("{} has no positions", .0.display())]
    Empty(PathBuf),
    #[error("{} has games: --nodes takes EPD", .0.display())]
    Nodes(PathBuf),
}

struct Judged {
    position: Position,
    /// The judges' expected points for the side to move.
    points: f64,
}

impl Judged {
    fn parse(line: &str) -> Result<Judged, String> {
        let epd = EpdLine::parse(line).map_err(|error| error.to_string())?;
        let mut points = Vec::new();
        for (name, scale) in JUDGES {
            if let Some(operand) = epd.operand(name) {
                let score = operand.trim_matches('"').parse().ok();
                let score = score.filter(|score: &f64| score.is_finite()).ok_or_else(|| {
                    format!("{name} is '{}', and a number is needed", shortened(operand))
                })?;
                points.push(expected_points(score, scale));
            }
        }
        if points.is_empty() {
            return Err("it has no score: ce is needed".to_string());
        }
        let mean = points.iter().sum::<f64>() / points.len() as f64;
        Ok(Judged { position: epd.position, points: mean })
    }

    /// How far the judges' verdict is from a draw.
    fn distance(&self) -> f64 {
        (self.points - 0.5).abs()
    }
}

pub fn run(arguments: &AccuracyArguments) -> Result<(), Box<dyn Error>> {
    let path = &arguments.file;
    match GameReader::open(path) {
        Ok(games) => return on_games(arguments, games),
        Err(GamesError::Foreign(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let text = fs::read_to_string(path).map_err(FileError::on(path))?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let judged: Vec<Judged> = lines
        .map(|(line, epd)| {
            let wrong = |error| AccuracyError::Line { path: path.clone(), line, error };
            Judged::parse(epd).map_err(wrong)
        })
        .collect::<Result<_, _>>()?;
    if judged.is_empty() {
        return Err(AccuracyError::Empty(path.clone()).into());
    }
    let positions: Vec<Position> = judged.iter().map(|judged| judged.position).collect();
    let net = arguments.net.as_deref();
    let scores = match arguments.nodes {
        None => evaluations(&net_file(net)?, &positions),
        Some(nodes) => search(&network(net)?, nodes, &positions)?,
    };
    say!("{}", report(&judged, &scores).trim_end());
    Ok(())
}

/// The scores of a search of each position.
fn search(network: &Arc<Network>, nodes: u64, positions: &[Position]) -> Result<Vec<i32>, String> {
    let scores = positions.par_iter().map_init(
        || SingleThread::new(HASH),
        |search, &position| {
            let search = search.as_mut().map_err(|error| error.to_string())?;
            let evaluator = Evaluator::Network(Arc::clone(network));
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            search.clear();
            let found = search.search(Task { evaluator, ..Task::new(position, limits) });
            Ok(found.ok_or("a position has no legal move")?.score)
        },
    );
    scores.collect()
}

fn on_games(arguments: &AccuracyArguments, games: GameReader) -> Result<(), Box<dyn Error>> {
    let path = &arguments.file;
    if arguments.nodes.is_some() {
        return Err(AccuracyError::Nodes(path.clone()).into());
    }
    let loss = loss_on(&net_file(arguments.net.as_deref())?, games)?;
    let (positions, loss) = loss.ok_or_else(|| AccuracyError::Empty(path.clone()))?;
    say!(
        "{positions} positions: squared error {:.3} thousandths, log loss of results {:.5}",
        1000.0 * loss.squared_error,
        loss.log_loss
    );
    Ok(())
}

fn report(judged: &[Judged], scores: &[i32]) -> String {
    let squares = |scale: f64| -> Vec<f64> {
        let square = |(judged, &score): (&Judged, &i32)| {
            (expected_points(f64::from(score), scale) - judged.points).powi(2)
        };
        judged.iter().zip(scores).map(square).collect()
    };
    let scale = best_scale(|scale| squares(scale).iter().sum());
    let squares = squares(scale);

    let row = |name: &str, belongs: &dyn Fn(&Judged) -> bool| {
        let of = judged.iter().zip(&squares).filter(|(judged, _)| belongs(judged));
        let group: Vec<f64> = of.map(|(_, &square)| square).collect();
        let (error, deviation) = root_mean_square(&group);
        format!("{name:<22} {:>5}  {error:.4} ± {deviation:.4}\n", group.len())
    };
    let mut text = row("all", &|_| true);
    let mut least = 1;
    for most in PIECES {
        let range = least..=most;
        text += &row(&format!("{least} to {most} pieces"), &|judged| {
            range.contains(&(judged.position.occupied().len() as usize))
        });
        least = most + 1;
    }
    let mut least = 0.0;
    for most in DISTANCES {
        let range = least..most;
        text += &row(&format!("{least:.2} to {most:.2} from a draw"), &|judged| {
            range.contains(&judged.distance())
        });
        least = most;
    }
    let right = judged
        .iter()
        .zip(scores)
        .filter(|(judged, score)| (judged.points - 0.5) * f64::from(**score) > 0.0);
    let share = 100.0 * right.count() as f64 / judged.len() as f64;
    text + &format!("right sign {share:.1} %, scale {scale:.0}\n")
}

/// The root of the mean, and its standard error.
fn root_mean_square(squares: &[f64]) -> (f64, f64) {
    let count = squares.len().max(1) as f64;
    let mean = squares.iter().sum::<f64>() / count;
    let variance = squares.iter().map(|square| (square - mean).powi(2)).sum::<f64>() / count;
    let root = mean.sqrt();
    (root, (variance / count).sqrt() / (2.0 * root).max(f64::MIN_POSITIVE))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn the_judges_are_averaged_in_points() {
        let points = |operations: &str| Judged::parse(&format!("{START} {operations}"));
        assert_eq!(points("ce 0;").unwrap().points, 0.5);
        let both = points("ce 180; c0 \"-200\";").unwrap().points;
        assert!((both - 0.5).abs() < 1e-12);
        assert!(points("bm e4;").is_err_and(|error| error.contains("ce is needed")));
        assert!(points("ce nan;").is_err_and(|error| error.contains("a number is needed")));
    }

    #[test]
    fn fuzzed() {
        let lines = ["ce 180; c0 \"-200\";", "ce 1e9; id \"a\";", "ce inf;", "c0 nan"];
        let corpus = lines.map(|operations| format!("{START} {operations}").into_bytes());
        crate::fuzzer::fuzz("judged", corpus.to_vec(), |bytes| {
            match Judged::parse(&String::from_utf8_lossy(bytes)) {
                Ok(judged) => {
                    assert!((0.0..=1.0).contains(&judged.points));
                    let text = report(&[judged], &[100]);
                    assert!(!text.contains("NaN"), "{text}");
                    text
                }
                Err(error) => error,
            }
        });
    }

    #[test]
    fn one_scale_is_fitted() {
        let judged: Vec<Judged> = (-30..30)
            .map(|i| Judged::parse(&format!("{START} ce {};", 20 * i + 1)).unwrap())
            .collect();
        let scores: Vec<i32> = (-30..30).map(|i| 2 * (20 * i + 1)).collect();
        let report = report(&judged, &scores);
        assert!(report.contains("right sign 100.0 %, scale 36"), "{report}");
        assert!(report.lines().next().unwrap().contains("60  0.000"), "{report}");
    }
}
