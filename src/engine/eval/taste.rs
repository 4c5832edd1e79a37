//! The taste of a player of limited strength, which lasts for a game: preferred squares, a share of
//! evaluation by rules of thumb, and the habit of castling.

use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;
use serde::{Deserialize, Serialize};

use super::piece_square_teacher::teacher_score;
use crate::board::{CastlingSide, Color, PieceType, Position};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taste {
    /// The standard deviation of the value of a piece on a square, in centipawns.
    pub spread: i32,
    /// The share of material and squares alone in the evaluation, in percent.
    pub simplicity: i32,
    pub seed: u64,
}

/// With fewer pieces a king need not hide.
const MIDDLEGAME: u32 = 16;

pub fn is_middlegame(position: &Position) -> bool {
    position.occupied().len() >= MIDDLEGAME
}

// The bonus for a king on or beside the squares of castling, and the malus for one that can no longer castle,
// in centipawns.
const CASTLED: i32 = 70;
const BESIDE: i32 = 40;
const ASTRAY: i32 = -150;

impl Taste {
    /// Changes the evaluation `worth` of a position for the side to move.
    pub fn evaluate(&self, position: &Position, worth: i32) -> i32 {
        let simple = self.simplicity * (teacher_score(position) - worth) / 100;
        worth + simple + self.liking(position)
    }

    /// The preferences are the same for both sides.
    fn liking(&self, position: &Position) -> i32 {
        let likings = position.pieces().map(|(square, piece)| {
            let liked = if piece.is(PieceType::King) {
                king_habit(position, piece.color())
            } else {
                let place = square.rank_for(piece.color()) << 3 | square.file();
                let key = self.seed ^ (piece.kind().index() as u64) << 38 ^ u64::from(place) << 32;
                deviation(key, self.spread)
            };
            if piece.color() == position.side() { liked } else { -liked }
        });
        likings.sum()
    }
}

/// What every player is taught: castle, then leave the king alone.
fn king_habit(position: &Position, color: Color) -> i32 {
    if !is_middlegame(position) {
        return 0;
    }
    let king = position.king(color);
    let is_at_home = king.rank_for(color) == 0;
    let may_castle = [CastlingSide::King, CastlingSide::Queen]
        .into_iter()
        .any(|side| position.castling_rook(color, side).is_some());
    match king.file() {
        2 | 6 if is_at_home => CASTLED,
        0 | 1 | 7 if is_at_home => BESIDE,
        _ if may_castle => 0,
        _ => ASTRAY,
    }
}

/// A number derived from a key, almost normally distributed around 0.
pub fn deviation(key: u64, standard: i32) -> i32 {
    // The sum of four uniform numbers, each with a standard deviation of 2^16 / √12.
    const OF_SUM: i64 = 37_837;
    let drawn = SplitMix64::seed_from_u64(key).next_u64();
    let sum: i64 = (0..4).map(|i| i64::from((drawn >> (16 * i)) as i16)).sum();
    (sum * i64::from(standard) / OF_SUM) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_spread_as_they_are_told_to_and_favor_nobody() {
        const COUNT: u64 = 20_000;
        let drawn: Vec<f64> = (0..COUNT).map(|key| f64::from(deviation(key, 100))).collect();
        let mean = drawn.iter().sum::<f64>() / COUNT as f64;
        let spread = (drawn.iter().map(|drawn| drawn * drawn).sum::<f64>() / COUNT as f64).sqrt();
        assert!(mean.abs() < 3.0 && (spread - 100.0).abs() < 3.0, "{mean} ± {spread}");
    }

    #[test]
    fn a_taste_is_the_same_for_both_sides() {
        let [white, black] = [
            "r1bqk2r/ppp2ppp/2n2n2/3pp3/1b2P3/2NP1N2/PPP1BPPP/R1BQ1RK1 w kq - 0 7",
            "r1bq1rk1/ppp1bppp/2np1n2/1B2p3/3PP3/2N2N2/PPP2PPP/R1BQK2R b KQ - 0 7",
        ]
        .map(|fen| fen.parse::<Position>().expect("a position"));
        for seed in 0..20 {
            let taste = Taste { spread: 30, simplicity: 50, seed };
            assert_eq!(taste.evaluate(&white, 10), taste.evaluate(&black, 10));
        }
    }
}
