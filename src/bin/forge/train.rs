//! A network learns from games.

mod checkpoint;
mod filter;
mod gradient;
mod judge;
mod library;
mod loss_curve;
mod optimiser;
mod order;
mod quantised;
mod record;
mod scale;
mod trainer;
mod weights;

use std::error::Error;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use clap::{Args, value_parser};
use zebu::eval::file::{NetFile, NetFileError};
use zebu::progress::Progress;
use zebu::search::per_second;

use crate::play::share;
use crate::stop::stop_flag;
use crate::whole::replace;
use checkpoint::State;
use filter::Filter;
use judge::{judge, judge_quantised, judge_scores};
use library::Library;
use loss_curve::Point;
use optimiser::{Optimiser, Pace, rate_at};
use order::{Order, scramble};
use quantised::quantise;
use record::{Goal, Record};
use trainer::{Shuffled, Trainer, first_weights};
use weights::{Shape, TILE};

#[derive(Args)]
pub struct Arguments {
    /// The files of games to learn from
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The network; its checkpoint, loss curve and picture of that get its name with their endings
    #[arg(long, short)]
    out: PathBuf,
    /// Go on from the checkpoint
    #[arg(long)]
    resume: bool,
    /// Threads that learn; without it one for each core
    #[arg(long, value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    settings: Settings,
}

/// All that decides which network comes out, beside the games.
#[derive(Args, Debug)]
struct Settings {
    /// Neurons for each side's view, a multiple of 32
    #[arg(long, default_value_t = 256, value_parser = hidden)]
    hidden: usize,
    /// Outputs, one of which the number of pieces chooses
    #[arg(long, default_value_t = 8, value_parser = value_parser!(u8).range(1..=32))]
    buckets: u8,
    /// How often each position is learned from
    #[arg(long, default_value_t = 30, value_parser = value_parser!(u32).range(1..))]
    epochs: u32,
    /// Positions between two steps
    #[arg(long, default_value_t = 16_384, value_parser = value_parser!(u32).range(1..))]
    batch: u32,
    /// How far the first steps go; it falls to a hundredth of that
    #[arg(long, default_value_t = 0.001, value_parser = positive)]
    rate: f64,
    /// How fast weights decay that nothing holds
    #[arg(long, default_value_t = 0.01, value_parser = not_negative)]
    decay: f64,
    /// The share of the game's result in what is learned; the rest is the score's
    #[arg(long, default_value_t = 0.7, value_parser = share)]
    result: f64,
    /// The score at which the odds are e to 1; without it, what fits the games
    #[arg(long, value_parser = positive)]
    scale: Option<f64>,
    /// The share of games, chosen by how they start, to judge by and not to learn from
    #[arg(long, default_value_t = 0.02, value_parser = share)]
    held_out: f64,
    /// Plies at the start of each game to leave out
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// The largest score, to either side, to learn from
    #[arg(long, default_value_t = 2000, value_parser = value_parser!(i16).range(1..))]
    limit: i16,
    /// Positions to have in memory at a time, 32 bytes each
    #[arg(long, default_value_t = 16_000_000, value_parser = value_parser!(u64).range(1..))]
    memory: u64,
    /// The same seed gives the same network, with one thread
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn hidden(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n: &usize| *n > 0 && n.is_multiple_of(TILE));
    number.ok_or_else(|| format!("the hidden layer is a multiple of {TILE} wide"))
}

fn not_negative(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number >= 0.0 && number.is_finite());
    number.ok_or_else(|| "a number that is not below 0 is needed".to_string())
}

fn positive(text: &str) -> Result<f64, String> {
    not_negative(text)?;
    text.parse().ok().filter(|number| *number > 0.0).ok_or_else(|| "0 is too little".to_string())
}

