//! Runs iterations on several threads.
//!
//! Iterations come in batches. Those of a batch start from the values that all batches but the last
//! one before led to: so threads need not wait for each other at the end of a batch, and still the
//! result does not depend on them, nor on stops in between.

use std::error::Error;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::Sender;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::objective::Objective;
use super::spsa::{Parameter, Spsa};
use crate::tuning::state_file::StateLines;
use crate::workers::on_threads;

/// How many points the path of a run has at least, if it has as many batches.
const PATH_POINTS: u64 = 400;

/// No run has more.
const MOST_BATCHES: u64 = 1 << 32;

/// How often a waiting thread looks whether it shall stop.
const STOP_CHECK: Duration = Duration::from_millis(100);

/// A run as far as it went.
#[derive(Clone, Debug, PartialEq)]
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
    pub fn to_lines(&self) -> String {
        let words =
            |values: &[f64]| values.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
        let mut text = format!("batches {}\n", self.batches);
        writeln!(text, "values {}\nbefore {}", words(&self.values), words(&self.before)).ok();
        writeln!(text, "points {}", self.path.len()).ok();
        for (games, values) in &self.path {
            writeln!(text, "point {games} {}", words(values)).ok();
        }
        text
    }

    /// Reads the lines of a run of these parameters.
    pub fn parse(lines: &mut StateLines, parameters: &[Parameter]) -> Option<Progressed> {
        let fit = |values: &Vec<f64>| {
            let in_range = |(p, value): (&Parameter, &f64)| (p.min..=p.max).contains(value);
            values.len() == parameters.len() && parameters.iter().zip(values).all(in_range)
        };
        let batches = lines.number("batches").filter(|&batches| batches <= MOST_BATCHES)?;
        let values = lines.numbers("values").filter(fit)?;
        let before = lines.numbers("before").filter(fit)?;
        let points: u64 = lines.number("points")?;
        let mut path = Vec::new();
        for _ in 0..points {
            let mut numbers: Vec<f64> = lines.numbers("point")?;
            let values = numbers.split_off(1.min(numbers.len()));
            path.push((*numbers.first()? as u64, Some(values).filter(fit)?));
        }
        Some(Progressed { batches, values, before, path })
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
    /// A batch is complete.
    complete: Condvar,
    stop: &'a AtomicBool,
    begun: u64,
}

