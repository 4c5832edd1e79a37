//! The network's arithmetic in the widest vectors that the build may use.

use bytemuck::cast;
use wide::{i16x32, i32x16, u16x32};

use super::file::{QA, SQUARE_SHIFT};
use super::shape::HIDDEN;

pub const LANES: usize = 32;

/// The hidden layer from one perspective, before activation.
#[derive(Clone, Copy, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Accumulator(pub [i16x32; HIDDEN / LANES]);

/// The weights of one side's hidden layer for several sums, interleaved in reading order.
pub type SumWeights<const SUMS: usize> = [[i16x32; SUMS]; HIDDEN / LANES];

/// The vectors that stay in registers while rows are added to them.
const TILE: usize = if HIDDEN.is_multiple_of(8 * LANES) { 8 } else { 1 };

/// Squared clipped ReLU of both hidden layers, summed with several sets of weights. A square fits an unsigned
/// 16-bit number, and a signed one after the shift. The file's check guarantees that partial sums fit 32
/// bits.
#[inline(always)]
pub fn screlu<const SUMS: usize>(
    hidden: [&Accumulator; 2],
    weights: &[SumWeights<SUMS>; 2],
) -> [i32; SUMS] {
    let (zero, one) = (i16x32::ZERO, i16x32::splat(QA));
    let mut sums = [i32x16::ZERO; SUMS];
    for (hidden, weights) in hidden.into_iter().zip(weights) {
        for (&value, weights) in hidden.0.iter().zip(weights) {
            let clipped = value.max(zero).min(one);
            let squares: u16x32 = cast(clipped * clipped);
            let squares: i16x32 = cast(squares >> SQUARE_SHIFT);
            for (sum, &weight) in sums.iter_mut().zip(weights) {
                *sum += squares.dot(weight);
            }
        }
    }
    sums.map(|sum| sum.reduce_add())
}

/// Fused updates: adds the rows of some inputs and subtracts those of others in one pass, from `source` or in
/// place. The inputs are listed as White and as Black see them; one of the two is used.
#[inline(always)]
pub fn update(
    accumulator: &mut Accumulator,
    source: Option<&Accumulator>,
    rows: &[Accumulator],
    [sub, add]: [&[[u16; 2]]; 2],
    color: usize,
) {
    for (number, result) in accumulator.0.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
        let mut sums = match source {
            Some(source) => tile(source, number),
            None => *result,
        };
        for input in sub {
            let row = &rows[usize::from(input[color])];
            for (sum, weight) in sums.iter_mut().zip(tile(row, number)) {
                *sum -= weight;
            }
        }
        for input in add {
            let row = &rows[usize::from(input[color])];
            for (sum, weight) in sums.iter_mut().zip(tile(row, number)) {
                *sum += weight;
            }
        }
        *result = sums;
    }
}

#[inline(always)]
fn tile(accumulator: &Accumulator, number: usize) -> [i16x32; TILE] {
    accumulator.0.as_chunks().0[number]
}
