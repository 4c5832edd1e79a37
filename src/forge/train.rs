//! `forge train`: trains a network on games.

mod checkpoint;
mod data_set;
mod gradient;
mod loss;
pub mod mean;
mod microbatch;
mod optimiser;
mod quantised;
mod weights;

use std::error::Error;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use crate::progress::Progress;
use clap::{Args, value_parser};
use engine::board::Position;
use engine::eval::file::{NetFile, NetFileError};
use engine::search::per_second;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::common::{FileError, not_negative, positive, replace, share, stop_flag};
use crate::games::{GameOutcome, GameReader, GamesError, Labels};
use checkpoint::TrainingState;
use data_set::{DataSet, Filter, Schedule, mix};
use gradient::{Workspace, forward};
use loss::{LossPoint, ValidationLoss, outputs_of, scores_log_loss, validate, validate_quantised};
use microbatch::{Buckets, Microbatch, TrainingPosition};
use optimiser::{Rates, Trainer, learning_rate_at};
use quantised::{
    FromError, MEAN_EVALUATION, SCORE_ONE, dequantise, factor_of_unit, fixed_positions,
    mean_evaluation, quantise,
};
use weights::{KingLayout, Merged, Shape, TILE, Weights};

/// Batches between two updates of the weights' average.
const BETWEEN_AVERAGES: u64 = 8;

#[derive(Args)]
pub struct TrainArguments {
    /// The files of games
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The network; its checkpoint and loss curve get its name with other endings
    #[arg(long, short)]
    out: PathBuf,
    /// Resume from the checkpoint
    #[arg(long)]
    resume: bool,
    /// Go on from a network of this shape or a smaller one, instead of random weights
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Threads; by default one for each core
    #[arg(long, value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    hyperparameters: Hyperparameters,
}

/// Everything that determines the resulting network, besides the games.
#[derive(Args, Debug)]
struct Hyperparameters {
    /// Neurons of the hidden layer for each perspective, a multiple of 32
    #[arg(long, default_value_t = 256, value_parser = hidden)]
    hidden: usize,
    /// King buckets; with more than one, they share a factoriser
    #[arg(long, value_enum, default_value_t = KingLayout::One)]
    king_buckets: KingLayout,
    /// Output buckets, chosen by the number of pieces
    #[arg(long, default_value_t = 8, value_parser = value_parser!(u8).range(1..=32))]
    output_buckets: u8,
    /// Further sums of each output, for its second layer; by default there is none
    #[arg(long, default_value_t = 0, value_parser = value_parser!(u8).range(0..=64))]
    sums: u8,
    /// How often each position is trained on
    #[arg(long, default_value_t = 14, value_parser = value_parser!(u32).range(1..))]
    epochs: u32,
    /// The number of positions to train on, in place of epochs: 4e9
    #[arg(long, value_parser = samples, conflicts_with = "epochs")]
    samples: Option<f64>,
    /// Positions in a batch
    #[arg(long, default_value_t = 16_384, value_parser = value_parser!(u32).range(1..))]
    batch: u32,
    /// The first learning rate; it decays to a thousandth
    #[arg(long, default_value_t = 0.001, value_parser = positive)]
    lr: f64,
    /// The learning rate of the hidden layer, as a share of the others'; use less if only a second layer is
    /// new
    #[arg(long, default_value_t = 1.0, value_parser = share)]
    feature_share: f64,
    /// The learning rate of the weights of threats, as a share of the others'
    #[arg(long, default_value_t = 1.0, value_parser = share)]
    threat_share: f64,
    /// How strongly weights are pulled towards 0, in proportion to the learning rate
    #[arg(long, default_value_t = 0.01, value_parser = not_negative)]
    weight_decay: f64,
    /// How strongly weights are pulled towards those that training started from
    #[arg(long, default_value_t = 0.0, value_parser = not_negative)]
    pull: f64,
    /// Write a moving average of the weights, which keeps this share of itself at each batch: 0.999
    #[arg(long, value_parser = share)]
    ema: Option<f64>,
    /// The share of the game's result in the target; the rest is the score
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    wdl: f64,
    /// The share of a position's score that comes from the following moves, as in TD(lambda)
    #[arg(long, default_value_t = 0.5, value_parser = share)]
    lambda: f64,
    /// The share of positions that forge play searched as labels; only those are trained on. One for all
    /// files, or one for each: 0.25,1
    #[arg(long, default_value = "1", value_delimiter = ',', value_parser = share)]
    labels: Vec<f64>,
    /// The scale of the sigmoid from scores to points; by default it is fitted to each file, or with
    /// --from it is the unit of networks, 400
    #[arg(long, value_parser = positive)]
    scale: Option<f64>,
    /// The share of games, chosen by their openings, for validation
    #[arg(long, default_value_t = 0.02, value_parser = share)]
    validation: f64,
    /// Positions in a chunk, drawn from all files, 32 bytes each; two chunks are in memory, one in training
    /// and one being read
    #[arg(long, default_value_t = 16_000_000, value_parser = value_parser!(u64).range(1..))]
    chunk: u64,
    /// The same seed gives the same network, with one thread
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn samples(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| (1.0..1e15).contains(number));
    number.map(f64::floor).ok_or_else(|| "a number of positions is needed, such as 4e9".to_string())
}