#[derive(Debug, thiserror::Error)]
enum TrainError {
    #[error("{} would be written over", .0.display())]
    Overwritten(PathBuf),
    #[error("{} is of training that was not finished: --resume goes on, removing it begins anew", .0.display())]
    Unfinished(PathBuf),
    #[error("stopped after {0} passes; the same command with --resume goes on from there")]
    Stopped(u64),
    #[error("the network cannot be used: {0}")]
    Unusable(NetFileError),
    #[error("the weights grew beyond all numbers; a smaller --rate may help")]
    Diverged,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let stop = stop_flag()?;
    let threads =
        rayon::ThreadPoolBuilder::new().num_threads(arguments.threads.unwrap_or(0).into());
    let threads = threads.build()?;
    let done = threads.install(|| Workshop::open(arguments)?.train(&|| stop.load(Relaxed)));
    done.map_err(|error| error as Box<dyn Error>)
}

/// An error that threads may hand to each other.
type Fault = Box<dyn Error + Send + Sync>;

struct Workshop<'a> {
    settings: &'a Settings,
    out: &'a Path,
    library: Library,
    /// Of all that must be the same when training goes on.
    fingerprint: u64,
    goal: Goal,
    trainer: Trainer,
    state: State,
}

impl<'a> Workshop<'a> {
    fn open(arguments: &'a Arguments) -> Result<Workshop<'a>, Fault> {
        let (settings, out) = (&arguments.settings, arguments.out.as_path());
        let beside = ["checkpoint", "csv", "svg"].map(|ending| out.with_extension(ending));
        if arguments.games.iter().chain(&beside).any(|path| path == out) {
            return Err(TrainError::Overwritten(out.to_owned()).into());
        }
        let [checkpoint, ..] = beside;
        if !arguments.resume && checkpoint.exists() {
            return Err(TrainError::Unfinished(checkpoint).into());
        }
        let filter = Filter { skip: settings.skip, limit: settings.limit };
        let library = Library::open(&arguments.games, filter, settings.held_out)?;
        let (games, positions) = (library.games(), library.positions());
        let held_out = library.held_out.len();
        println!("{games} games, {positions} positions to learn from, {held_out} to judge by");

        let mut hasher = DefaultHasher::new();
        (format!("{settings:?}"), games, positions).hash(&mut hasher);
        let fingerprint = hasher.finish();
        let shape = Shape { hidden: settings.hidden, buckets: settings.buckets.into() };
        let state = if arguments.resume {
            State::load(&checkpoint, fingerprint, shape)?
        } else {
            State {
                weights: first_weights(shape, settings.seed),
                optimiser: Optimiser::new(shape),
                scale: match settings.scale {
                    Some(scale) => scale as f32,
                    None => fitted_scale(&library)?,
                },
                passes: 0,
                curve: Vec::new(),
            }
        };
        println!("a score of {:.0} counts as 73 % of the point", state.scale);
        let goal = Goal { result: settings.result as f32, scale: state.scale };
        let trainer = Trainer::new(shape, goal);
        // Whether it can be written turns out before the work.
        state.save(&checkpoint, fingerprint)?;
        Ok(Workshop { settings, out, library, fingerprint, goal, trainer, state })
    }

    /// Learns from all games as often as is wanted, then writes the network.
    fn train(mut self, is_stopped: &dyn Fn() -> bool) -> Result<(), Fault> {
        let (begin, seen, total) = (Instant::now(), self.seen() as u64, self.total() as u64);
        let mut progress = Progress::new(Some(total), seen);
        let mut records = Vec::new();
        let mut pass = 0;
        for epoch in 0..self.settings.epochs {
            let seed = scramble(self.settings.seed.wrapping_add(epoch.into()));
            let shelves = self.library.shelves(self.settings.memory as usize, seed);
            for shelf in &shelves {
                pass += 1;
                if pass <= self.state.passes {
                    continue;
                }
                if records.is_empty() || shelves.len() > 1 {
                    // There may not be room for the old ones and the new.
                    drop(std::mem::take(&mut records));
                    records = self.library.fetch(shelf)?;
                }
                let training = self.learn(&records, pass, |seen_now| {
                    if is_stopped() {
                        return Err(TrainError::Stopped(pass - 1));
                    }
                    let speed = per_second(seen_now - seen, begin.elapsed());
                    progress
                        .update(seen_now, || format!("epoch {}, {speed} positions/s", epoch + 1));
                    Ok(())
                })?;
                self.state.passes = pass;
                self.note(training, records.len())?;
            }
        }
        let speed = per_second(total - seen, begin.elapsed());
        progress.eprintln(&format!("{total} positions learned from, {speed} positions/s"));
        drop(progress);
        self.finish()
    }

    /// The file with the network's name and another ending.
    fn beside(&self, ending: &str) -> PathBuf {
        self.out.with_extension(ending)
    }

    /// How often a position will have been learned from.
    fn total(&self) -> f64 {
        f64::from(self.settings.epochs) * self.library.positions() as f64
    }

    /// How often one has been so far.
    fn seen(&self) -> f64 {
        self.state.curve.last().map_or(0.0, |point| point.positions)
    }

    /// Learns from each of these once, and gives the mean loss. `tell` hears how many positions
    /// have been learned from in all.
    fn learn(
        &mut self,
        records: &[Record],
        pass: u64,
        mut tell: impl FnMut(u64) -> Result<(), TrainError>,
    ) -> Result<f64, TrainError> {
        let order = Order::new(records.len(), scramble(self.settings.seed ^ scramble(pass)));
        let shuffled = Shuffled { records, order };
        let (seen, total) = (self.seen(), self.total());
        let batches = (records.len() / self.settings.batch as usize).max(1);
        let border = |batch: usize| records.len() * batch / batches;
        let mut sum = 0.0;
        for batch in 0..batches {
            let (start, end) = (border(batch), border(batch + 1));
            tell((seen + start as f64) as u64)?;
            let rate = rate_at(self.settings.rate, (seen + start as f64) / total);
            let pace = Pace { rate, decay: self.settings.decay as f32 };
            let State { weights, optimiser, .. } = &mut self.state;
            sum += self.trainer.learn(weights, optimiser, shuffled, start..end, pace);
        }
        let loss = sum / records.len() as f64;
        if loss.is_finite() { Ok(loss) } else { Err(TrainError::Diverged) }
    }

    /// Notes how far it has come, in memory and on the disk.
    fn note(&mut self, training: f64, learned: usize) -> Result<(), Fault> {
        let verdict = judge(&self.state.weights, self.goal, &self.library.held_out);
        let positions = self.seen() + learned as f64;
        self.state.curve.push(Point {
            positions,
            rate: rate_at(self.settings.rate, positions / self.total()).into(),
            training,
            validation: verdict.loss,
            results: verdict.log_loss,
        });
        self.state.save(&self.beside("checkpoint"), self.fingerprint)?;
        replace(&self.beside("csv"), loss_curve::csv(&self.state.curve).as_bytes())?;
        replace(&self.beside("svg"), loss_curve::svg(&self.state.curve)?.as_bytes())?;
        Ok(())
    }

    /// Writes the network, and says what it is worth.
    fn finish(&self) -> Result<(), Fault> {
        let bytes = quantise(&self.state.weights).to_bytes();
        let file = NetFile::parse(&bytes).map_err(TrainError::Unusable)?;
        replace(self.out, &bytes)?;
        fs::remove_file(self.beside("checkpoint")).ok();
        let held_out = &self.library.held_out;
        let learned = judge(&self.state.weights, self.goal, held_out);
        let quantised = judge_quantised(&file, self.goal, held_out);
        println!(
            "{}: loss on games held out {:.6}, before it was quantised {:.6}",
            self.out.display(),
            quantised.loss,
            learned.loss
        );
        println!(
            "log loss of their results {:.5}, before {:.5}, by the games' own scores {:.5}",
            quantised.log_loss,
            learned.log_loss,
            judge_scores(self.goal.scale, held_out)
        );
        Ok(())
    }
}

/// What fits as many of the games as are needed.
fn fitted_scale(library: &Library) -> Result<f32, Fault> {
    let shelves = library.shelves(scale::ENOUGH, 0);
    Ok(scale::fit(&library.fetch(&shelves[0])?))
}
