//! The network's arithmetic, in loops that compilers turn into vector instructions.

use super::file::ONE;
use super::network::Neurons;

/// The sum of the neurons' squared activations by their weights. A weight by an activation fits
/// 16 bits, and any part of the sum 32, as the file's check says.
#[inline(always)]
pub fn activate(neurons: &Neurons, weights: &Neurons) -> i32 {
    let pairs = neurons.0.iter().zip(&weights.0);
    pairs.fold(0, |sum, (neuron, weight)| {
        let active = (*neuron).clamp(0, ONE);
        sum + i32::from(active.wrapping_mul(*weight)) * i32::from(active)
    })
}

/// Neurons after some inputs were switched off and others on.
#[inline(always)]
pub fn updated(neurons: &Neurons, weights: &[Neurons], off: &[usize], on: &[usize]) -> Neurons {
    let mut updated = *neurons;
    for &input in off {
        for (neuron, weight) in updated.0.iter_mut().zip(&weights[input].0) {
            *neuron = neuron.wrapping_sub(*weight);
        }
    }
    for &input in on {
        for (neuron, weight) in updated.0.iter_mut().zip(&weights[input].0) {
            *neuron = neuron.wrapping_add(*weight);
        }
    }
    updated
}