fn hidden(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n: &usize| *n > 0 && n.is_multiple_of(TILE));
    number.ok_or_else(|| format!("the hidden layer is a multiple of {TILE} wide"))
}

#[derive(Debug, thiserror::Error)]
enum TrainError {
    #[error("{} would be written over", .0.display())]
    Overwritten(PathBuf),
    #[error("{} is of unfinished training: --resume goes on from it, or remove it", .0.display())]
    Unfinished(PathBuf),
    #[error("stopped after {0} chunks; the same command with --resume goes on from there")]
    Stopped(u64),
    #[error("{}: {error}", .path.display())]
    From { path: PathBuf, error: FromError },
    #[error("--labels names {0} shares for {1} files: one for all is needed, or one for each")]
    Labels(usize, usize),
    #[error("the network cannot be used: {0}")]
    Unusable(NetFileError),
    #[error("training diverged; a smaller --lr may help")]
    Diverged,
}

pub fn run(arguments: &TrainArguments) -> Result<(), Box<dyn Error>> {
    let stop = stop_flag()?;
    let threads =
        rayon::ThreadPoolBuilder::new().num_threads(arguments.threads.unwrap_or(0).into());
    let threads = threads.build()?;
    let result = threads.install(|| Training::open(arguments)?.train(&|| stop.load(Relaxed)));
    result.map_err(|error| error as Box<dyn Error>)
}

/// An error that can pass between threads.
type SendError = Box<dyn Error + Send + Sync>;

struct Training<'a> {
    hyperparameters: &'a Hyperparameters,
    out: &'a Path,
    data_set: Arc<DataSet>,
    /// Of everything that must be the same when training resumes.
    fingerprint: u64,
    trainer: Trainer,
    state: TrainingState,
}

