//! How fast the network is: `cargo bench --bench eval`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use zebu::board::Position;
use zebu::eval::{AccumulatorStack, Network};

fn main() {
    divan::main();
}

/// The positions of some random games, each after the one before.
fn line() -> Vec<Position> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
    let mut line = vec![Position::start()];
    while line.len() < 1000 {
        let last = line[line.len() - 1];
        let moves = last.legal_moves();
        line.push(match moves.get(random.random_range(0..moves.len().max(1))) {
            Some(&mv) if line.len() % 80 != 0 => last.after(mv),
            _ => Position::start(),
        });
    }
    line
}

/// Each position after the one before: what has changed, and the output.
#[divan::bench]
fn update_and_forward(bencher: Bencher) {
    let line = line();
    let mut accumulators = AccumulatorStack::new(Network::embedded(), 1).unwrap();
    bencher.counter(ItemsCount::new(line.len())).bench_local(|| {
        for position in &line {
            black_box(accumulators.evaluate(black_box(position), position.threats(), 0));
        }
    });
}

/// Nothing has changed: the output, and the look at the boards that says so.
#[divan::bench]
fn forward(bencher: Bencher) {
    let line = line();
    let mut accumulators = AccumulatorStack::new(Network::embedded(), line.len()).unwrap();
    bencher.counter(ItemsCount::new(line.len())).bench_local(|| {
        for (ply, position) in line.iter().enumerate() {
            black_box(accumulators.evaluate(black_box(position), position.threats(), ply));
        }
    });
}

#[divan::bench]
fn from_nothing(bencher: Bencher) {
    let (line, network) = (line(), Network::embedded());
    bencher.counter(ItemsCount::new(line.len())).bench_local(|| {
        for position in &line {
            black_box(network.evaluate(black_box(position)));
        }
    });
}
