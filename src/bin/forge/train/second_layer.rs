//! Forward and backward pass of an output's second layer, by its numbers as the file has them.

use zebu::eval::activate;
use zebu::eval::file::NEURONS;

/// The weights for the neurons, of each clipped sum and of its square; the neurons' biases; their
/// weights for the output.
struct Parts<'a> {
    weights: &'a [[[f32; NEURONS]; 2]],
    biases: &'a [f32; NEURONS],
    outputs: &'a [f32; NEURONS],
}

impl Parts<'_> {
    fn of(layer: &[f32]) -> Option<Parts<'_>> {
        let [weights @ .., biases, outputs] = layer.as_chunks().0 else { return None };
        Some(Parts { weights: weights.as_chunks().0, biases, outputs })
    }

    /// Added in the engine's order.
    fn neurons(&self, sums: &[f32]) -> [f32; NEURONS] {
        let mut parts = [*self.biases, [0.0; NEURONS]];
        for (&sum, weights) in sums.iter().zip(self.weights) {
            for ((part, active), weights) in parts.iter_mut().zip(activate(sum)).zip(weights) {
                for (neuron, weight) in part.iter_mut().zip(weights) {
                    *neuron += active * weight;
                }
            }
        }
        let [neurons, of_squares] = parts;
        std::array::from_fn(|number| neurons[number] + of_squares[number])
    }
}

/// What is added to the output.
pub fn forward(layer: &[f32], sums: &[f32]) -> f32 {
    let Some(parts) = Parts::of(layer) else { return 0.0 };
    let terms = parts.neurons(sums).into_iter().zip(parts.outputs);
    terms.map(|(neuron, weight)| neuron.clamp(0.0, 1.0).powi(2) * weight).sum()
}

/// Adds to the layer's gradient, by the slope of the loss in the output, and writes the slopes in the
/// sums.
pub fn backward(layer: &[f32], sums: &[f32], slope: f32, gradient: &mut [f32], slopes: &mut [f32]) {
    let Some(parts) = Parts::of(layer) else { return };
    let neurons = parts.neurons(sums);
    let mut of_neurons = [0.0; NEURONS];
    let ([of_weights @ .., of_biases, of_outputs], _) = gradient.as_chunks_mut::<NEURONS>() else {
        return;
    };
    for (number, &neuron) in neurons.iter().enumerate() {
        let clipped = neuron.clamp(0.0, 1.0);
        of_outputs[number] += slope * clipped * clipped;
        if neuron < 1.0 {
            of_neurons[number] = slope * parts.outputs[number] * 2.0 * clipped;
        }
        of_biases[number] += of_neurons[number];
    }
    let rows = parts.weights.iter().zip(of_weights.as_chunks_mut::<2>().0);
    for ((&sum, (weights, gradients)), to) in sums.iter().zip(rows).zip(slopes) {
        let mut of_active = [0.0; 2];
        for (kind, active) in activate(sum).into_iter().enumerate() {
            for (number, &of_neuron) in of_neurons.iter().enumerate() {
                gradients[kind][number] += active * of_neuron;
                of_active[kind] += weights[kind][number] * of_neuron;
            }
        }
        let [of_clipped, of_square] = of_active;
        let clipped = if (0.0..1.0).contains(&sum) { of_clipped } else { 0.0 };
        let square = if sum.abs() < 1.0 { 2.0 * sum * of_square } else { 0.0 };
        *to = clipped + square;
    }
}