impl<'a> Training<'a> {
    fn open(arguments: &'a TrainArguments) -> Result<Training<'a>, SendError> {
        let hyperparameters = &arguments.hyperparameters;
        let out = arguments.out.as_path();
        let beside = ["checkpoint", "csv", "svg"].map(|ending| out.with_extension(ending));
        if arguments.games.iter().chain(&beside).any(|path| path == out) {
            return Err(TrainError::Overwritten(out.to_owned()).into());
        }
        let [checkpoint, ..] = beside;
        if !arguments.resume && checkpoint.exists() {
            return Err(TrainError::Unfinished(checkpoint).into());
        }
        let games = arguments.games.as_slice();
        let filter =
            |labels: f64| Filter { lambda: hyperparameters.lambda as f32, labels: Labels(labels) };
        let filters: Vec<Filter> = match hyperparameters.labels.as_slice() {
            &[labels] => vec![filter(labels); games.len()],
            labels if labels.len() == games.len() => labels.iter().copied().map(filter).collect(),
            labels => return Err(TrainError::Labels(labels.len(), games.len()).into()),
        };
        let scale = hyperparameters.scale.map(|scale| scale as f32);
        // With another scale, training would first have to relearn the network's own.
        let scale = scale.or(arguments.from.as_ref().map(|_| SCORE_ONE));
        let data_set = DataSet::open(games, filters, hyperparameters.validation, scale)?;
        for (file, (path, scale)) in games.iter().zip(&data_set.scales).enumerate() {
            let (path, positions) = (path.display(), data_set.positions_of(file));
            say!("{path}: {positions} positions, scale of the scores {scale:.0}");
        }
        let (games, positions) = (data_set.games(), data_set.positions());
        let validation = data_set.validation_set.len();
        say!("{games} games, {positions} positions to train on, {validation} for validation");

        let buckets = Buckets {
            king: hyperparameters.king_buckets.squares(),
            outputs: hyperparameters.output_buckets.into(),
        };
        let shape = Shape {
            hidden: hyperparameters.hidden,
            king_buckets: hyperparameters.king_buckets.count(),
            output_buckets: buckets.outputs,
            sums: hyperparameters.sums.into(),
        };
        let from = arguments.from.as_deref();
        let from = from.map(|path| fs::read(path).map_err(FileError::on(path)).map(|b| (path, b)));
        let from = from.transpose()?;
        let weights = match &from {
            None => Weights::random(shape, hyperparameters.seed),
            Some((path, bytes)) => {
                let wrong = |error| TrainError::From { path: path.to_path_buf(), error };
                let file = NetFile::parse(bytes).map_err(|error| wrong(error.into()))?;
                dequantise(&file, shape, &buckets.king, hyperparameters.seed).map_err(wrong)?
            }
        };
        let mut hasher = DefaultHasher::new();
        (format!("{hyperparameters:?}"), games, positions, from).hash(&mut hasher);
        let fingerprint = hasher.finish();
        let mut state = TrainingState::new(weights, hyperparameters.ema.is_some());
        if arguments.resume {
            state = state.resumed(&checkpoint, fingerprint)?;
        }
        let trainer = Trainer::new(&state.weights, buckets, hyperparameters.wdl as f32);
        // Checks that the file can be written before the work begins.
        state.save(&checkpoint, fingerprint)?;
        let data_set = Arc::new(data_set);
        Ok(Training { hyperparameters, out, data_set, fingerprint, trainer, state })
    }

    /// Trains to the end, then writes the network.
    fn train(mut self, is_stopped: &(dyn Fn() -> bool + Sync)) -> Result<(), SendError> {
        let (begin, seen, total) = (Instant::now(), self.seen() as u64, self.total() as u64);
        let mut progress = Progress::new(Some(total), seen);
        let data_set = Arc::clone(&self.data_set);
        let Hyperparameters { chunk: capacity, seed, .. } = *self.hyperparameters;
        let mut schedule = Schedule::new(&data_set, capacity as usize, seed);
        let mut chunk = schedule.next();
        for _ in 0..self.state.chunks {
            chunk = schedule.next();
        }
        let mut positions = if seen < total { data_set.load(&chunk)? } else { Vec::new() };
        while self.seen() < self.total() {
            let number = self.state.chunks + 1;
            let count = positions.len().min((self.total() - self.seen()) as usize);
            let is_last = self.seen() + count as f64 >= self.total();
            let report = |seen_now| {
                if is_stopped() {
                    return Err(TrainError::Stopped(number - 1));
                }
                let speed = per_second(seen_now - seen, begin.elapsed());
                let epoch = seen_now as f64 / data_set.positions() as f64 + 1.0;
                progress.update(seen_now, || format!("epoch {epoch:.0}, {speed} positions/s"));
                Ok(())
            };
            // The next chunk is read while this one is trained on.
            let next = schedule.next();
            let (training, loaded) = rayon::join(
                || self.train_chunk(&positions, count, number, report),
                || (!is_last && next != chunk).then(|| data_set.load(&next)).transpose(),
            );
            self.state.chunks = number;
            self.save(training?, count)?;
            positions = loaded?.unwrap_or(positions);
            chunk = next;
        }
        let speed = per_second(total - seen, begin.elapsed());
        progress.eprintln(&format!("{total} positions trained on, {speed} positions/s"));
        drop(progress);
        self.finish()
    }

    /// The network's name with another ending.
    fn beside(&self, ending: &str) -> PathBuf {
        self.out.with_extension(ending)
    }

    /// The number of positions to train on, repetitions included.
    fn total(&self) -> f64 {
        let epochs = f64::from(self.hyperparameters.epochs);
        self.hyperparameters.samples.unwrap_or_else(|| epochs * self.data_set.positions() as f64)
    }

    /// The number of positions trained on so far.
    fn seen(&self) -> f64 {
        self.state.loss_curve.last().map_or(0.0, |point| point.positions)
    }

    /// Trains once on each of these positions, or on `count` of them, and returns the mean loss. `report` is
    /// called with the number of positions seen so far.
    fn train_chunk(
        &mut self,
        positions: &[TrainingPosition],
        count: usize,
        number: u64,
        mut report: impl FnMut(u64) -> Result<(), TrainError>,
    ) -> Result<f64, TrainError> {
        let seed = mix(self.hyperparameters.seed ^ mix(number));
        let mut order: Vec<u32> = (0..positions.len() as u32).collect();
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        let (seen, total) = (self.seen(), self.total());
        let batches = (count / self.hyperparameters.batch as usize).max(1);
        let border = |batch: usize| count * batch / batches;
        let mut sum = 0.0;
        for batch in 0..batches {
            let (start, end) = (border(batch), border(batch + 1));
            report((seen + start as f64) as u64)?;
            let done = (seen + start as f64) / total;
            let rates = Rates {
                learning_rate: learning_rate_at(self.hyperparameters.lr, done),
                feature_share: self.hyperparameters.feature_share as f32,
                threat_share: self.hyperparameters.threat_share as f32,
                weight_decay: self.hyperparameters.weight_decay as f32,
                pull: self.hyperparameters.pull as f32,
            };
            let TrainingState { weights, optimiser, average, .. } = &mut self.state;
            let batch = &order[start..end];
            sum += self.trainer.train_batch(weights, optimiser, positions, batch, rates);
            if let (Some(average), Some(ema)) = (average, self.hyperparameters.ema)
                && optimiser.steps.is_multiple_of(BETWEEN_AVERAGES)
            {
                // The first averages count equally.
                let all_alike = 1.0 / (optimiser.steps / BETWEEN_AVERAGES + 1) as f64;
                let share = all_alike.max(1.0 - ema.powf(BETWEEN_AVERAGES as f64));
                average.approach(weights, share as f32);
            }
        }
        let loss = sum / count as f64;
        if loss.is_finite() { Ok(loss) } else { Err(TrainError::Diverged) }
    }

    /// Validates after a chunk, and writes checkpoint and loss curve.
    fn save(&mut self, training: f64, trained_on: usize) -> Result<(), SendError> {
        let validation = self.validate();
        let positions = self.seen() + trained_on as f64;
        let done = positions / self.total();
        self.state.loss_curve.push(LossPoint {
            positions,
            learning_rate: learning_rate_at(self.hyperparameters.lr, done).into(),
            training,
            validation: validation.squared_error,
            results: validation.log_loss,
        });
        self.state.save(&self.beside("checkpoint"), self.fingerprint)?;
        replace(&self.beside("csv"), loss::csv(&self.state.loss_curve).as_bytes())?;
        replace(&self.beside("svg"), loss::svg(&self.state.loss_curve)?.as_bytes())?;
        Ok(())
    }

    fn validate(&self) -> ValidationLoss {
        let (learned, Trainer { buckets, wdl, .. }) = (self.state.learned(), &self.trainer);
        let merged = Merged::new(learned);
        validate(learned, &merged, buckets, *wdl, &self.data_set.validation_set)
    }

    /// The mean absolute evaluation of the fixed positions.
    fn mean_evaluation(&self) -> f64 {
        let (mut batch, mut work) = (Microbatch::default(), Workspace::default());
        batch.fill(&fixed_positions(), &self.trainer.buckets, 0.0);
        let learned = self.state.learned();
        forward(learned, &Merged::new(learned), &batch, &mut work);
        mean_evaluation(&work.outputs)
    }

    /// Writes the network, and prints its validation losses.
    fn finish(&self) -> Result<(), SendError> {
        let (weights, mean) = (self.state.learned(), self.mean_evaluation());
        let (factor, fits) = factor_of_unit(weights, mean);
        say!("outputs times {factor:.3}: mean evaluation from {mean:.1} to {MEAN_EVALUATION:.1}");
        if !fits {
            let reached = mean * f64::from(factor);
            say!("no further than {reached:.1}, where an output weight reaches its bound");
        }
        let bytes = quantise(weights, &self.trainer.buckets.king, factor).to_bytes();
        let file = NetFile::parse(&bytes).map_err(TrainError::Unusable)?;
        replace(self.out, &bytes)?;
        fs::remove_file(self.beside("checkpoint")).ok();
        let validation_set = &self.data_set.validation_set;
        let exact = self.validate();
        let quantised = validate_quantised(&file, factor, self.trainer.wdl, validation_set);
        say!(
            "{}: validation loss {:.6}, before quantisation {:.6}",
            self.out.display(),
            quantised.squared_error,
            exact.squared_error
        );
        say!(
            "log loss of results {:.5}, before quantisation {:.5}, of the games' scores {:.5}",
            quantised.log_loss,
            exact.log_loss,
            scores_log_loss(validation_set)
        );
        Ok(())
    }
}

/// A network's evaluations, exactly as an engine would compute them, for any shape.
pub fn evaluations(file: &NetFile, positions: &[Position]) -> Vec<i32> {
    let positions: Vec<TrainingPosition> = positions
        .iter()
        .map(|position| TrainingPosition::new(position, 0, GameOutcome::Draw))
        .collect();
    outputs_of(file, &positions)
        .into_iter()
        .map(|output| (output * SCORE_ONE).round() as i32)
        .collect()
}

/// The mean squared error of a network, in points, on the training positions of some games, and the log loss
/// of their results. `None` if there are no such positions.
pub fn loss_on(
    file: &NetFile,
    games: GameReader,
) -> Result<Option<(usize, ValidationLoss)>, GamesError> {
    let filter = Filter { lambda: 0.0, labels: Labels(1.0) };
    let mut positions = Vec::new();
    for game in games {
        positions.extend(filter.positions(&game?).map(|mut position| {
            position.rescale(SCORE_ONE);
            position
        }));
    }
    let loss = || validate_quantised(file, 1.0, 0.0, &positions);
    Ok((!positions.is_empty()).then(|| (positions.len(), loss())))
}
