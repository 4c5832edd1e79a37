//! The speed of board and network: `cargo bench`, or `cargo bench -- attacks` for benchmarks with this name.
//!
//! Each benchmark goes many times through all positions of `zebu bench`, or through all their moves or
//! squares.

use std::env;
use std::hint::black_box;
use std::time::Instant;

use engine::board::{Color, Move, MoveList, Position, Square, Stage};
use engine::eval::{AccumulatorStack, Network};

const ROUNDS: usize = 2001;

/// Prints the median time per item.
fn each<T, R>(name: &str, items: &[T], mut work: impl FnMut(&T) -> R) {
    let wanted = env::args().skip(1).find(|argument| !argument.starts_with('-'));
    if wanted.is_some_and(|wanted| !name.contains(&wanted)) {
        return;
    }
    let mut round = || {
        let start = Instant::now();
        for item in items {
            black_box(work(black_box(item)));
        }
        start.elapsed().as_nanos() as f64 / items.len() as f64
    };
    let mut rounds: Vec<f64> = (0..ROUNDS).map(|_| round()).collect();
    rounds.sort_unstable_by(f64::total_cmp);
    println!("{name:<22} {:>8.1} ns", rounds[ROUNDS / 2]);
}

/// The positions of a line, one after the other.
fn line() -> Vec<Position> {
    let mut line = vec![Position::start()];
    while line.len() < 500 {
        let last = line[line.len() - 1];
        let moves = last.legal_moves();
        line.push(match moves.get(line.len() * 7 % moves.len().max(1)) {
            Some(&mv) if line.len() % 80 != 0 => last.after(mv),
            _ => Position::start(),
        });
    }
    line
}

fn main() {
    let fens = include_str!("../../src/engine/bench.fens").lines();
    let positions: Vec<Position> = fens.map(|fen| fen.parse().expect("a FEN")).collect();
    let moves: Vec<(Position, Move)> = positions
        .iter()
        .flat_map(|&position| position.legal_moves().into_iter().map(move |mv| (position, mv)))
        .collect();
    let (noisy, quiet): (Vec<_>, Vec<_>) =
        moves.iter().copied().partition(|(position, mv)| position.is_noisy(*mv));
    let squares: Vec<(Position, Square)> = positions
        .iter()
        .flat_map(|&position| Square::all().map(move |square| (position, square)))
        .collect();
    // Moves in positions to which they do not belong.
    let elsewhere = moves.iter().zip(moves.iter().cycle().skip(moves.len() / 2));
    let elsewhere: Vec<(Position, Move)> =
        elsewhere.map(|(&(position, _), &(_, mv))| (position, mv)).collect();

    for (name, stage) in
        [("generate_all", Stage::All), ("noisy", Stage::Noisy), ("quiet", Stage::Quiet)]
    {
        each(name, &positions, |position| {
            let mut list = MoveList::new();
            position.generate(stage, &mut list);
            list.len()
        });
    }
    each("count_moves", &positions, Position::count_moves);
    each("after", &moves, |(position, mv)| position.after(*mv));
    each("is_legal", &moves, |(position, mv)| position.is_legal(*mv));
    each("is_legal_elsewhere", &elsewhere, |(position, mv)| position.is_legal(*mv));
    each("checkers", &positions, Position::checkers);
    each("pinned", &positions, |position| position.pinned(position.side()));
    each("is_attacked", &squares, |(position, square)| position.is_attacked(*square, Color::White));
    each("attacks", &positions, |position| position.attacks(!position.side()));
    each("threats", &positions, Position::threats);
    each("gives_check", &moves, |(position, mv)| position.gives_check(*mv));
    each("see_of_noisy_moves", &noisy, |(position, mv)| position.see_ge(*mv, 0));
    each("see_of_quiet_moves", &quiet, |(position, mv)| position.see_ge(*mv, 0));

    let (line, network) = (line(), Network::embedded());
    let mut accumulators = AccumulatorStack::new(network.clone(), 1).expect("there is memory");
    // From position to position; again without a change; from scratch.
    each("evaluate_next", &line, |position| accumulators.evaluate(position, position.threats(), 0));
    let threats = line[0].threats();
    each("evaluate_same", &line, |_| accumulators.evaluate(&line[0], threats, 0));
    each("evaluate_from_nothing", &line, |position| network.evaluate(position));
}
