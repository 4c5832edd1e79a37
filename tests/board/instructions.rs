//! What an instruction set does for the board is what its portable twin does.

use crate::common::{random, trials};
use rand::RngExt;
use wide::{u8x64, u64x8};
use zebu::board::instructions::{native, portable};
use zebu::board::{MoveList, Square, SquareSet};

const TRIALS: usize = trials(1_000_000);

fn random_bytes(random: &mut impl RngExt, below: u8) -> u8x64 {
    u8x64::new(std::array::from_fn(|_| random.random_range(0..below)))
}

#[test]
fn bytes_and_bits() {
    let mut random = random(61);
    for _ in 0..TRIALS {
        let (names, places) = (random_bytes(&mut random, 0x80), random_bytes(&mut random, 0x80));
        let (table, number): ([u8; 16], u64) = (random.random(), random.random());
        assert_eq!(native::splat(table[0]), portable::splat(table[0]));
        assert_eq!(native::translate(names, table), portable::translate(names, table));
        assert_eq!(native::bits_at(places, number), portable::bits_at(places, number));
        let expected = (0..64).filter(|&i| number >> (places.to_array()[i] & 63) & 1 != 0);
        let found = portable::bits_at(places, number);
        assert_eq!(found, expected.fold(0, |bits, i| bits | 1 << i), "{places} {number:x}");
    }
}

/// Sets that are moved off the board may come back at its other end, but only there.
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

#[test]
fn written_moves() {
    let mut random = random(63);
    for _ in 0..TRIALS {
        let squares = random_bytes(&mut random, 64);
        let from = Square::from_index(random.random_range(0..64));
        // A queen has 27 moves at most, a side 16 pawns in some setups.
        let lanes = random.random::<u64>() & random.random::<u64>() & random.random::<u64>();
        let lanes = if lanes.count_ones() > 32 { 0 } else { lanes };
        let pawns = SquareSet::from_bits(random.random::<u64>() & 0x5555_0000);
        let step = *[-16, -9, -8, -7, 7, 8, 9, 16].get(random.random_range(0..8)).expect("a step");
        let (mut list, mut expected) = (MoveList::new(), MoveList::new());
        native::push_moves(from, squares, lanes, &mut list);
        native::push_pawn_moves(step, pawns, &mut list);
        portable::push_moves(from, squares, lanes, &mut expected);
        portable::push_pawn_moves(step, pawns, &mut expected);
        assert_eq!(list, expected, "{from} {lanes:x} {step} {pawns:?}");
    }
}

/// The list has room for what is written beyond its end, however many moves it holds.
#[test]
fn written_moves_end_at_the_end() {
    let mut list = MoveList::new();
    for _ in 0..15 {
        native::push_moves(Square::from_index(0), u8x64::splat(1), (1 << 27) - 1, &mut list);
    }
    assert_eq!(list.len(), 15 * 27);
    native::push_moves(Square::from_index(0), u8x64::splat(1), 0xFF, &mut list);
    assert_eq!(list.len(), 15 * 27 + 8);
}
