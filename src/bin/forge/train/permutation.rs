//! Shuffling without memory.

/// Rounds of the Feistel network: enough that no trace of the order is left.
const ROUNDS: u64 = 4;

/// A random permutation of the numbers below `count`: a Feistel network on just enough bits, walked
/// again until the result is small enough.
#[derive(Clone, Copy)]
pub struct Permutation {
    count: u64,
    low_bits: u32,
    high_bits: u32,
    seed: u64,
}

impl Permutation {
    pub fn new(count: usize, seed: u64) -> Permutation {
        let count = count as u64;
        let bits = (u64::BITS - count.saturating_sub(1).leading_zeros()).max(2);
        Permutation { count, low_bits: bits / 2, high_bits: bits - bits / 2, seed }
    }

    #[inline]
    pub fn at(&self, index: usize) -> usize {
        let mut number = index as u64;
        loop {
            number = self.walk(number);
            if number < self.count {
                return number as usize;
            }
        }
    }

    fn walk(&self, number: u64) -> u64 {
        let (mut low_bits, mut high_bits) = (self.low_bits, self.high_bits);
        let (mut high, mut low) = (number >> low_bits, number & ((1 << low_bits) - 1));
        for round in 0..ROUNDS {
            let mixed = mix(low ^ self.seed.rotate_left(16 * round as u32));
            (high, low) = (low, high ^ mixed >> (u64::BITS - high_bits));
            (high_bits, low_bits) = (low_bits, high_bits);
        }
        high << low_bits | low
    }
}

/// A hash whose upper bits depend on all bits of `number`.
pub fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (number ^ number >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once() {
        for count in [1, 2, 3, 5, 64, 1000, 4097] {
            for seed in 0..3 {
                let permutation = Permutation::new(count, seed);
                let mut numbers: Vec<usize> =
                    (0..count).map(|place| permutation.at(place)).collect();
                numbers.sort_unstable();
                assert!(numbers.into_iter().eq(0..count), "{count} numbers, seed {seed}");
            }
        }
    }

    #[test]
    fn neighbours_are_separated() {
        let permutation = Permutation::new(1 << 20, 1);
        let near =
            (0..10_000).filter(|&i| permutation.at(i).abs_diff(permutation.at(i + 1)) < 1 << 10);
        assert!(near.count() < 100);
    }
}
