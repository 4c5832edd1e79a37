//! Second layer: a small network that reads the further sums of an output.
//!
//! It uses floats, multiplied and added one by one in a fixed order, and its last sum is in integers, so that
//! results are the same on every machine.

use bytemuck::{Pod, Zeroable};
use wide::f32x16;

use super::file::OUTPUT_ONE;
use super::shape::SUMS;

/// Each vector holds one number per neuron.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct SecondLayer {
    /// For each further sum, the weights of its clipped value and of that value squared.
    weights: [[f32x16; 2]; SUMS - 1],
    biases: f32x16,
    outputs: f32x16,
}

impl SecondLayer {
    /// The addition to the output, in [`OUTPUT_ONE`]ths like the sums.
    #[inline(always)]
    pub fn output(&self, sums: &[i32]) -> i32 {
        // Two accumulators, so that additions do not wait for each other.
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

/// The clipped sum and its square.
#[inline(always)]
pub fn activate(sum: f32) -> [f32; 2] {
    [sum.clamp(0.0, 1.0), (sum * sum).min(1.0)]
}
