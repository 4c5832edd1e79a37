//! Random openings from the standard position or from double Chess960.

/// Openings for OpenBench servers.
#[cfg(not(target_family = "wasm"))]
pub mod genfens;

use std::ops::RangeInclusive;

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::{CastlingSide, Color, PieceType, Position, Setup, Square};
use crate::eval::Evaluator;
use crate::search::{Limits, SingleThread, Task};

/// The number of random plies. Even and odd numbers are equally frequent, so that White and Black begin
/// equally often.
const PLIES: RangeInclusive<usize> = 4..=11;

/// A position after random moves, in which the game is not over.
pub fn random_opening(random: &mut impl RngExt, chess960_share: f64) -> Position {
    loop {
        let start = if random.random_bool(chess960_share) { double_chess960(random) } else { None };
        let mut position = start.unwrap_or_else(Position::start);
        let plies = random.random_range(PLIES);
        let complete = (0..plies).all(|_| {
            let moves = position.legal_moves();
            let mv = moves.choose(random).copied();
            position = mv.map_or(position, |mv| position.after(mv));
            mv.is_some()
        });
        if complete && position.ending().is_none() {
            return position;
        }
    }
}

/// The random generator for one of many games with the same seed.
pub fn random_stream(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    let streams = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    Xoshiro256PlusPlus::seed_from_u64(streams.wrapping_add(number))
}

/// Whether a search of `nodes` nodes, from empty tables, gives neither side an advantage of more than `most`.
pub fn is_balanced(
    opening: Position,
    nodes: u64,
    most: i32,
    evaluator: Evaluator,
    search: &mut SingleThread,
) -> bool {
    search.clear();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let task = Task { evaluator, ..Task::new(opening, limits) };
    search.search(task).is_some_and(|found| found.score.abs() <= most)
}

/// A starting position in which each side has its own back rank.
pub fn double_chess960(random: &mut impl RngExt) -> Option<Position> {
    let mut setup = Setup::empty();
    for color in Color::BOTH {
        let mut wings = [CastlingSide::Queen, CastlingSide::King].into_iter();
        for (file, kind) in (0..8).zip(back_rank(random)) {
            let home = Square::new(file, color.home_rank())?;
            setup.put(kind.of(color), home);
            setup.put(PieceType::Pawn.of(color), home.step(color.forward())?);
            if kind == PieceType::Rook {
                setup.set_castling_rook(color, wings.next()?, home);
            }
        }
    }
    setup.finish().ok()
}

/// One of the 960: bishops on squares of both colors, the king between the rooks.
fn back_rank(random: &mut impl RngExt) -> [PieceType; 8] {
    // Pawns mark free squares.
    let mut rank = [PieceType::Pawn; 8];
    rank[2 * random.random_range(0..4)] = PieceType::Bishop;
    rank[2 * random.random_range(0..4) + 1] = PieceType::Bishop;
    let mut free: Vec<usize> = (0..8).filter(|&file| rank[file] == PieceType::Pawn).collect();
    free.shuffle(random);
    for kind in [PieceType::Queen, PieceType::Knight, PieceType::Knight] {
        if let Some(file) = free.pop() {
            rank[file] = kind;
        }
    }
    free.sort();
    for (file, kind) in free.into_iter().zip([PieceType::Rook, PieceType::King, PieceType::Rook]) {
        rank[file] = kind;
    }
    rank
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn all_960_back_ranks_occur() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let ranks: HashSet<[u8; 8]> =
            (0..20_000).map(|_| back_rank(&mut random).map(PieceType::bits)).collect();
        assert_eq!(ranks.len(), 960);
    }

    #[test]
    fn every_chess960_start_can_castle() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        for _ in 0..1000 {
            let start = double_chess960(&mut random).unwrap();
            for color in Color::BOTH {
                assert!(
                    CastlingSide::BOTH
                        .iter()
                        .all(|&wing| start.castling_rook(color, wing).is_some())
                );
            }
        }
    }

    #[test]
    fn openings_differ_and_are_playable() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let openings: Vec<Position> = (0..1000).map(|_| random_opening(&mut random, 0.1)).collect();
        let keys: HashSet<u64> = openings.iter().map(Position::key).collect();
        // Four plies cannot be played in enough ways for all to differ.
        assert!(keys.len() > 980);
        assert!(openings.iter().all(|opening| opening.ending().is_none()));
        let white = openings.iter().filter(|opening| opening.side() == Color::White).count();
        assert!((400..600).contains(&white));
    }
}
