//! Simultaneous perturbation stochastic approximation, in the convention of fishtest.
//!
//! Each iteration moves all parameters at once, each up or down by its step, and lets the two sets
//! play. Whatever the winner moved towards, all parameters move a little.

use rand::RngExt;

use crate::opening::random_stream;

/// How fast the rate and the step fall.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// The share of the iterations that the rate falls more slowly by.
const STABILITY: f64 = 0.1;

/// At the end a win moves a parameter by this part of its step.
pub const R_END: f64 = 0.002;

#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub start: f64,
    pub min: f64,
    pub max: f64,
    /// How far it is moved up and down in the last iteration.
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
    /// How much greater the step is in an iteration, from 0, than in the last one.
    fn step_factor(&self, iteration: u64) -> f64 {
        (self.iterations as f64 / (iteration + 1) as f64).powf(GAMMA)
    }

    /// By which part of its step a win moves a parameter.
    fn rate(&self, iteration: u64) -> f64 {
        let last = self.iterations as f64;
        let stability = STABILITY * last;
        let factor = ((stability + last) / (stability + (iteration + 1) as f64)).powf(ALPHA);
        // The rate is for the square of the step at the end: a greater step moves less.
        self.r_end * factor / self.step_factor(iteration)
    }

    /// Which parameters the plus side of an iteration moves up, and a number for the rounding of
    /// each.
    fn draws(&self, iteration: u64) -> Vec<(f64, f64)> {
        let mut random = random_stream(!self.seed, iteration);
        let draws = self.parameters.iter().map(|_| {
            let sign = if random.random_bool(0.5) { 1.0 } else { -1.0 };
            (sign, random.random())
        });
        draws.collect()
    }

    /// The sets around these values. They are rounded at random, both in the same way, so that
    /// fractions count and the distance between the sets stays.
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

    /// Learns from an iteration that the plus side won so many more games than it lost.
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

    /// The parameters that moved most, by their steps.
    pub fn changes(&self, values: &[f64]) -> String {
        const SHOWN: usize = 3;
        let all = self.parameters.iter().zip(values);
        let mut moved: Vec<_> = all.map(|(p, value)| (p, (value - p.start) / p.step)).collect();
        moved.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let shown = moved.iter().take(SHOWN).map(|(p, steps)| format!("{} {steps:+.1}", p.name));
        format!("steps: {}", shown.collect::<Vec<_>>().join(", "))
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
}
