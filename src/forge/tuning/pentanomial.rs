//! The statistics of a match: Elo, its error, likelihood of superiority and the SPRT.
//!
//! The two games of a pair depend on each other through their opening, but pairs are independent, so pairs
//! are counted by their points. The formulas are those of fastchess. For the SPRT see Michel Van den Bergh,
//! "Comments on normalized Elo", sections 4.1 and 4.2.

use std::f64::consts::{LN_10, PI, SQRT_2};
use std::fmt;

use serde::{Deserialize, Serialize};

/// The half-width of the 95 % interval in standard deviations.
const WIDTH: f64 = 1.959963984540054;

/// The normalised Elo of one standard deviation of the points of a game.
const NORMALISED: f64 = 800.0 / LN_10;

/// The possible scores of a pair, as a share of its points.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Replaces a count of zero where a logarithm is taken.
const FEW: f64 = 1e-3;

/// Pairs by the first side's half-points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

/// A value and the half-width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub value: f64,
    pub error: f64,
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:.2} ± {:.2}", self.value, self.error)
    }
}

impl Pentanomial {
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    fn is_empty(&self) -> bool {
        self.pairs() == 0
    }

    /// Mean and variance of the score of a pair.
    fn moments(&self) -> (f64, f64) {
        let observed = self.0.map(|count| count as f64 / self.pairs() as f64);
        moments(&observed)
    }

    /// The difference in Elo by the logistic formula.
    pub fn elo(&self) -> Estimate {
        if self.is_empty() {
            return Estimate { value: 0.0, error: f64::INFINITY };
        }
        let (mean, variance) = self.moments();
        let width = WIDTH * (variance / self.pairs() as f64).sqrt();
        let (low, high) = (logistic_elo(mean - width), logistic_elo(mean + width));
        let finite = low.is_finite() && high.is_finite();
        let error = if finite { (high - low) / 2.0 } else { f64::INFINITY };
        Estimate { value: logistic_elo(mean), error }
    }

    /// The difference in standard deviations of a game, which the share of draws does not scale.
    pub fn normalised_elo(&self) -> Estimate {
        if self.is_empty() {
            return Estimate { value: 0.0, error: f64::INFINITY };
        }
        let (mean, variance) = self.moments();
        if variance == 0.0 {
            let value = if mean == 0.5 { 0.0 } else { f64::INFINITY.copysign(mean - 0.5) };
            return Estimate { value, error: 0.0 };
        }
        let value = (mean - 0.5) / (2.0 * variance).sqrt() * NORMALISED;
        Estimate { value, error: WIDTH * NORMALISED / (2.0 * self.pairs() as f64).sqrt() }
    }

    /// The likelihood that the first side is stronger (LOS).
    pub fn superiority(&self) -> f64 {
        if self.is_empty() {
            return 0.5;
        }
        let (mean, variance) = self.moments();
        if variance == 0.0 {
            return if mean == 0.5 { 0.5 } else { f64::from(u8::from(mean > 0.5)) };
        }
        let deviations = (mean - 0.5) / (2.0 * variance / self.pairs() as f64).sqrt();
        (1.0 + erf(deviations)) / 2.0
    }
}

fn moments(shares: &[f64; 5]) -> (f64, f64) {
    let sum = |value: &dyn Fn(f64) -> f64| -> f64 {
        SCORES.iter().zip(shares).map(|(&score, share)| value(score) * share).sum()
    };
    let mean = sum(&|score| score);
    (mean, sum(&|score| (score - mean).powi(2)))
}

/// The difference at which this score is expected.
fn logistic_elo(score: f64) -> f64 {
    if score <= 0.0 || score >= 1.0 {
        return f64::INFINITY.copysign(score - 0.5);
    }
    400.0 * (score / (1.0 - score)).log10()
}

/// The error function, by a series whose terms all have the same sign.
fn erf(x: f64) -> f64 {
    if x.abs() > 6.0 {
        return x.signum();
    }
    let (mut term, mut sum, mut n) = (x, x, 0.0);
    while term.abs() > 1e-17 * sum.abs() {
        n += 1.0;
        term *= 2.0 * x * x / (2.0 * n + 1.0);
        sum += term;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

/// Tests H0, a gain of `low`, against H1, a gain of `high`, both in normalised Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    pub low: f64,
    pub high: f64,
}

/// The error probabilities of both kinds.
const ALPHA: f64 = 0.05;
const BETA: f64 = 0.05;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    H0,
    H1,
}

impl Sprt {
    /// H0 is accepted below the first bound, H1 above the second.
    pub fn bounds(&self) -> [f64; 2] {
        [(BETA / (1.0 - ALPHA)).ln(), ((1.0 - BETA) / ALPHA).ln()]
    }

