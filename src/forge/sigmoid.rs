//! Converts scores to expected points: `1 / (1 + exp(-score / scale))`.

/// Bounds of the fitted scale.
const MIN_SCALE: f64 = 10.0;
const MAX_SCALE: f64 = 5000.0;

/// Positions with about the same score for the side to move.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScoreBin {
    pub score: f64,
    pub positions: f64,
    /// The sum of their results: a win is 1, a draw a half.
    pub points: f64,
}

/// The expected points of a logit.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

pub fn expected_points(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-score / scale).exp())
}

/// The mean log loss of the results.
pub fn log_loss(bins: &[ScoreBin], scale: f64) -> f64 {
    let loss = |bin: &ScoreBin| {
        let expected = expected_points(bin.score, scale).clamp(1e-12, 1.0 - 1e-12);
        -bin.points * expected.ln() - (bin.positions - bin.points) * (1.0 - expected).ln()
    };
    let positions: f64 = bins.iter().map(|bin| bin.positions).sum();
    bins.iter().map(loss).sum::<f64>() / positions.max(1.0)
}

/// The scale with the least log loss.
pub fn fitted_scale(bins: &[ScoreBin]) -> f64 {
    best_scale(|scale| log_loss(bins, scale))
}

/// The scale with the least loss, which must have a single minimum.
pub fn best_scale(loss: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (MIN_SCALE, MAX_SCALE);
    while high - low > 0.01 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if loss(left) < loss(right) {
            high = right;
        } else {
            low = left;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_scale_is_recovered() {
        let bin = |score: i32| {
            let score = f64::from(score) * 25.0;
            ScoreBin { score, positions: 100.0, points: 100.0 * expected_points(score, 230.0) }
        };
        let bins: Vec<ScoreBin> = (-40..=40).map(bin).collect();
        assert!((fitted_scale(&bins) - 230.0).abs() < 0.1);
    }
}
