//! `forge labels`: what the scores of short searches know that the static evaluation does not.
//!
//! A label is worth what it explains of the static evaluation's error. Judged positions come with the
//! moves of their game, because a search of self-play is warm: table and histories are from the plies
//! before. Nothing is trained on these positions.

use std::error::Error;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, value_parser};
use engine::board::{Game, Move, Position};
use engine::eval::{Evaluator, Network};
use engine::search::{EngineError, SingleThread, Tunables};
use rand::seq::IndexedRandom;
use rayon::prelude::*;

use crate::common::{FileError, network};
use crate::games::{GameReader, GameRecord, ScoredPly};
use crate::play::{Player, label_search};
use crate::sigmoid::{best_scale, expected_points};
use engine::opening::random_stream;

/// Plies of the game that are searched before the position, with the limit of the label.
const WARM_PLIES: usize = 6;

/// The judge's centipawns that are a logit of 1.
const JUDGE_SCALE: f64 = 180.0;

/// Table size of a search in MB, as in `forge play`.
const HASH: usize = 4;

/// Sampled positions have at least so many plies of their game before them.
const MIN_PLIES: usize = 12;

/// A sampled position's score is at most this far from a draw.
const MAX_SCORE: i16 = 1000;

#[derive(Args)]
pub struct LabelsArguments {
    /// Judged positions, one a line: start, moves to the position, centipawns for the side to move,
    /// separated by tabs; with --sample a file of games
    file: PathBuf,
    /// Soft node limits of the labels
    #[arg(long, value_delimiter = ',', default_value = "400", value_parser = value_parser!(u64).range(1..1 << 40))]
    nodes: Vec<u64>,
    /// The tunables that differ from their defaults, as TOML; by default the label search, - for none
    #[arg(long, value_name = "FILE")]
    tunables: Option<PathBuf>,
    /// The network to use instead of the embedded one
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Print so many quiet positions of games, one a game, for a judge to score
    #[arg(long, value_name = "COUNT", conflicts_with_all = ["nodes", "tunables", "net"])]
    sample: Option<usize>,
    /// The same seed samples the same positions
    #[arg(long, default_value_t = 1, requires = "sample")]
    seed: u64,
}

#[derive(Debug, thiserror::Error)]
enum LabelsError {
    #[error("{}:{line}: {problem}", .path.display())]
    Line { path: PathBuf, line: usize, problem: String },
    #[error("{} has no judged positions", .0.display())]
    Empty(PathBuf),
}

pub fn run(arguments: &LabelsArguments) -> Result<(), Box<dyn Error>> {
    let path = &arguments.file;
    if let Some(count) = arguments.sample {
        return sample(path, count, arguments.seed);
    }
    let judged = read(path)?;
    let network = network(arguments.net.as_deref())?;
    let tunables = label_search(arguments.tunables.as_deref())?;
    for &nodes in &arguments.nodes {
        say!("{}", measure(&judged, &network, nodes, tunables)?);
    }
    Ok(())
}

/// A position with its game, and what the judge says of it.
#[derive(Debug)]
struct Judged {
    start: Position,
    moves: Vec<Move>,
    /// Expected points for the side to move.
    points: f64,
}

fn parse(line: &str) -> Result<Judged, String> {
    let mut fields = line.split('\t');
    let mut field = |name| fields.next().ok_or_else(|| format!("it has no {name}"));
    let start: Position = field("start")?.parse().map_err(|error| format!("start: {error}"))?;
    let mut position = start;
    let mut moves = Vec::new();
    for text in field("moves")?.split_whitespace() {
        let mv = position.parse_uci(text).map_err(|error| format!("{text}: {error}"))?;
        moves.push(mv);
        position = position.after(mv);
    }
    let score: f64 = field("score")?.trim().parse().map_err(|error| format!("score: {error}"))?;
    Ok(Judged { start, moves, points: expected_points(score, JUDGE_SCALE) })
}

fn read(path: &Path) -> Result<Vec<Judged>, Box<dyn Error>> {
    let text = fs::read_to_string(path).map_err(FileError::on(path))?;
    let lines = (1..).zip(text.lines());
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let wrong = |line, problem| LabelsError::Line { path: path.to_owned(), line, problem };
    let judged: Result<Vec<Judged>, _> =
        lines.map(|(line, text)| parse(text).map_err(|problem| wrong(line, problem))).collect();
    let judged = judged?;
    if judged.is_empty() {
        return Err(LabelsError::Empty(path.to_owned()).into());
    }
    Ok(judged)
}

/// What a search made of a position.
#[derive(Clone, Copy)]
struct Label {
    evaluation: i32,
    score: i32,
    /// Of the searches of all its plies, on average.
    nodes: f64,
}

/// The label of a position, searched after the plies before it.
fn label(player: &mut Player, network: &Network, judged: &Judged) -> Option<Label> {
    player.clear();
    let warm = judged.moves.len().saturating_sub(WARM_PLIES);
    let mut game = Game::new(judged.start);
    judged.moves[..warm].iter().for_each(|&mv| game.play(mv));
    for &mv in &judged.moves[warm..] {
        player.search(&game)?;
        game.play(mv);
    }
    player.take_searched();
    let score = player.search(&game)?.score;
    let nodes = player.take_searched() as f64;
    Some(Label { evaluation: network.evaluate(game.position()), score, nodes })
}

