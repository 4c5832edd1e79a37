//! Simultaneous perturbation stochastic approximation, in the convention of fishtest.
//!
//! Each iteration moves all parameters at once, each up or down by its step, and lets the two sets play. Then
//! all parameters move a little in the winner's direction.
//!
//! Iterations come in batches. Those of a batch start from the values after all batches except the previous
//! one. Threads therefore need not wait for each other at the end of a batch, and yet the result depends
//! neither on them nor on interruptions.

use std::error::Error;
use std::fmt::Write;
use std::iter;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::common::on_threads;
use engine::opening::random_stream;

/// The exponents by which the rate and the step decrease.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// The offset of the rate's decay, as a share of all iterations.
const STABILITY: f64 = 0.1;

/// At the end, a win moves a parameter by this part of its step.
pub const R_END: f64 = 0.002;

/// The least number of points in the path of a run, if it has as many batches.
const PATH_POINTS: u64 = 400;

/// The most batches in a run.
const MOST_BATCHES: u64 = 1 << 32;

/// How often a waiting thread checks whether to stop.
const STOP_CHECK: Duration = Duration::from_millis(100);

#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub start: f64,
    pub min: f64,
    pub max: f64,
    /// The distance up and down in the last iteration.
    pub step: f64,
}

#[derive(Clone, Debug)]
pub struct Spsa {
    pub parameters: Vec<Parameter>,
    pub iterations: u64,
    pub r_end: f64,
    pub seed: u64,
}

/// The two sets of an iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perturbation {
    pub plus: Vec<i32>,
    pub minus: Vec<i32>,
}

impl Spsa {
    /// The step of an iteration, counted from 0, relative to the last one.
    fn step_factor(&self, iteration: u64) -> f64 {
        (self.iterations as f64 / (iteration + 1) as f64).powf(GAMMA)
    }

    /// The part of its step by which a win moves a parameter.
    fn rate(&self, iteration: u64) -> f64 {
        let last = self.iterations as f64;
        let stability = STABILITY * last;
        let factor = ((stability + last) / (stability + (iteration + 1) as f64)).powf(ALPHA);
        // The rate applies to the square of the final step: a greater step moves less.
        self.r_end * factor / self.step_factor(iteration)
    }

    /// For each parameter, whether the plus side of an iteration moves it up, and a number for rounding.
    fn draws(&self, iteration: u64) -> Vec<(f64, f64)> {
        let mut random = random_stream(!self.seed, iteration);
        let draws = self.parameters.iter().map(|_| {
            let sign = if random.random_bool(0.5) { 1.0 } else { -1.0 };
            (sign, random.random())
        });
        draws.collect()
    }

    /// The sets around these values. Both are rounded at random in the same way, so that fractions count and
    /// the distance between the sets stays.
    pub fn perturbation(&self, values: &[f64], iteration: u64) -> Perturbation {
        let factor = self.step_factor(iteration);
        let set = |side: f64| {
            let all = self.parameters.iter().zip(values).zip(self.draws(iteration));
            let moved = all.map(|((parameter, value), (sign, rounding))| {
                let moved = value + side * sign * factor * parameter.step;
                (moved.clamp(parameter.min, parameter.max) + rounding).floor() as i32
            });
            moved.collect()
        };
        Perturbation { plus: set(1.0), minus: set(-1.0) }
    }

    /// Updates the values after an iteration. `result` is the plus side's wins minus its losses.
    pub fn update(&self, values: &mut [f64], iteration: u64, result: i32) {
        let rate = self.rate(iteration) * f64::from(result);
        let draws = self.draws(iteration);
        for ((value, parameter), (sign, _)) in values.iter_mut().zip(&self.parameters).zip(draws) {
            *value = (*value + rate * sign * parameter.step).clamp(parameter.min, parameter.max);
        }
    }

    pub fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }

    /// The parameters that moved most, relative to their steps.
    pub fn changes(&self, values: &[f64]) -> String {
        const SHOWN: usize = 3;
        let all = self.parameters.iter().zip(values);
        let mut moved: Vec<_> = all.map(|(p, value)| (p, (value - p.start) / p.step)).collect();
        moved.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let shown = moved.iter().take(SHOWN).map(|(p, steps)| format!("{} {steps:+.1}", p.name));
        format!("steps: {}", shown.collect::<Vec<_>>().join(", "))
    }
}

/// The progress of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progressed {
    /// Complete batches.
    pub batches: u64,
    /// The values after all of them, and after all but the last.
    pub values: Vec<f64>,
    before: Vec<f64>,
    /// The values after some numbers of games.
    pub path: Vec<(u64, Vec<f64>)>,
}

impl Progressed {
    /// Whether a run of these parameters can be in this state.
    pub fn is_sound(&self, parameters: &[Parameter]) -> bool {
        let fit = |values: &Vec<f64>| {
            let in_range = |(p, value): (&Parameter, &f64)| (p.min..=p.max).contains(value);
            values.len() == parameters.len() && parameters.iter().zip(values).all(in_range)
        };
        let path = self.path.iter().map(|(_, values)| values);
        self.batches <= MOST_BATCHES && path.chain([&self.values, &self.before]).all(fit)
    }

