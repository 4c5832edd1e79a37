//! Vector instructions agree with their portable twins.

use crate::common::{random, trials};
use engine::board::instructions::{native, portable};
use engine::board::square::{JUMPS, RAYS};
use engine::board::{Color, Move, MoveList, Piece, PieceType, Square, SquareSet};
use rand::RngExt;
use wide::u64x8;

const TRIALS: usize = trials(1_000_000);

/// Sets that are shifted off the board may re-enter at the other end, but only there.
#[test]
fn shifts() {
    const DISTANCES: [i64; 8] = [-17, -15, -10, -6, 6, 10, 15, 17];
    let mut random = random(62);
    for _ in 0..TRIALS {
        let sets: [u64; 8] = random.random();
        let [one, other] = [native::shift, portable::shift]
            .map(|shift| shift(u64x8::new(sets), &DISTANCES).to_array());
        for (i, distance) in DISTANCES.into_iter().enumerate() {
            let stays = |to: i64| (0..64).contains(&(to - distance));
            let on_board = (0..64).filter(|&to| stays(to)).fold(0u64, |set, to| set | 1 << to);
            let expected = sets[i].rotate_left((distance & 63) as u32) & on_board;
            assert_eq!(one[i] & on_board, expected, "{distance}");
            assert_eq!(other[i] & on_board, expected, "{distance}");
        }
    }
}

/// The destinations of a piece other than a pawn, in the order of lanes: by direction, then distance, with a
/// jump after each ray.
fn reached(piece: Piece, from: Square, occupied: SquareSet) -> Vec<Square> {
    let goes = |step: i8| match piece.kind() {
        PieceType::Bishop => step % 16 != 0 && step.abs() != 1,
        PieceType::Rook => step % 16 == 0 || step.abs() == 1,
        kind => matches!(kind, PieceType::Queen | PieceType::King),
    };
    let mut squares = Vec::new();
    for (step, jump) in RAYS.into_iter().zip(JUMPS) {
        for square in from.ray(step).filter(|_| goes(step)) {
            squares.push(square);
            if occupied.contains(square) || piece.is(PieceType::King) {
                break;
            }
        }
        squares.extend(from.step(jump).filter(|_| piece.is(PieceType::Knight)));
    }
    squares
}

#[test]
fn written_moves() {
    let mut random = random(63);
    for _ in 0..TRIALS {
        let mut set = || SquareSet::from_bits(random.random::<u64>() & random.random::<u64>());
        let (occupied, wanted, pawns) = (set(), set(), set().bits() & 0x5555_0000);
        let from = Square::from_index(random.random_range(0..64));
        let targets = wanted & !SquareSet::one(from);
        let piece =
            PieceType::ALL[random.random_range(1..6)].of(Color::BOTH[pawns as usize >> 16 & 1]);
        let pawns = SquareSet::from_bits(pawns);
        let step = *[-16, -9, -8, -7, 7, 8, 9, 16].get(random.random_range(0..8)).expect("a step");
        let (mut list, mut expected) = (MoveList::new(), MoveList::new());
        native::push_moves(piece, from, occupied, targets, &mut list);
        let to = reached(piece, from, occupied).into_iter().filter(|&to| targets.contains(to));
        assert!(list.iter().copied().eq(to.map(|to| Move::normal(from, to))), "{piece:?} {from}");
        native::push_pawn_moves(step, pawns, &mut list);
        portable::push_moves(piece, from, occupied, targets, &mut expected);
        portable::push_pawn_moves(step, pawns, &mut expected);
        assert_eq!(list, expected, "{piece:?} {from} {occupied:?} {targets:?} {step} {pawns:?}");
    }
}

/// A list of any length has room for the moves that are written beyond its end.
#[test]
fn written_moves_end_at_the_end() {
    let mut list = MoveList::new();
    let (queen, from) = (PieceType::Queen.of(Color::White), Square::new(3, 3).expect("d4"));
    let mut push = |targets| {
        native::push_moves(queen, from, SquareSet::one(from), targets, &mut list);
        list.len()
    };
    for queens in 1..=15 {
        assert_eq!(push(!SquareSet::one(from)), 27 * queens);
    }
    assert_eq!(push(SquareSet::one(Square::new(4, 4).expect("e5"))), 27 * 15 + 1);
}