struct RunState {
    progressed: Progressed,
    /// The next iteration to start.
    next: u64,
    /// The results of the batches that are not complete, from their first iteration on.
    results: Vec<Option<i32>>,
    nodes: u64,
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
        let state = Mutex::new(RunState { progressed, next: begun, results, nodes: 0 });
        Run { spsa, batch, state, complete: Condvar::new(), stop, begun }
    }

    /// The iterations of so many batches.
    pub fn iterations_of(&self, batches: u64) -> u64 {
        (batches * self.batch).min(self.spsa.iterations)
    }

    /// The iterations that an earlier run did.
    pub fn begun(&self) -> u64 {
        self.begun
    }

    /// Runs to the end or to a stop, one thread for each objective. After each batch `save` gets
    /// how far it is and the nodes of the batch.
    pub fn on_threads<O: Objective>(
        &self,
        objectives: Vec<O>,
        mut save: impl FnMut(&Progressed, u64) -> Result<(), Box<dyn Error>>,
    ) -> Result<Progressed, Box<dyn Error>> {
        let work = |objective: O, batches: &Sender<_>| self.work(objective, batches);
        on_threads(objectives, work, |batches| {
            for (progressed, nodes) in batches {
                save(&progressed, nodes).inspect_err(|_| self.stop.store(true, Relaxed))?;
            }
            Ok(())
        })?;
        Ok(self.lock().progressed.clone())
    }

    fn work(&self, mut objective: impl Objective, saves: &Sender<(Progressed, u64)>) {
        while let Some((iteration, values)) = self.start_iteration() {
            let sets = self.spsa.perturbation(&values, iteration);
            let result = objective.result(iteration, &sets);
            let Some(result) = result.filter(|_| !self.stop.load(Relaxed)) else {
                // The others must not wait for this iteration.
                self.stop.store(true, Relaxed);
                return;
            };
            let mut state = self.lock();
            state.nodes += objective.take_nodes();
            let first = self.iterations_of(state.progressed.batches);
            state.results[(iteration - first) as usize] = Some(result);
            while self.complete_batch(&mut state) {
                self.complete.notify_all();
                let nodes = std::mem::take(&mut state.nodes);
                saves.send((state.progressed.clone(), nodes)).ok();
            }
        }
    }

    /// The next iteration and the values that it starts from, once they are known. `None` if there
    /// is nothing left to do.
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

    /// Learns from the first batch that is not complete, if all its results are there.
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
    use rand::RngExt;

    use super::super::path_chart;
    use super::super::spsa::Perturbation;
    use super::*;
    use crate::fuzzer::fuzz;
    use crate::opening::random_stream;
    use crate::tuning::state_file::read;

    /// Where the toy objective is best.
    const OPTIMUM: [f64; 3] = [120.0, 40.0, -60.0];

    /// Pairs of games whose chances depend on the squared distances from the optimum: 20 are worth
    /// 35 Elo. Half of all games are drawn.
    struct Toy {
        /// Stops the run after so many iterations.
        left: u64,
    }

    impl Objective for Toy {
        fn result(&mut self, iteration: u64, sets: &Perturbation) -> Option<i32> {
            self.left = self.left.checked_sub(1)?;
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
    }

    fn spsa(iterations: u64) -> Spsa {
        let parameter = |name, start| Parameter { name, start, min: -200.0, max: 200.0, step: 8.0 };
        let parameters = vec![parameter("a", 60.0), parameter("b", 0.0), parameter("c", 0.0)];
        Spsa { parameters, iterations, r_end: 0.01, seed: 1 }
    }

    fn run(spsa: &Spsa, threads: usize, left: u64, saved: Option<Progressed>) -> Progressed {
        let stop = AtomicBool::new(false);
        let run = Run::new(spsa, 16, saved, &stop);
        let objectives = (0..threads).map(|_| Toy { left }).collect();
        run.on_threads(objectives, |_, _| Ok(())).unwrap()
    }

    #[test]
    fn finds_the_optimum_of_a_toy() {
        let end = run(&spsa(20_000), 2, u64::MAX, None);
        for (value, optimum) in end.values.iter().zip(OPTIMUM) {
            assert!((value - optimum).abs() < 6.0, "{:?}", end.values);
        }
        assert_eq!(end.path.first(), Some(&(0, vec![60.0, 0.0, 0.0])));
        assert_eq!(end.path.last(), Some(&(40_000, end.values.clone())));
        assert!((400..900).contains(&end.path.len()), "{}", end.path.len());
    }

    #[test]
    fn threads_and_stops_change_nothing() {
        let spsa = spsa(500);
        let whole = run(&spsa, 1, u64::MAX, None);
        assert_eq!(run(&spsa, 5, u64::MAX, None), whole);
        let mut part = None;
        for left in [70, 3, 64, u64::MAX] {
            part = Some(run(&spsa, 2, left, part));
        }
        assert_eq!(part, Some(whole));
    }

    /// A state is refused, or there is something to do in it, or it is done.
    #[test]
    fn fuzzed() {
        let (spsa, stop) = (spsa(500), AtomicBool::new(false));
        let states = [0, 3, 70, 500].map(|left| run(&spsa, 1, left, None));
        let written =
            |state: &Progressed| format!("build 7\nsettings a\n{}end\n", state.to_lines());
        let mut corpus: Vec<Vec<u8>> = states.iter().map(|s| written(s).into_bytes()).collect();
        let endless = Progressed { batches: 1 << 60, ..states[0].clone() };
        corpus.push(written(&endless).into_bytes());
        fuzz("tune_state", corpus, |bytes| {
            let parse = |lines: &mut StateLines| Progressed::parse(lines, &spsa.parameters);
            let Some((_, saved)) = read(&String::from_utf8_lossy(bytes), parse) else {
                return "damaged".to_string();
            };
            let rows = saved.csv(&["a", "b", "c"]).lines().count();
            path_chart::svg(&spsa.parameters, &saved.path).expect("a chart");
            let run = Run::new(&spsa, 16, Some(saved), &stop);
            let is_done = run.begun() == spsa.iterations;
            assert_eq!(run.start_iteration().is_none(), is_done);
            format!("{is_done}, {}", "row ".repeat(rows.min(9)))
        });
    }
}
