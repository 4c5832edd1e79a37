//! Perft: counting the leaves of the tree of legal moves, the classic test of a generator.

use super::Position;

/// The number of move sequences of this many plies. The moves of the last ply are only counted (bulk
/// counting).
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves().into(),
        _ => position.legal_moves().iter().map(|&mv| perft(&position.after(mv), depth - 1)).sum(),
    }
}