    pub fn csv(&self, names: &[&str]) -> String {
        let mut text = format!("games,{}\n", names.join(","));
        for (games, values) in &self.path {
            let values: Vec<String> = values.iter().map(|value| format!("{value:.3}")).collect();
            writeln!(text, "{games},{}", values.join(",")).ok();
        }
        text
    }
}

pub struct Run<'a> {
    spsa: &'a Spsa,
    /// Iterations in a batch.
    batch: u64,
    state: Mutex<RunState>,
    /// Signals a complete batch.
    complete: Condvar,
    stop: &'a AtomicBool,
    begun: u64,
}

struct RunState {
    progressed: Progressed,
    /// The next iteration to start.
    next: u64,
    /// The results of incomplete batches, from their first iteration on.
    results: Vec<Option<i32>>,
}

impl<'a> Run<'a> {
    pub fn new(
        spsa: &'a Spsa,
        batch: u64,
        saved: Option<Progressed>,
        stop: &'a AtomicBool,
    ) -> Run<'a> {
        let progressed = saved.unwrap_or_else(|| Progressed {
            batches: 0,
            values: spsa.start(),
            before: spsa.start(),
            path: vec![(0, spsa.start())],
        });
        let begun = (progressed.batches * batch).min(spsa.iterations);
        let results = vec![None; 2 * batch as usize];
        let state = Mutex::new(RunState { progressed, next: begun, results });
        Run { spsa, batch, state, complete: Condvar::new(), stop, begun }
    }

    /// The number of iterations in so many batches.
    pub fn iterations_of(&self, batches: u64) -> u64 {
        (batches * self.batch).min(self.spsa.iterations)
    }

    /// The number of iterations in an earlier run.
    pub fn begun(&self) -> u64 {
        self.begun
    }

    /// Runs to the end or to a stop, with one thread per worker. For the two sets of an iteration, `judge`
    /// returns the plus side's wins minus its losses. `save` gets the progress after each batch.
    pub fn on_threads<W: Send>(
        &self,
        workers: Vec<W>,
        judge: impl Fn(&mut W, u64, &Perturbation) -> Option<i32> + Sync,
        mut save: impl FnMut(&Progressed) -> Result<(), Box<dyn Error>>,
    ) -> Result<Progressed, Box<dyn Error>> {
        let judge = |worker: &mut W, (iteration, values): (u64, Vec<f64>)| {
            let sets = self.spsa.perturbation(&values, iteration);
            let result = judge(worker, iteration, &sets).filter(|_| !self.stop.load(Relaxed));
            if result.is_none() {
                // Keeps the other threads from waiting for this iteration.
                self.stop.store(true, Relaxed);
            }
            Some((iteration, result?))
        };
        let iterations = iter::from_fn(|| self.start_iteration());
        on_threads(workers, iterations, judge, |results| {
            for (iteration, result) in results {
                let mut state = self.lock();
                let first = self.iterations_of(state.progressed.batches);
                state.results[(iteration - first) as usize] = Some(result);
                while self.complete_batch(&mut state) {
                    self.complete.notify_all();
                    save(&state.progressed).inspect_err(|_| self.stop.store(true, Relaxed))?;
                }
            }
            Ok(())
        })?;
        Ok(self.lock().progressed.clone())
    }

    /// The next iteration and the values that it starts from, once they are known. `None` if there is nothing
    /// left to do.
    fn start_iteration(&self) -> Option<(u64, Vec<f64>)> {
        let mut state = self.lock();
        loop {
            if state.next >= self.spsa.iterations || self.stop.load(Relaxed) {
                return None;
            }
            let Progressed { batches, values, before, .. } = &state.progressed;
            let ahead = state.next / self.batch - batches;
            if ahead < 2 {
                let values = if ahead == 0 { before } else { values }.clone();
                let iteration = state.next;
                state.next += 1;
                return Some((iteration, values));
            }
            let waited = self.complete.wait_timeout(state, STOP_CHECK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Applies the results of the first incomplete batch, if they are all there.
    fn complete_batch(&self, state: &mut RunState) -> bool {
        let RunState { progressed, results, .. } = state;
        let first = self.iterations_of(progressed.batches);
        let end = self.iterations_of(progressed.batches + 1);
        let count = (end - first) as usize;
        if count == 0 || results[..count].contains(&None) {
            return false;
        }
        progressed.before.clone_from(&progressed.values);
        for (iteration, result) in (first..end).zip(results.iter().take(count)) {
            self.spsa.update(&mut progressed.values, iteration, result.unwrap_or(0));
        }
        results.rotate_left(count);
        let len = results.len();
        results[len - count..].fill(None);
        progressed.batches += 1;
        let between = (self.spsa.iterations / self.batch / PATH_POINTS).max(1);
        if progressed.batches.is_multiple_of(between) || end == self.spsa.iterations {
            progressed.path.push((2 * end, progressed.values.clone()));
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, RunState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spsa() -> Spsa {
        let parameter = |name, start| Parameter { name, start, min: 0.0, max: 200.0, step: 10.0 };
        let parameters = vec![parameter("a", 100.0), parameter("b", 0.0), parameter("c", 30.5)];
        Spsa { parameters, iterations: 1000, r_end: R_END, seed: 1 }
    }

    #[test]
    fn step_and_rate_at_the_end_are_those_asked_for() {
        let spsa = spsa();
        assert_eq!(spsa.step_factor(999), 1.0);
        assert_eq!(spsa.rate(999), R_END);
        assert!(spsa.step_factor(0) > 1.9 && spsa.rate(0) > R_END);
        let mut values = spsa.start();
        spsa.update(&mut values, 999, 2);
        assert!((values[0] - 100.0).abs() - 0.04 < 1e-9, "{values:?}");
    }

    #[test]
    fn sets_are_around_the_values_and_in_range() {
        let spsa = spsa();
        let (mut ups, mut sum) = (0, 0);
        for iteration in 0..1000 {
            let Perturbation { plus, minus } = spsa.perturbation(&spsa.start(), iteration);
            let distance = (20.0 * spsa.step_factor(iteration)) as i32;
            assert!((distance..=distance + 1).contains(&(plus[0] - minus[0]).abs()));
            assert!([plus[1], minus[1]].contains(&0) && plus[1].max(minus[1]) >= 10);
            ups += i32::from(plus[0] > minus[0]);
            sum += plus[2] + minus[2];
        }
        assert!((400..600).contains(&ups), "{ups}");
        assert!((60_500..61_500).contains(&sum), "fractions are kept: {sum}");
    }

    /// The optimum of the toy problem.
    const OPTIMUM: [f64; 3] = [120.0, 40.0, -60.0];

    /// Pairs of games whose chances depend on the squared distances from the optimum: 20 are worth 35 Elo.
    /// Half of all games are drawn.
    fn toy((): &mut (), iteration: u64, sets: &Perturbation) -> Option<i32> {
        let elo = |set: &[i32]| -> f64 {
            let squares = set.iter().zip(OPTIMUM).map(|(&a, b)| (f64::from(a) - b).powi(2));
            -35.0 * squares.sum::<f64>() / 400.0
        };
        let expected = 1.0 / (1.0 + 10f64.powf((elo(&sets.minus) - elo(&sets.plus)) / 400.0));
        let mut random = random_stream(99, iteration);
        let games = (0..2).map(|_| match random.random_bool(expected) {
            _ if random.random_bool(0.5) => 0,
            true => 1,
            false => -1,
        });
        Some(games.sum())
    }

    fn of_toy(iterations: u64) -> Spsa {
        let parameter = |name, start| Parameter { name, start, min: -200.0, max: 200.0, step: 8.0 };
        let parameters = vec![parameter("a", 60.0), parameter("b", 0.0), parameter("c", 0.0)];
        Spsa { parameters, iterations, r_end: 0.01, seed: 1 }
    }

    #[test]
    fn finds_the_optimum_of_a_toy() {
        let (spsa, stop) = (of_toy(20_000), AtomicBool::new(false));
        let end = Run::new(&spsa, 16, None, &stop).on_threads(vec![(); 2], toy, |_| Ok(()));
        let end = end.unwrap();
        for (value, optimum) in end.values.iter().zip(OPTIMUM) {
            assert!((value - optimum).abs() < 6.0, "{:?}", end.values);
        }
        assert_eq!(end.path.first(), Some(&(0, vec![60.0, 0.0, 0.0])));
        assert_eq!(end.path.last(), Some(&(40_000, end.values.clone())));
        assert!((400..900).contains(&end.path.len()), "{}", end.path.len());
    }

    /// A state is refused, or can be continued, or is done.
    #[test]
    fn fuzzed() {
        let (spsa, stop) = (of_toy(50), AtomicBool::new(false));
        let start = Run::new(&spsa, 16, None, &stop).lock().progressed.clone();
        let endless = Progressed { batches: 1 << 60, ..start.clone() };
        let done = Progressed { batches: 4, ..start.clone() };
        let corpus = [start, endless, done].map(|state| toml::to_string(&state).unwrap().into());
        crate::fuzzer::fuzz("tune_state", corpus.to_vec(), |bytes| {
            let saved: Result<Progressed, _> = toml::from_str(&String::from_utf8_lossy(bytes));
            let Some(saved) = saved.ok().filter(|saved| saved.is_sound(&spsa.parameters)) else {
                return "damaged".to_string();
            };
            let rows = saved.csv(&["a", "b", "c"]).lines().count();
            let run = Run::new(&spsa, 16, Some(saved), &stop);
            let is_done = run.begun() == spsa.iterations;
            assert_eq!(run.start_iteration().is_none(), is_done);
            format!("{is_done}, {}", "row ".repeat(rows.min(9)))
        });
    }
}
