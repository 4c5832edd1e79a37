//! The network's arithmetic compared with plain sums, and its accumulators with those computed from scratch.

use engine::board::{PieceType, Position};
use engine::eval::file::{INPUTS, NEURONS, NetFile, THREAT_INPUTS, king_bucket_count, layer_size};
use engine::eval::{AccumulatorStack, HIDDEN, KING_BUCKETS, Network, OUTPUT_BUCKETS, SUMS};
use rand::RngExt;

use crate::common::{Start, random, trials, varied_positions};

/// Numbers of about the size of trained ones.
fn random_file(seed: u64) -> NetFile {
    let mut random = random(seed);
    let mut numbers = |count: usize, most: i16| -> Vec<i16> {
        (0..count).map(|_| random.random_range(-most..=most)).collect()
    };
    let inputs = THREAT_INPUTS + king_bucket_count(&KING_BUCKETS) * INPUTS;
    let layers = numbers(OUTPUT_BUCKETS * layer_size(SUMS - 1), 512);
    NetFile {
        hidden: HIDDEN,
        output_buckets: OUTPUT_BUCKETS,
        sums: SUMS - 1,
        king_buckets: KING_BUCKETS,
        feature_weights: numbers(inputs * HIDDEN, 120),
        feature_biases: numbers(HIDDEN, 120),
        output_weights: numbers(2 * HIDDEN * OUTPUT_BUCKETS * SUMS, (64_000 / HIDDEN) as i16),
        output_biases: (0..(OUTPUT_BUCKETS * SUMS) as i32)
            .map(|sum| 50_000 * (sum % 17) - 400_000)
            .collect(),
        layers: layers.into_iter().map(|number| f32::from(number) / 512.0).collect(),
    }
}

fn random_network(seed: u64) -> Network {
    let file = NetFile::parse(&random_file(seed).to_bytes()).expect("the sums stay in bounds");
    Network::new(&file).expect("it has this engine's shape")
}

/// The network by its definition, square by square.
fn plainly(file: &NetFile, position: &Position) -> i32 {
    let (us, threats) = (position.side(), position.threats());
    let mut sums = [0; SUMS];
    let count = position.pieces().count();
    let bucket = (count - 1) * OUTPUT_BUCKETS / 32;
    for (half, viewer) in [us, !us].into_iter().enumerate() {
        let king = position.king(viewer);
        let mirrored = king.file() >= 4;
        let king_file = if mirrored { 7 - king.file() } else { king.file() };
        let king_square = 4 * king.rank_for(viewer) + king_file;
        let king_bucket = usize::from(KING_BUCKETS[usize::from(king_square)]);
        for neuron in 0..HIDDEN {
            let mut sum = i64::from(file.feature_biases[neuron]);
            for (square, piece) in position.pieces() {
                let file_seen = if mirrored { 7 - square.file() } else { square.file() };
                let kinds = [
                    PieceType::Pawn,
                    PieceType::Knight,
                    PieceType::Bishop,
                    PieceType::Rook,
                    PieceType::Queen,
                    PieceType::King,
                ];
                let kind = kinds.iter().position(|&kind| piece.is(kind)).expect("a kind");
                let other = usize::from(piece.color() != viewer);
                let seen = 8 * square.rank_for(viewer) + file_seen;
                let place = 384 * other + 64 * kind + usize::from(seen);
                let mut add = |first: usize| {
                    sum += i64::from(file.feature_weights[HIDDEN * (first + place) + neuron]);
                };
                add(THREAT_INPUTS + INPUTS * king_bucket);
                match threats.danger(square) {
                    0 => {}
                    danger => add(INPUTS * (usize::from(danger) - 1)),
                }
            }
            let active = sum.clamp(0, 255);
            for (number, sum) in sums.iter_mut().enumerate() {
                let place = (2 * (bucket * SUMS + number) + half) * HIDDEN + neuron;
                *sum += ((active * active) >> 4) * i64::from(file.output_weights[place]);
            }
        }
    }
    for (sum, &bias) in sums.iter_mut().zip(&file.output_biases[bucket * SUMS..]) {
        *sum += i64::from(bias);
    }
    let one = 255 * 255 * 512 / 16;
    let layer = &file.layers[bucket * layer_size(SUMS - 1)..];
    let further: Vec<f32> = sums[1..].iter().map(|&sum| sum as f32 / one as f32).collect();
    let mut more = 0;
    for neuron in 0..if further.is_empty() { 0 } else { NEURONS } {
        let mut value = layer[2 * further.len() * NEURONS + neuron];
        let mut of_squares = 0.0;
        for (number, &sum) in further.iter().enumerate() {
            let [clipped, square] =
                [0, 1].map(|kind| layer[(2 * number + kind) * NEURONS + neuron]);
            value += sum.clamp(0.0, 1.0) * clipped;
            of_squares += (sum * sum).min(1.0) * square;
        }
        let active = (value + of_squares).clamp(0.0, 1.0);
        let weight = layer[(2 * further.len() + 1) * NEURONS + neuron];
        more += (active * active * weight * one as f32) as i64;
    }
    ((sums[0] + more) * 400 / one) as i32
}

#[test]
fn the_network_is_what_its_definition_says() {
    let (file, network) = (random_file(61), random_network(61));
    for position in varied_positions(61).take(trials(5_000)) {
        assert_eq!(network.evaluate(&position), plainly(&file, &position), "{position:?}");
    }
}

#[test]
fn accumulators_agree_with_starting_anew() {
    const PLIES: usize = 60;
    let mut random = random(62);
    let network = std::sync::Arc::new(random_network(62));
    let mut accumulators = AccumulatorStack::new(network.clone(), PLIES + 1).unwrap();
    let mut agreed = 0;
    while agreed < trials(1_000_000) {
        let start = Start::BOTH[random.random_range(0..2)];
        let mut line = vec![start.position(&mut random)];
        for _ in 0..random.random_range(0..120) {
            let moves = line[0].legal_moves();
            let Some(&mv) = moves.get(random.random_range(0..moves.len().max(1))) else { break };
            line[0] = line[0].after(mv);
        }
        // A walk up and down a tree, as in a search, which does not evaluate everywhere.
        for _ in 0..1000 {
            let (ply, position) = (line.len() - 1, line[line.len() - 1]);
            if random.random_range(0..4) > 0 {
                let known = accumulators.evaluate(&position, position.threats(), ply);
                assert_eq!(known, network.evaluate(&position), "{position:?} at ply {ply}");
                agreed += 1;
            }
            let moves = position.legal_moves();
            let back = random.random_range(0..8);
            if moves.is_empty() || ply == PLIES || back < 3 {
                line.truncate((line.len() - back.min(ply)).max(1));
            } else if back == 3 && !position.in_check() {
                line.push(position.after_null());
            } else {
                line.push(position.after(moves[random.random_range(0..moves.len())]));
            }
        }
    }
}

/// Also at the last ply.
#[test]
fn another_network_judges_when_told() {
    let networks = [63, 64].map(|seed| std::sync::Arc::new(random_network(seed)));
    let mut accumulators = AccumulatorStack::new(networks[0].clone(), 3).unwrap();
    let position = Position::start();
    for network in networks.iter().chain(&networks) {
        accumulators.set_network(network);
        for ply in [2, 0, 1, 2] {
            let known = accumulators.evaluate(&position, position.threats(), ply);
            assert_eq!(known, network.evaluate(&position));
        }
    }
}
