//! Scores that learn from what came after them.
//!
//! The search of a few dozen nodes behind a score sees little. The scores of the moves after it saw
//! more, as if the search had gone deeper where the game went.

use crate::games::ScoredPly;
use crate::sigmoid::sigmoid;

/// The centipawns that are a logit of 1 where scores become points. A close guess will do: the blend of
/// equal scores is the score.
const SCALE: f32 = 400.0;

/// The score of each ply, of which `lambda` is taken from the blend of the next ply: TD(lambda).
pub fn blended_scores(plies: &[ScoredPly], lambda: f32) -> Vec<i16> {
    let mut scores: Vec<i16> = plies.iter().map(|ply| ply.score).collect();
    if lambda > 0.0 {
        let mut next: Option<f32> = None;
        for score in scores.iter_mut().rev() {
            let own = sigmoid(f32::from(*score) / SCALE);
            let points = next.map_or(own, |next| own + lambda * (1.0 - next - own));
            next = Some(points);
            // Rust's casts saturate, also from the infinite logits of mates.
            *score = (SCALE * (points / (1.0 - points)).ln()).round() as i16;
        }
    }
    scores
}

#[cfg(test)]
mod tests {
    use zebu::board::Position;

    use super::*;

    fn blend(scores: &[i16], lambda: f32) -> Vec<i16> {
        let mv = Position::start().legal_moves()[0];
        let plies: Vec<ScoredPly> = scores.iter().map(|&score| ScoredPly { mv, score }).collect();
        blended_scores(&plies, lambda)
    }

    #[test]
    fn later_scores_count_from_the_other_side() {
        assert_eq!(blend(&[10, 300, -32000], 0.0), [10, 300, -32000]);
        assert_eq!(blend(&[120, -120, 120], 0.5), [120, -120, 120]);
        assert_eq!(blend(&[20, 0, 0, -60], 1.0), [60, -60, 60, -60]);
        // Small scores are nearly proportional to their points.
        assert_eq!(blend(&[0, 0, 40], 0.5), [10, -20, 40]);
    }

    #[test]
    fn mates_stay_in_range() {
        let blended = blend(&[0, 31_999, -31_998, 32_000], 0.5);
        assert!(blended[0] < 0 && blended[1] > 0, "{blended:?}");
        assert!((-2000..2000).contains(&blended[0]), "{blended:?}");
    }
}
