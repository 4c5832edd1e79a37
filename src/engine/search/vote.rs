//! Combines the results of all threads.

use super::iterative_deepening::ThreadResult;
use super::report::{Event, Line, SearchResult, TB_WIN_IN_MAX_PLY};
use super::task::Shared;
use super::tunables::Tunables;
use crate::board::Move;

/// Chooses one of the threads' results, the main thread's being first. If another thread wins, its line is
/// reported.
pub fn choose(
    shared: &Shared,
    results: Vec<ThreadResult>,
    listener: &mut dyn FnMut(Event),
) -> SearchResult {
    let task = &shared.task;
    // A search to a given depth, or for several lines, is the main thread's.
    let main_only = task.multi_pv > 1 || task.limits.depth.is_some();
    let main = results.first();
    let chosen = if main_only { main } else { vote(&results, task.tunables) };
    if let (Some(main), Some(chosen)) = (main, chosen)
        && main.line.moves != chosen.line.moves
    {
        // All threads continued after the helper's iteration.
        let line = Line {
            nodes: shared.nodes(),
            tb_hits: shared.tb_hits(),
            time: shared.clock.elapsed(),
            ..chosen.line.clone()
        };
        listener(Event::Lines(vec![line.so_far()]));
    }
    let pv = chosen.map_or(&[][..], |chosen| &chosen.line.moves);
    let best = pv.first().copied();
    SearchResult {
        best,
        ponder: best.and_then(|best| pv.get(1).copied().or_else(|| tt_reply(shared, best))),
        nodes: shared.nodes(),
        time: shared.clock.elapsed(),
    }
}

/// The TT move after the best move.
fn tt_reply(shared: &Shared, best: Move) -> Option<Move> {
    let next = shared.task.position.after(best);
    let entry = shared.tt.probe(next.key())?;
    next.is_legal(entry.mv).then_some(entry.mv)
}

/// Vote: each thread votes for its best move, with a weight that grows with depth and score. A proven win
/// beats all votes. Of equals the first wins, which favors the main thread.
fn vote(results: &[ThreadResult], tunables: Tunables) -> Option<&ThreadResult> {
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
