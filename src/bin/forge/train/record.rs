//! A position to learn from, in 32 bytes.

use bytemuck::{Pod, Zeroable};
use zebu::board::{Color, PieceType, Position, Square, SquareSet};
use zebu::eval::features::{Perspective, bucket};

use super::gradient::{Microbatch, sigmoid};
use crate::games::Outcome;

/// Squares of a kind among the inputs.
const SQUARES: u16 = 64;

/// What [`PieceType`] and color, the mover's first, of a piece are to the other side.
const SWAPPED: [u16; 16] = [6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 0, 0, 0, 0];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Record {
    occupied: u64,
    /// The pieces on these squares: six times color, the mover's 0, and kind. Four bits each.
    pieces: [u8; 16],
    pub score: i16,
    /// For the side to move: 0 lost, 1 drawn, 2 won.
    outcome: u8,
    /// The bits of a square that each side sees differently, the mover and the other.
    flips: [u8; 2],
    padding: [u8; 3],
}

impl Record {
    pub fn new(position: &Position, score: i16, outcome: Outcome) -> Record {
        let side = position.side();
        let views = [side, !side].map(|color| Perspective::of(position, color));
        let corner = Square::from_dense(0);
        let mut pieces = [0; 16];
        for (i, (_, piece)) in position.pieces().enumerate() {
            pieces[i / 2] |= ((views[0].input(piece, corner) / 64) as u8) << (4 * (i % 2));
        }
        let king = PieceType::King.of(side);
        Record {
            occupied: position.occupied().bits(),
            pieces,
            score,
            outcome: match side {
                Color::White => outcome as u8,
                Color::Black => 2 - outcome as u8,
            },
            flips: views.map(|view| (view.input(king, corner) % 64) as u8),
            padding: [0; 3],
        }
    }

    /// The share of the point that the side to move got.
    pub fn result(&self) -> f32 {
        f32::from(self.outcome) / 2.0
    }

    /// Adds the position to those that a network looks at.
    #[inline]
    pub fn expand(&self, buckets: usize, goal: Goal, batch: &mut Microbatch) {
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
        batch.buckets.push(bucket(count, buckets) as u8);
        batch.targets.push(goal.of(self));
    }
}

/// What a network shall foretell.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The share of the game's result; the rest is what the score promises.
    pub result: f32,
    /// The score at which the odds are `e` to 1.
    pub scale: f32,
}

impl Goal {
    fn of(self, record: &Record) -> f32 {
        let promised = sigmoid(f32::from(record.score) / self.scale);
        promised + self.result * (record.result() - promised)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use zebu::eval::Network;
    use zebu::eval::file::NetFile;

    const GOAL: Goal = Goal { result: 0.25, scale: 400.0 };

    fn positions() -> impl Iterator<Item = Position> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        (0..300).map(move |_| opening::draw(&mut random, 0.5))
    }

    #[test]
    fn a_record_expands_to_what_each_side_sees() {
        for position in positions() {
            let mut batch = Microbatch::default();
            Record::new(&position, 0, Outcome::Draw).expand(8, GOAL, &mut batch);
            let side = position.side();
            for (color, found) in [(side, &batch.own), (!side, &batch.other)] {
                let view = Perspective::of(&position, color);
                let inputs = position.pieces().map(|(square, piece)| view.input(piece, square));
                assert!(found.iter().map(|&input| usize::from(input)).eq(inputs), "{position:?}");
            }
        }
    }

    #[test]
    fn the_goal_is_the_movers() {
        let position: Position = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1".parse().unwrap();
        let goal = |score, outcome| GOAL.of(&Record::new(&position, score, outcome));
        assert_eq!(goal(0, Outcome::Draw), 0.5);
        assert_eq!(goal(0, Outcome::WhiteWins), 0.375);
        assert_eq!(goal(0, Outcome::BlackWins), 0.625);
        let promised = 1.0 / (1.0 + (-1.0f32).exp());
        assert!((goal(400, Outcome::Draw) - (0.125 + 0.75 * promised)).abs() < 1e-6);
    }

    #[test]
    fn the_engine_says_what_the_trainer_foresees() {
        let file = NetFile::parse(include_bytes!("../../../eval/zebu.net")).unwrap();
        let mut batch = Microbatch::default();
        for position in positions() {
            Record::new(&position, 0, Outcome::Draw).expand(file.buckets, GOAL, &mut batch);
        }
        let foreseen = crate::train::quantised::outputs(&file, &batch);
        for (position, output) in positions().zip(foreseen) {
            let score = Network::embedded().evaluate(&position);
            assert_eq!((output * 400.0).round() as i32, score, "{position:?}");
        }
    }
}
