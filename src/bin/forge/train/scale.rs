//! How scores turn into results in the games themselves.

use super::record::Record;

/// Records that are enough to fit one number.
pub const ENOUGH: usize = 1 << 20;

/// Newton's method settles within few steps, or never.
const STEPS: usize = 50;
const SETTLED: f64 = 1e-9;

/// Between these the answer must lie; a file whose scores say nothing has none.
const SCALES: std::ops::RangeInclusive<f64> = 1.0..=100_000.0;

/// The score at which the odds are `e` to 1: the logistic curve that the results are likeliest on.
/// `None` if the scores do not foretell the results.
pub fn fit(records: &[Record]) -> Option<f32> {
    let step = records.len().div_ceil(ENOUGH).max(1);
    let pairs: Vec<(f64, f64)> = records
        .iter()
        .step_by(step)
        .map(|record| (f64::from(record.score()) / 100.0, f64::from(record.result())))
        .collect();
    let mut steepness = 0.0;
    for _ in 0..STEPS {
        let (mut slope, mut curvature) = (0.0, 0.0);
        for &(score, result) in &pairs {
            let chance = 1.0 / (1.0 + (-steepness * score).exp());
            slope += (result - chance) * score;
            curvature += chance * (1.0 - chance) * score * score;
        }
        steepness += slope / curvature;
        if slope.abs() < SETTLED * pairs.len() as f64 {
            break;
        }
    }
    let scale = 100.0 / steepness;
    SCALES.contains(&scale).then_some(scale as f32)
}
