//! The vote of the threads for the best move, at the end of a Lazy SMP search.

use super::iterative_deepening::ThreadResult;
use super::score::TB_WIN_IN_MAX_PLY;
use super::tunables::Tunables;

/// Each thread votes for its best move, with more weight the deeper it searched and the better its
/// score. A proven win needs no vote. Of equals the first wins, which is the main thread.
pub fn winner(results: &[ThreadResult], tunables: Tunables) -> Option<&ThreadResult> {
    let worst = results.iter().map(|result| result.score).min()?;
    let weight = |result: &ThreadResult| {
        i64::from(result.score - worst + tunables.vote_margin()) * i64::from(result.depth)
    };
    let votes = |result: &ThreadResult| -> i64 {
        let best_move = result.line.moves.first();
        results.iter().filter(|other| other.line.moves.first() == best_move).map(weight).sum()
    };
    let rank = |result: &ThreadResult| {
        let win = if result.score >= TB_WIN_IN_MAX_PLY { result.score } else { 0 };
        (win, votes(result), weight(result))
    };
    results.iter().rev().max_by_key(|result| rank(result))
}