    /// The log-likelihood ratio of H1 and H0.
    pub fn llr(&self, results: &Pentanomial) -> f64 {
        if results.is_empty() {
            return 0.0;
        }
        let counts = results.0.map(|count| if count == 0 { FEW } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        let [low, high] =
            [self.low, self.high].map(|elo| likeliest(&observed, SQRT_2 * elo / NORMALISED));
        let gain = (0..5).map(|i| observed[i] * (high[i] / low[i]).ln()).sum::<f64>();
        total * gain
    }

    pub fn verdict(&self, results: &Pentanomial) -> Option<Verdict> {
        let [lower, upper] = self.bounds();
        let llr = self.llr(results);
        match () {
            () if llr >= upper => Some(Verdict::H1),
            () if llr <= lower => Some(Verdict::H0),
            () => None,
        }
    }
}

/// The maximum likelihood distribution whose mean is `effect` standard deviations above a half.
fn likeliest(observed: &[f64; 5], effect: f64) -> [f64; 5] {
    let mut guess = [0.2; 5];
    for _ in 0..10 {
        let (mean, variance) = moments(&guess);
        let deviation = variance.sqrt();
        let slopes = SCORES.map(|score| {
            let distance = (score - mean) / deviation;
            score - 0.5 - effect * deviation * (1.0 + distance * distance) / 2.0
        });
        let weight = solve_weight(observed, &slopes);
        let found: [f64; 5] = std::array::from_fn(|i| observed[i] / (1.0 + weight * slopes[i]));
        let change = (0..5).map(|i| (found[i] - guess[i]).abs()).fold(0.0, f64::max);
        guess = found;
        if change < 1e-4 {
            break;
        }
    }
    guess
}

/// The weight for which the weighted slopes, a decreasing function of it, sum to zero.
fn solve_weight(observed: &[f64; 5], slopes: &[f64; 5]) -> f64 {
    let [least, most] = [f64::min, f64::max].map(|f| slopes.iter().copied().reduce(f));
    let mut low = -1.0 / most.unwrap_or(1.0);
    let mut high = -1.0 / least.unwrap_or(-1.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        let sum: f64 =
            observed.iter().zip(slopes).map(|(p, slope)| p * slope / (1.0 + middle * slope)).sum();
        if sum > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sprt_decides() {
        let sprt = Sprt { low: 0.0, high: 5.0 };
        assert_eq!(sprt.verdict(&Pentanomial([400, 900, 2000, 1100, 600])), Some(Verdict::H1));
        assert_eq!(sprt.verdict(&Pentanomial([600, 1100, 2000, 900, 400])), Some(Verdict::H0));
        assert_eq!(sprt.verdict(&Pentanomial([10, 20, 40, 22, 10])), None);
    }

    /// Figures by another program with the same formulas: Elo and normalised Elo with their errors, LOS, LLR.
    #[test]
    fn figures_are_right() {
        const NONE: f64 = f64::INFINITY;
        for (pairs, wanted) in [
            ([12, 40, 95, 51, 14], [12.2965, 22.4253, 18.1740, 33.0704, 0.859284, 0.372983]),
            ([0, 3, 10, 4, 0], [10.2216, 53.2260, 22.6161, 116.784, 0.647865, 0.038014]),
            ([600, 2100, 4000, 2200, 640], [3.27779, 3.43418, 4.70578, 4.92984, 0.969319, 3.03603]),
            ([3, 1, 0, 0, 0], [-470.437, NONE, -992.880, 240.756, 0.0, -0.099724]),
            ([0, 0, 7, 0, 0], [0.0, 0.0, 0.0, 0.0, 0.5, -0.001651]),
            ([0, 0, 0, 0, 2], [NONE, NONE, NONE, 0.0, 1.0, 0.052549]),
            ([1, 0, 0, 0, 1], [0.0, NONE, 0.0, 340.481, 0.5, -0.000377]),
            ([0, 0, 0, 0, 0], [0.0, NONE, 0.0, NONE, 0.5, 0.0]),
        ] {
            let results = Pentanomial(pairs);
            let (elo, normalised) = (results.elo(), results.normalised_elo());
            let llr = Sprt { low: -1.5, high: 5.0 }.llr(&results);
            let (los, elos) = (results.superiority(), [elo.value, elo.error]);
            let found = [elos[0], elos[1], normalised.value, normalised.error, los, llr];
            for (found, wanted) in found.into_iter().zip(wanted) {
                let is_near = (found - wanted).abs() <= 1e-6 + 1e-5 * wanted.abs();
                assert!(found == wanted || is_near, "{pairs:?}: {found} {wanted}");
            }
        }
    }
}
