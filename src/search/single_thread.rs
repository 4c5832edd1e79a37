//! What a search comes to: how the results of threads, or of the only one, become one.

use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use super::iterative_deepening::ThreadResult;
use super::report::{Bound, Event, Line, MATE, Score, SearchResult, TB_WIN_IN_MAX_PLY, Wdl};
use super::task::{Shared, Task};
use super::tt::{TableError, TranspositionTable};
use super::tunables::Tunables;
use super::worker::{ThreadData, Worker};
use crate::board::Move;

/// The stack of a search thread: room for the deepest line, with much to spare.
pub const STACK_BYTES: usize = 16 << 20;

/// As many threads search at once, however many are wanted: of more, the first one, which answers, hardly runs.
pub fn most_threads() -> usize {
    const FOR_EACH_PROCESSOR: usize = 4;
    available_parallelism().map_or(1, NonZero::get) * FOR_EACH_PROCESSOR
}

/// What the system refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("the system has {}", threads(*.0))]
    Threads(usize),
}

fn threads(count: usize) -> String {
    match count {
        0 => "neither a thread nor memory for a search".to_string(),
        _ => format!("no more than {count}"),
    }
}

/// Where events go. The last one of a search is [`Event::Done`].
pub type Listener = Box<dyn FnMut(Event) + Send>;

/// Chooses between the results of the threads, the main one's first. If another wins, its line is
/// reported.
pub fn choose(
    shared: &Shared,
    results: Vec<ThreadResult>,
    listener: &mut dyn FnMut(Event),
) -> SearchResult {
    let task = &shared.task;
    // A depth or several lines are asked of the main thread.
    let main_only = task.multi_pv > 1 || task.limits.depth.is_some();
    let main = results.first();
    let chosen = if main_only { main } else { vote(&results, task.tunables) };
    if let (Some(main), Some(chosen)) = (main, chosen)
        && main.line.moves != chosen.line.moves
    {
        // All threads went on after the helper's iteration.
        let line = Line {
            nodes: shared.nodes(),
            tb_hits: shared.tb_hits(),
            time: shared.clock.elapsed(),
            ..chosen.line.clone()
        };
        listener(Event::Line(line.so_far()));
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

/// The end of a search that has no root move: mate, stalemate, or none allowed.
pub fn report_no_moves(task: &Task, listener: &mut dyn FnMut(Event)) {
    let score = if task.position.in_check() { -MATE } else { 0 };
    listener(Event::Line(Line {
        depth: 0,
        sel_depth: 0,
        pv_index: 1,
        score: Score::of(score, &task.position),
        bound: Bound::Exact,
        wdl: Wdl::of(score, &task.position),
        nodes: 0,
        tb_hits: 0,
        time: Duration::ZERO,
        hashfull: 0,
        moves: Vec::new(),
    }));
    let result = SearchResult { best: None, ponder: None, nodes: 0, time: Duration::ZERO };
    listener(Event::Done(result));
}

/// The vote of the threads: each for its best move, with more weight the deeper it searched and the
/// better its score. A proven win needs no vote. Of equals the first wins, which is the main thread.
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

/// Searches in the calling thread, for the workshop, which makes many short ones, and in a web page: a table and the
/// histories of one thread, which needs a stack of [`STACK_BYTES`].
pub struct SingleThread {
    tt: Arc<TranspositionTable>,
    data: ThreadData,
}

impl SingleThread {
    pub fn new(megabytes: usize) -> Result<SingleThread, EngineError> {
        let tt = Arc::new(TranspositionTable::new(megabytes)?);
        let data = ThreadData::new().ok_or(EngineError::Threads(0))?;
        Ok(SingleThread { tt, data })
    }

    /// Clears the table and the histories.
    pub fn clear(&mut self) {
        self.tt.clear(1);
        self.data.clear();
    }

    /// The result for a position, unless it has no legal move.
    pub fn search(&mut self, task: Task) -> Option<ThreadResult> {
        if task.root_moves().is_empty() {
            return None;
        }
        self.tt.increment_age();
        let shared = Shared::new(task, Arc::clone(&self.tt), 1);
        Worker::new(&shared, &mut self.data, 0, None).run()
    }

    /// Searches, and reports as a thread of its own would. Whether it was stopped.
    #[cfg(target_family = "wasm")]
    pub fn lead(&mut self, task: Task, listener: &mut dyn FnMut(Event)) -> bool {
        if task.root_moves().is_empty() {
            report_no_moves(&task, listener);
            return false;
        }
        self.tt.increment_age();
        let shared = Shared::new(task, Arc::clone(&self.tt), 1);
        let found = Worker::new(&shared, &mut self.data, 0, Some(&mut *listener)).run();
        let result = choose(&shared, found.into_iter().collect(), listener);
        listener(Event::Done(result));
        shared.is_stopped()
    }
}
