//! Upcoming repetition: finds, in cuckoo tables, the reversible move that leads to a position with a known
//! key.
//!
//! A quiet move of a piece changes the key by the xor of the piece's numbers on the two squares and the
//! number of the side to move. All such differences are in a table of 8192 slots, each in one of the two
//! slots given by its own bits, so a lookup takes two reads. Marcel van Kervinck described this in 2013.
//! Cuckoo hashing is the way to fill such a table, by pushing out entries that are in the way.

use super::bitboards::{between, reach};
use super::{Color, Piece, PieceType, Position, Square, zobrist};

const PLACES: usize = 8192;

/// A difference of keys, and the two squares between which a piece causes it.
#[derive(Clone, Copy)]
struct CuckooEntry {
    difference: u64,
    squares: (u8, u8),
}

const fn places(difference: u64) -> [usize; 2] {
    [difference as usize % PLACES, (difference >> 16) as usize % PLACES]
}

static CUCKOO: [CuckooEntry; PLACES] = {
    let mut table = [CuckooEntry { difference: 0, squares: (0, 0) }; PLACES];
    let mut color = 0;
    while color < 2 {
        // All piece types except pawns, which cannot move back.
        let mut kind = 1;
        while kind < 6 {
            let piece = Piece::new(Color::BOTH[color], PieceType::ALL[kind]);
            let mut a = 0;
            while a < 64 {
                let mut b = a + 1;
                while b < 64 {
                    let (from, to) = (Square::from_index(a), Square::from_index(b));
                    if reach(piece.kind(), from).contains(to) {
                        let difference = zobrist::piece(piece, from)
                            ^ zobrist::piece(piece, to)
                            ^ zobrist::black_to_move();
                        insert(&mut table, CuckooEntry { difference, squares: (a, b) });
                    }
                    b += 1;
                }
                a += 1;
            }
            kind += 1;
        }
        color += 1;
    }
    table
};

/// Puts an entry in its first slot, and any entry that was there in its other slot.
const fn insert(table: &mut [CuckooEntry; PLACES], mut entry: CuckooEntry) {
    let mut place = places(entry.difference)[0];
    loop {
        let pushed = table[place];
        table[place] = entry;
        if pushed.difference == 0 {
            return;
        }
        entry = pushed;
        let [first, second] = places(entry.difference);
        place = if place == first { second } else { first };
    }
}

impl Position {
    /// The squares of the reversible move that changes the key by this difference.
    pub fn cuckoo_move(&self, difference: u64) -> Option<(Square, Square)> {
        let [first, second] = places(difference).map(|place| &CUCKOO[place]);
        let entry = if first.difference == difference { first } else { second };
        if entry.difference != difference {
            return None;
        }
        let (a, b) = (Square::from_index(entry.squares.0), Square::from_index(entry.squares.1));
        (between(a, b) & self.occupied()).is_empty().then_some((a, b))
    }
}
