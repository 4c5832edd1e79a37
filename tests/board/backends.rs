//! Every backend of the board answers like the scalar one, in the same order.

use std::thread;

use crate::common::{trials, varied_positions};
use zebu::board::{Backend, Color, Move, MoveList, Position, Scalar, Square, Stage};

const POSITIONS: usize = trials(400_000);
const THREADS: usize = 2;

for_each_backend!(answers_like_scalar);

fn answers_like_scalar<B: Backend>() {
    thread::scope(|scope| {
        for seed in 0..THREADS {
            scope.spawn(move || {
                varied_positions(100 + seed as u64)
                    .take(POSITIONS / THREADS)
                    .for_each(|position| compare::<B, Scalar>(&position));
            });
        }
    });
    println!("{POSITIONS} positions: {} is {}", B::NAME, Scalar::NAME);
}

fn compare<A: Backend, B: Backend>(position: &Position) {
    let context = position.fen();
    assert_eq!(A::checkers(position), B::checkers(position), "{context}");
    for color in Color::BOTH {
        assert_eq!(A::occupied_by(position, color), B::occupied_by(position, color), "{context}");
        compare_attacks::<A, B>(position, color, &context);
    }
    let moves = compare_generation::<A, B>(position, &context);
    for (place, &mv) in moves.iter().enumerate() {
        let (after, expected) = (A::after(position, mv), B::after(position, mv));
        assert!(after == expected, "{context} {mv:?}: {after:?}, not {expected:?}");
        let expected = B::gives_check(position, mv);
        assert_eq!(A::gives_check(position, mv), expected, "{context} {mv:?}");
        // Quiet moves are many and alike.
        if position.is_noisy(mv) || place % 4 == 0 {
            for threshold in (-500..=900).step_by(100) {
                let expected = B::see_ge(position, mv, threshold);
                let answer = A::see_ge(position, mv, threshold);
                assert_eq!(answer, expected, "{context} {mv:?} {threshold}");
            }
        }
    }
}

fn compare_attacks<A: Backend, B: Backend>(position: &Position, by: Color, context: &str) {
    assert_eq!(A::pinned(position, by), B::pinned(position, by), "{context} {by}");
    assert_eq!(A::attacks(position, by), B::attacks(position, by), "{context} {by}");
    for square in Square::all() {
        let expected = B::is_attacked(position, square, by);
        assert_eq!(A::is_attacked(position, square, by), expected, "{context} {by} {square}");
        assert_eq!(A::sight(position, square), B::sight(position, square), "{context} {square}");
    }
}

/// Compares each stage, and the stages with one another. Gives all legal moves.
fn compare_generation<A: Backend, B: Backend>(position: &Position, context: &str) -> MoveList {
    let [all, noisy, quiet] = [Stage::All, Stage::Noisy, Stage::Quiet].map(|stage| {
        let (mut moves, mut expected) = (MoveList::new(), MoveList::new());
        A::generate(position, stage, &mut moves);
        B::generate(position, stage, &mut expected);
        assert_eq!(moves, expected, "{context} {stage:?}");
        moves
    });
    assert!(noisy.iter().all(|&mv| position.is_noisy(mv)), "{context}");
    assert!(!quiet.iter().any(|&mv| position.is_noisy(mv)), "{context}");
    let sorted = |moves: &mut dyn Iterator<Item = &Move>| {
        let mut bits: Vec<u16> = moves.map(|mv| mv.bits()).collect();
        bits.sort();
        bits
    };
    assert_eq!(A::count(position) as usize, all.len(), "{context}");
    assert_eq!(sorted(&mut noisy.iter().chain(&quiet)), sorted(&mut all.iter()), "{context}");
    all
}
