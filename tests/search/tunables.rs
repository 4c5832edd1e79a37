//! Tunables with values from all over their ranges.

use engine::search::{Limits, TUNABLES, Task, TunableValues, Tunables};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::common::{engine, position, search};

const POSITIONS: [&str; 3] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
];

#[test]
fn every_value_of_the_range_is_searched_with() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut sets: Vec<TunableValues> = (0..40)
        .map(|_| std::array::from_fn(|i| random.random_range(TUNABLES[i].min..=TUNABLES[i].max)))
        .collect();
    sets.push(std::array::from_fn(|i| TUNABLES[i].min));
    sets.push(std::array::from_fn(|i| TUNABLES[i].max));
    let mut engine = engine();
    for values in sets {
        for fen in POSITIONS {
            let limits = Limits { nodes: Some(20_000), ..Limits::default() };
            let tunables = Tunables::new(values);
            let position = position(fen);
            let found = search(&mut engine, Task { tunables, ..Task::new(position, limits) });
            assert!(position.legal_moves().contains(&found.best()), "{fen}: {values:?}");
        }
    }
}
