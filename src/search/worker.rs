//! One thread's search: iterative deepening with aspiration windows over the root moves.

use std::time::Duration;

use super::alphabeta::reduction;
use super::history::History;
use super::report::{Bound, Event, Line};
use super::score::{INFINITE, LEAST_MATE, MATE, MAX_DEPTH};
use super::score::{Score, Wdl};
use super::task::Search;
use super::tree::Tree;
use crate::board::Move;
use crate::eval::evaluate;

/// After this long, single root moves and unfinished scores are told too.
const TALKATIVE_AFTER: Duration = Duration::from_secs(3);

/// Half of the first aspiration window.
const WINDOW: i32 = 25;

/// A root move and what was last found out about it.
#[derive(Clone, Debug)]
struct RootMove {
    mv: Move,
    score: i32,
    selective_depth: usize,
    line: Vec<Move>,
}

/// What a thread found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The depth of the last complete iteration.
    pub depth: u32,
    pub score: i32,
    pub line: Line,
}

pub struct Worker<'a> {
    tree: Tree<'a>,
    thread: usize,
    moves: Vec<RootMove>,
    tell: &'a mut dyn FnMut(Event),
    told: Vec<Move>,
}

impl<'a> Worker<'a> {
    pub fn new(
        search: &'a Search,
        history: &'a mut History,
        thread: usize,
        tell: &'a mut dyn FnMut(Event),
    ) -> Worker<'a> {
        history.forget_killers();
        let score = evaluate(&search.task.position);
        let root = |mv| RootMove { mv, score, selective_depth: 1, line: vec![mv] };
        let moves = search.task.root_moves().into_iter().map(root).collect();
        let tree = Tree::new(search, history, thread);
        Worker { tree, thread, moves, tell, told: Vec::new() }
    }

    /// Searches until a limit or a stop ends it. There must be a root move.
    pub fn run(mut self) -> Option<Found> {
        let search = self.tree.search;
        let limits = &search.task.limits;
        let lines = search.task.lines.clamp(1, self.moves.len().max(1));
        let deepest = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let forced = self.moves.len() == 1 && search.clock.has_plan() && !search.task.thorough;
        let (mut complete, mut calm, mut best) = (0, 0, None);
        // Helpers walk at different depths so that they do not all do the same.
        let first = 1 + self.thread as u32 % 2;
        for depth in first.min(deepest)..=deepest {
            self.tree.deepest = 0;
            for rank in 0..lines {
                self.aspire(rank, depth);
                self.moves[rank..].sort_by_key(|root| -root.score);
                if self.tree.is_stopped() {
                    break;
                }
            }
            self.moves[..lines].sort_by_key(|root| -root.score);
            if self.tree.is_stopped() {
                break;
            }
            complete = depth;
            self.tree.heeds_limits = true;
            self.tell_lines(lines, depth, Bound::Exact);

            let leader = &self.moves[0];
            calm = if best == Some(leader.mv) { calm + 1 } else { 0 };
            best = Some(leader.mv);
            let mates = limits.mate.is_some_and(|moves| {
                leader.score.abs() >= LEAST_MATE && MATE - leader.score.abs() < 2 * moves as i32 + 1
            });
            let late = search.clock.is_late(calm) || forced || search.clock.is_over();
            if self.thread == 0 && (mates || late && !search.is_pondering()) {
                break;
            }
        }
        let leader = self.moves.first()?;
        let score = leader.score;
        let line = self.line(0, complete.max(1), Bound::Exact);
        if self.thread == 0 && self.told != line.moves {
            (self.tell)(Event::Line(line.clone()));
        }
        Some(Found { depth: complete, score, line })
    }

    /// Finds the best of the moves from `rank` on, looking first near its last score.
    fn aspire(&mut self, rank: usize, depth: u32) {
        let expected = self.moves[rank].score;
        let mut width = WINDOW;
        let around = |width: i32| {
            let narrow = depth >= 5 && width < 1000 && expected.abs() < LEAST_MATE;
            if narrow { (expected - width, expected + width) } else { (-INFINITE, INFINITE) }
        };
        let (mut alpha, mut beta) = around(width);
        loop {
            let score = self.root(rank, alpha, beta, depth as i32);
            if self.tree.is_stopped() {
                return;
            }
            let bound = if score <= alpha {
                alpha = around(width * 4).0;
                Bound::Upper
            } else if score >= beta {
                beta = around(width * 4).1;
                Bound::Lower
            } else {
                return;
            };
            width *= 4;
            self.moves[rank..].sort_by_key(|root| -root.score);
            if rank == 0 && self.tree.search.task.lines == 1 && self.is_talkative() {
                self.tell_lines(1, depth, bound);
            }
        }
    }

    fn root(&mut self, rank: usize, mut alpha: i32, beta: i32, depth: i32) -> i32 {
        let position = self.tree.search.task.position;
        let mut best = -INFINITE;
        for number in rank..self.moves.len() {
            let mv = self.moves[number].mv;
            if self.is_talkative() {
                let depth = depth as u32;
                (self.tell)(Event::Current { depth, mv, number: number + 1 });
            }
            let next = position.after(mv);
            self.tree.enter(&next);
            let full = depth - 1;
            let value = if number == rank {
                -self.tree.node(&next, -beta, -alpha, full, 1)
            } else {
                let tried = (number - rank + 1) as i32;
                let late = depth >= 4 && tried > 4 && !position.is_noisy(mv);
                let less = if late { reduction(depth, tried, true) } else { 0 };
                let mut value = -self.tree.node(&next, -alpha - 1, -alpha, full - less, 1);
                if value > alpha && less > 0 {
                    value = -self.tree.node(&next, -alpha - 1, -alpha, full, 1);
                }
                if value > alpha {
                    value = -self.tree.node(&next, -beta, -alpha, full, 1);
                }
                value
            };
            self.tree.leave();
            if self.tree.is_stopped() {
                return best;
            }
            let root = &mut self.moves[number];
            if number == rank || value > alpha {
                root.score = value;
                root.selective_depth = self.tree.deepest;
                root.line.clear();
                root.line.push(mv);
                root.line.extend_from_slice(&self.tree.lines[1]);
            } else {
                // It is behind the best, nobody knows how far.
                root.score = -INFINITE;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if value >= beta {
                break;
            }
        }
        best
    }

    fn is_talkative(&self) -> bool {
        self.thread == 0 && self.tree.search.clock.elapsed() >= TALKATIVE_AFTER
    }

    fn tell_lines(&mut self, lines: usize, depth: u32, bound: Bound) {
        if self.thread != 0 {
            return;
        }
        for rank in 0..lines {
            let line = self.line(rank, depth, bound);
            (self.tell)(Event::Line(line));
        }
        self.told.clone_from(&self.moves[0].line);
    }

    fn line(&self, rank: usize, depth: u32, bound: Bound) -> Line {
        let search = self.tree.search;
        let root = &self.moves[rank];
        Line {
            depth,
            selective_depth: root.selective_depth as u32,
            rank: rank + 1,
            score: Score::of(root.score),
            bound,
            wdl: Wdl::of(root.score, &search.task.position),
            nodes: search.nodes(),
            time: search.clock.elapsed(),
            table_use: search.table.permille(),
            moves: root.line.clone(),
        }
    }
}
