//! Moves with their scores, from which the best is taken again and again.

use arrayvec::ArrayVec;
use wide::i32x8;

use crate::board::{Move, MoveList};

/// Scores that are compared at once.
const LANES: usize = 8;

/// Below every key of a move.
const TAKEN: i32 = i32::MIN;

/// The bits of a key that hold the place, counted from the end, so that of equal scores the first is
/// best.
const PLACE_BITS: u32 = 9;
const PLACES: i32 = 1 << PLACE_BITS;

pub struct ScoredMoves {
    moves: MoveList,
    /// Each move's score and, below it, its place; then what fills the last lanes.
    keys: ArrayVec<i32, { PLACES as usize }>,
    next: usize,
    /// The highest key.
    best: i32,
}

impl ScoredMoves {
    pub fn new() -> ScoredMoves {
        ScoredMoves { moves: MoveList::new(), keys: ArrayVec::new(), next: 0, best: TAKEN }
    }

    /// Puts other moves in place of what is left. A score has at most 22 bits and a sign.
    pub fn fill(&mut self, generate: impl FnOnce(&mut MoveList), score: impl Fn(Move) -> i32) {
        self.moves.clear();
        self.keys.clear();
        self.next = 0;
        generate(&mut self.moves);
        for (place, &mv) in self.moves.iter().enumerate() {
            self.keys.push(key(score(mv), place));
        }
        while !self.keys.len().is_multiple_of(LANES) {
            self.keys.push(TAKEN);
        }
        self.best = self.highest();
    }

    /// Leaves out the moves that are not wanted, of those that are left.
    pub fn retain(&mut self, wanted: impl Fn(Move) -> bool) {
        for (key, &mv) in self.keys.iter_mut().zip(&self.moves).skip(self.next) {
            if !wanted(mv) {
                *key = TAKEN;
            }
        }
        self.best = self.highest();
    }

    fn highest(&self) -> i32 {
        let chunks = self.keys.as_chunks::<LANES>().0.iter().map(|&keys| i32x8::new(keys));
        chunks.fold(i32x8::splat(TAKEN), i32x8::max).reduce_max()
    }

    /// The move with the highest score.
    pub fn best(&self) -> Option<Move> {
        (self.best != TAKEN).then(|| self.moves[place(self.best)])
    }

    /// Its score.
    pub fn best_score(&self) -> Option<i32> {
        (self.best != TAKEN).then_some(self.best >> PLACE_BITS)
    }

    /// Takes the move with the highest score out.
    pub fn take_best(&mut self) -> Option<(Move, i32)> {
        if self.best == TAKEN {
            return None;
        }
        let (score, place) = (self.best >> PLACE_BITS, place(self.best));
        let mv = self.moves[place];
        self.moves[place] = self.moves[self.next];
        self.keys[place] = match self.keys[self.next] {
            TAKEN => TAKEN,
            other => key(other >> PLACE_BITS, place),
        };
        self.keys[self.next] = TAKEN;
        self.next += 1;
        self.best = self.highest();
        Some((mv, score))
    }
}

fn key(score: i32, place: usize) -> i32 {
    debug_assert!(score.abs() < 1 << (31 - PLACE_BITS));
    score << PLACE_BITS | (PLACES - 1 - place as i32)
}

fn place(key: i32) -> usize {
    (!key & (PLACES - 1)) as usize
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::board::Position;

    #[test]
    fn every_move_comes_once_and_the_best_first() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let position = Position::start();
        let mut moves = ScoredMoves::new();
        for spread in [1, 3, 1 << 22] {
            let all = position.legal_moves();
            let scores: Vec<i32> =
                all.iter().map(|_| random.random_range(-spread..spread)).collect();
            let score =
                |mv: Move| all.iter().position(|&other| other == mv).map_or(0, |i| scores[i]);
            moves.fill(|moves| moves.extend(all.iter().copied()), score);
            let taken: Vec<(Move, i32)> = std::iter::from_fn(|| moves.take_best()).collect();
            assert!(taken.is_sorted_by(|one, other| one.1 >= other.1), "{taken:?}");
            assert!(taken.iter().all(|&(mv, told)| told == score(mv)), "{taken:?}");
            assert_eq!(
                taken[0].0,
                all[scores.iter().position(|&score| score == taken[0].1).unwrap()]
            );
            let mut moves: Vec<u16> = taken.iter().map(|(mv, _)| mv.bits()).collect();
            moves.sort_unstable();
            moves.dedup();
            assert_eq!(moves.len(), all.len());
        }
    }
}
