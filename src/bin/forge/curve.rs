//! The curve from a score to the points it is worth: `1 / (1 + exp(-score / scale))`.

/// Scores that the scale may have.
const LEAST: f64 = 10.0;
const MOST: f64 = 5000.0;

/// Positions of about the same score, for the side to move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bin {
    pub score: f64,
    pub positions: f64,
    /// The points that all of them got together.
    pub points: f64,
}

pub fn expected(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-score / scale).exp())
}

/// How badly the curve foretells the results, for each position: the mean of the negative logarithm
/// of what it gave to what happened.
pub fn log_loss(bins: &[Bin], scale: f64) -> f64 {
    let loss = |bin: &Bin| {
        let expected = expected(bin.score, scale).clamp(1e-12, 1.0 - 1e-12);
        -bin.points * expected.ln() - (bin.positions - bin.points) * (1.0 - expected).ln()
    };
    let positions: f64 = bins.iter().map(|bin| bin.positions).sum();
    bins.iter().map(loss).sum::<f64>() / positions.max(1.0)
}

/// The scale that foretells the results best.
pub fn fitted_scale(bins: &[Bin]) -> f64 {
    // The loss falls and then rises as the scale grows.
    let (mut low, mut high) = (LEAST, MOST);
    while high - low > 0.01 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if log_loss(bins, left) < log_loss(bins, right) {
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
    fn the_scale_that_made_the_points_is_found_again() {
        let bin = |score: i32| {
            let score = f64::from(score) * 25.0;
            Bin { score, positions: 100.0, points: 100.0 * expected(score, 230.0) }
        };
        let bins: Vec<Bin> = (-40..=40).map(bin).collect();
        assert!((fitted_scale(&bins) - 230.0).abs() < 0.1);
    }
}
