//! Counting the leaves of the tree of legal moves, the classic test of a generator.

use super::{Backend, MoveList, Native, Position, Stage};

/// The number of move sequences of this many plies. The moves of the last ply are only counted (bulk
/// counting).
pub fn perft(position: &Position, depth: u32) -> u64 {
    perft_by::<Native>(position, depth)
}

/// [`perft`] with a given backend.
pub fn perft_by<B: Backend>(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return B::count(position).into();
    }
    let mut moves = MoveList::new();
    B::generate(position, Stage::All, &mut moves);
    moves.iter().map(|&mv| perft_by::<B>(&B::after(position, mv), depth - 1)).sum()
}
