//! Second layer: what a small network makes of further sums.
//!
//! It is in floats, multiplied and added one by one in a fixed order, and its last sum is one of
//! integers: so it gives the same numbers on every machine.

use bytemuck::{Pod, Zeroable};
use wide::f32x16;

use super::file::OUTPUT_ONE;
use super::shape::SUMS;

/// A number for each neuron in each vector.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct SecondLayer {
    /// For each further sum: of the clipped one, and of its square.
    weights: [[f32x16; 2]; SUMS - 1],
    biases: f32x16,
    outputs: f32x16,
}

impl SecondLayer {
    /// What is added to the output, in [`OUTPUT_ONE`]ths as the further sums are.
    #[inline(always)]
    pub fn output(&self, sums: &[i32]) -> i32 {
        // Two chains of additions: the processor waits for each one's result.
        let (mut neurons, mut of_squares) = (self.biases, f32x16::ZERO);
        for (&sum, weights) in sums.iter().zip(&self.weights) {
            let [clipped, square] = activate(sum as f32 * (1.0 / OUTPUT_ONE as f32));
            neurons += f32x16::splat(clipped) * weights[0];
            of_squares += f32x16::splat(square) * weights[1];
        }
        let clipped = (neurons + of_squares).fast_max(f32x16::ZERO).fast_min(f32x16::splat(1.0));
        let terms = clipped * clipped * self.outputs * f32x16::splat(OUTPUT_ONE as f32);
        terms.fast_trunc_int().reduce_add()
    }
}

/// A sum clipped, and its square.
#[inline(always)]
pub fn activate(sum: f32) -> [f32; 2] {
    [sum.clamp(0.0, 1.0), (sum * sum).min(1.0)]
}