/// How much labels know.
struct Worth {
    limit: u64,
    positions: usize,
    nodes: f64,
    /// The share of (judge − evaluation) that (label − evaluation) explains.
    explained: f64,
    /// Root mean square errors.
    evaluation_error: f64,
    label_error: f64,
    /// Mean of label − judge.
    bias: f64,
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Worth { limit, positions, nodes, explained, evaluation_error, label_error, bias } =
            self;
        write!(
            f,
            "{limit} nodes ({nodes:.0} searched), {positions} positions: R² {explained:.4}, by node \
             {:.2e} ({:.2e} by node searched); error {label_error:.4} (bias {bias:+.4}), static \
             {evaluation_error:.4}",
            explained / *limit as f64,
            explained / nodes
        )
    }
}

fn measure(
    judged: &[Judged],
    network: &Arc<Network>,
    limit: u64,
    tunables: Tunables,
) -> Result<Worth, String> {
    let labels = judged.par_iter().map_init(
        || {
            let search = SingleThread::new(HASH)?;
            let evaluator = Evaluator::Network(Arc::clone(network));
            Ok(Player::new(search, evaluator, limit, tunables))
        },
        |player: &mut Result<Player, EngineError>, judged| {
            let player = player.as_mut().map_err(|error| error.to_string())?;
            label(player, network, judged).ok_or("a position has no legal move".to_string())
        },
    );
    let labels: Vec<Label> = labels.collect::<Result<_, _>>()?;
    let square_error = |of: &dyn Fn(&Label) -> i32, scale: f64| -> f64 {
        let square = |(judged, label): (&Judged, &Label)| {
            (expected_points(of(label).into(), scale) - judged.points).powi(2)
        };
        judged.iter().zip(&labels).map(square).sum()
    };
    let of_evaluation = |label: &Label| label.evaluation;
    let of_score = |label: &Label| label.score;
    let scale = best_scale(|scale| square_error(&of_evaluation, scale));
    let label_scale = best_scale(|scale| square_error(&of_score, scale));
    let count = judged.len() as f64;
    let points = |score: i32, scale: f64| expected_points(score.into(), scale);
    let wanted = judged.iter().zip(&labels).map(|(j, l)| j.points - points(l.evaluation, scale));
    let told = labels.iter().map(|l| points(l.score, label_scale) - points(l.evaluation, scale));
    let bias = judged.iter().zip(&labels).map(|(j, l)| points(l.score, label_scale) - j.points);
    Ok(Worth {
        limit,
        positions: judged.len(),
        nodes: labels.iter().map(|label| label.nodes).sum::<f64>() / count,
        explained: correlation_squared(wanted.zip(told)),
        evaluation_error: (square_error(&of_evaluation, scale) / count).sqrt(),
        label_error: (square_error(&of_score, label_scale) / count).sqrt(),
        bias: bias.sum::<f64>() / count,
    })
}

fn correlation_squared(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut n, mut x, mut y, mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for (a, b) in pairs {
        n += 1.0;
        x += a;
        y += b;
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    let (xx, yy, xy) = (xx - x * x / n, yy - y * y / n, xy - x * y / n);
    if xx * yy > 0.0 { xy * xy / (xx * yy) } else { 0.0 }
}

/// Prints quiet positions of games as this command reads them, but for the score.
fn sample(path: &Path, count: usize, seed: u64) -> Result<(), Box<dyn Error>> {
    let mut left = count;
    for (number, game) in (0..).zip(GameReader::open(path)?) {
        let game = game?;
        if left == 0 {
            break;
        }
        let mut random = random_stream(seed, number);
        if let Some(line) = quiet(&game).choose(&mut random) {
            say!("{}", line_of(&game, *line));
            left -= 1;
        }
    }
    Ok(())
}

/// The plies of a game before which the position is one that networks are trained on.
fn quiet(game: &GameRecord) -> Vec<usize> {
    let positions = game.positions().enumerate().skip(MIN_PLIES);
    let is_quiet = |&(_, (position, ply)): &(usize, (Position, ScoredPly))| {
        !position.in_check() && !position.is_noisy(ply.mv) && ply.score.abs() <= MAX_SCORE
    };
    positions.filter(is_quiet).map(|(number, _)| number).collect()
}

fn line_of(game: &GameRecord, ply: usize) -> String {
    let moves = game.positions().take(ply).map(|(position, ply)| position.uci(ply.mv, true));
    format!("{}\t{}", game.start.fen(), moves.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::samples;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn what_is_wrong_is_named() {
        let judged = parse(&format!("{START}\te2e4 e7e5\t0")).expect("a judged position");
        assert_eq!((judged.moves.len(), judged.points), (2, 0.5));
        for (line, wanted) in [
            ("8/8 w - - 0 1\t\t0".to_string(), "start: "),
            (format!("{START}\te2e4 e2e4\t0"), "e2e4: "),
            (format!("{START}\te2e4"), "it has no score"),
            (format!("{START}\te2e4\tmate"), "score: "),
        ] {
            let problem = parse(&line).expect_err(&line);
            assert!(problem.starts_with(wanted), "{line}: {problem}");
        }
    }

    #[test]
    fn what_explains_all_and_nothing() {
        let line = (0..10).map(|i| (f64::from(i), 3.0 - 2.0 * f64::from(i)));
        assert!((correlation_squared(line) - 1.0).abs() < 1e-12);
        let cross = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)];
        assert_eq!(correlation_squared(cross.into_iter()), 0.0);
        assert_eq!(correlation_squared([(1.0, 1.0)].into_iter()), 0.0);
    }

    /// What `--sample` prints is read again, but for the score.
    #[test]
    fn sampled_positions_are_quiet_and_read_again() {
        let mut count = 0;
        for game in samples::games(20, 5) {
            for ply in quiet(&game) {
                let judged = parse(&format!("{}\t0", line_of(&game, ply))).expect("a line");
                assert_eq!(judged.moves.len(), ply);
                count += 1;
            }
        }
        assert!(count > 100, "{count}");
    }
}
