//! A training position in 32 bytes.

use bytemuck::{Pod, Zeroable};
use zebu::board::{PieceType, Position, Square, SquareSet};
use zebu::eval::KING_BUCKETS;
use zebu::eval::features::{Perspective, output_bucket};

use super::gradient::{Microbatch, sigmoid};
use crate::games::GameOutcome;

/// Squares of a piece among the inputs.
const SQUARES: u16 = 64;

/// From a piece as the side to move sees it, to the same as the other side sees it.
const SWAPPED: [u16; 16] = [6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 0, 0, 0, 0];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct TrainingPosition {
    occupied: u64,
    /// The pieces on these squares, four bits each: the [`PieceType`], and 6 more for the opponent's.
    pieces: [u8; 16],
    pub score: i16,
    /// For the side to move: 0 lost, 1 drawn, 2 won.
    outcome: u8,
    /// What each perspective flips in a square, the side to move's first.
    flips: [u8; 2],
    padding: [u8; 3],
}

impl TrainingPosition {
    pub fn new(position: &Position, score: i16, outcome: GameOutcome) -> TrainingPosition {
        let side = position.side();
        let perspectives =
            [side, !side].map(|color| Perspective::of(position, color, &KING_BUCKETS));
        let corner = Square::from_dense(0);
        let mut pieces = [0; 16];
        for (i, (_, piece)) in position.pieces().enumerate() {
            pieces[i / 2] |= ((perspectives[0].input(piece, corner) / 64) as u8) << (4 * (i % 2));
        }
        let king = PieceType::King.of(side);
        TrainingPosition {
            occupied: position.occupied().bits(),
            pieces,
            score,
            outcome: outcome.half_points(side),
            flips: perspectives.map(|perspective| (perspective.input(king, corner) % 64) as u8),
            padding: [0; 3],
        }
    }

    /// For the side to move: 0, 0.5 or 1.
    pub fn result(&self) -> f32 {
        f32::from(self.outcome) / 2.0
    }

    /// Adds the features and the target to a batch.
    #[inline]
    pub fn expand(&self, buckets: usize, target: Target, batch: &mut Microbatch) {
        let squares = SquareSet::from_bits(self.occupied);
        let count = squares.len() as usize;
        let start = batch.own.len();
        batch.own.resize(start + count, 0);
        batch.other.resize(start + count, 0);
        let places = batch.own[start..].iter_mut().zip(&mut batch.other[start..]);
        let mut pieces = u128::from_le_bytes(self.pieces);
        let [own_flip, other_flip] = self.flips.map(u16::from);
        for (square, (own, other)) in squares.into_iter().zip(places) {
            let (piece, square) = ((pieces & 15) as u16, u16::from(square.dense()));
            pieces >>= 4;
            *own = piece * SQUARES + (square ^ own_flip);
            *other = SWAPPED[usize::from(piece)] * SQUARES + (square ^ other_flip);
        }
        batch.ends.push(start + count);
        batch.buckets.push(output_bucket(count, buckets) as u8);
        batch.targets.push(target.of(self));
    }
}

/// What the network learns to predict.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The share of the game's result; the rest is the score's.
    pub wdl: f32,
    /// The scale of the sigmoid that turns scores into points.
    pub scale: f32,
}

impl Target {
    fn of(self, position: &TrainingPosition) -> f32 {
        let expected = sigmoid(f32::from(position.score) / self.scale);
        expected + self.wdl * (position.result() - expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::random_opening;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use zebu::eval::Network;
    use zebu::eval::file::NetFile;

    const TARGET: Target = Target { wdl: 0.25, scale: 400.0 };

    fn positions() -> impl Iterator<Item = Position> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        (0..300).map(move |_| random_opening(&mut random, 0.5))
    }

    #[test]
    fn expanded_features_are_those_of_the_engine() {
        for position in positions() {
            let mut batch = Microbatch::default();
            TrainingPosition::new(&position, 0, GameOutcome::Draw).expand(8, TARGET, &mut batch);
            let side = position.side();
            for (color, found) in [(side, &batch.own), (!side, &batch.other)] {
                let perspective = Perspective::of(&position, color, &KING_BUCKETS);
                let inputs =
                    position.pieces().map(|(square, piece)| perspective.input(piece, square));
                assert!(found.iter().copied().eq(inputs), "{position:?}");
            }
        }
    }

    #[test]
    fn the_target_is_relative_to_the_side_to_move() {
        let position: Position = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1".parse().unwrap();
        let target = |score, outcome| TARGET.of(&TrainingPosition::new(&position, score, outcome));
        assert_eq!(target(0, GameOutcome::Draw), 0.5);
        assert_eq!(target(0, GameOutcome::WhiteWins), 0.375);
        assert_eq!(target(0, GameOutcome::BlackWins), 0.625);
        let expected = 1.0 / (1.0 + (-1.0f32).exp());
        assert!((target(400, GameOutcome::Draw) - (0.125 + 0.75 * expected)).abs() < 1e-6);
    }

    #[test]
    fn the_engine_evaluates_as_the_trainer() {
        let file = NetFile::parse(include_bytes!("../../../eval/zebu.net")).unwrap();
        let mut batch = Microbatch::default();
        for position in positions() {
            TrainingPosition::new(&position, 0, GameOutcome::Draw).expand(
                file.output_buckets,
                TARGET,
                &mut batch,
            );
        }
        let outputs = crate::train::quantised::outputs(&file, &batch);
        for (position, output) in positions().zip(outputs) {
            let score = Network::embedded().evaluate(&position);
            assert_eq!((output * 400.0).round() as i32, score, "{position:?}");
        }
    }
}
