//! A position to learn from, in 32 bytes.

use bytemuck::{Pod, Zeroable};
use zebu::board::{Color, Kind, Position, Square, Squares};
use zebu::eval::features::{View, bucket};

use super::gradient::{Microbatch, sigmoid};
use crate::games::Outcome;

/// Squares of a kind among the inputs.
const SQUARES: u16 = 64;

/// What [`Kind`] and color, the mover's first, of a piece are to the other side.
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
        let views = [side, !side].map(|color| View::of(position, color));
        let corner = Square::from_dense(0);
        let mut pieces = [0; 16];
        for (i, (_, piece)) in position.pieces().enumerate() {
            pieces[i / 2] |= ((views[0].input(piece, corner) / 64) as u8) << (4 * (i % 2));
        }
        let king = Kind::King.of(side);
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
        let squares = Squares::from_bits(self.occupied);
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
