//! One thread's search: iterative deepening with aspiration windows.

use super::history::History;
use super::node::Root;
use super::report::{Bound, Event, Line};
use super::score::Score;
use super::score::{INFINITE, MATE, MATE_IN_MAX_PLY, MAX_DEPTH, TB_WIN_IN_MAX_PLY};
use super::syzygy::probed_pieces;
use super::task::Search;
use super::tree::{RootMove, Tree};
use super::tuning::{SHARED_DEPTH, WINDOW, WINDOW_GROWTH};
use super::wdl::Wdl;
use crate::board::Move;
use crate::eval::Accumulators;

/// What a thread found.
#[derive(Clone, Debug)]
pub struct ThreadResult {
    /// The depth of the last complete iteration.
    pub depth: u32,
    pub score: i32,
    pub line: Line,
}

pub struct Worker<'a> {
    tree: Tree<'a>,
    thread: usize,
    told: Vec<Move>,
}

impl<'a> Worker<'a> {
    pub fn new(
        search: &'a Search,
        history: &'a mut History,
        accumulators: &'a mut Accumulators,
        thread: usize,
        tell: &'a mut dyn FnMut(Event),
    ) -> Worker<'a> {
        let mut tree = Tree::new(search, history, accumulators, thread, tell);
        let score = tree.evaluate(&search.task.position, 0);
        let known = search.known_root();
        let root = |mv| RootMove {
            mv,
            known: known.and_then(|known| known.of_move(mv)),
            score,
            sel_depth: 1,
            nodes: 0,
            line: vec![mv],
        };
        tree.roots = search.task.root_moves().into_iter().map(root).collect();
        tree.roots.sort_by_key(RootMove::order);
        tree.probed_pieces = probed_pieces(&search.task, known);
        Worker { tree, thread, told: Vec::new() }
    }

    /// Searches until a limit or a stop ends it. There must be a root move.
    pub fn run(mut self) -> Option<ThreadResult> {
        let search = self.tree.search;
        let limits = &search.task.limits;
        let lines = search.task.multi_pv.clamp(1, self.tree.roots.len().max(1));
        // Helpers go on as long as the leader may need them.
        let deepest =
            limits.depth.filter(|_| self.leads()).unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let forced = self.tree.roots.len() == 1 && search.clock.has_plan() && !search.task.analyse;
        let (mut complete, mut calm, mut best) = (0, 0, None);
        let mut expected = None;
        for depth in 1..=deepest {
            if !self.takes_part(depth) {
                continue;
            }
            self.tree.deepest = 0;
            self.tree.depth = depth;
            for pv_index in 0..lines {
                self.aspire(pv_index, depth);
                self.tree.roots[pv_index..].sort_by_key(RootMove::order);
                if self.tree.is_stopped() {
                    break;
                }
            }
            self.tree.roots[..lines].sort_by_key(RootMove::order);
            if self.tree.is_stopped() {
                break;
            }
            complete = depth;
            self.tree.heeds_limits = true;
            self.tell_lines(lines, depth, Bound::Exact);

            let leader = &self.tree.roots[0];
            calm = if best == Some(leader.mv) { calm + 1 } else { 0 };
            best = Some(leader.mv);
            let fallen = expected.map_or(0, |expected: i32| expected - leader.score);
            expected = Some(expected.map_or(leader.score, |old| (old * 3 + leader.score) / 4));
            let effort = leader.nodes as f64 / self.tree.nodes().max(1) as f64;
            let mates = limits.mate.is_some_and(|moves| {
                leader.score.abs() >= MATE_IN_MAX_PLY
                    && MATE - leader.score.abs() < 2 * moves as i32 + 1
            });
            let enough = limits.soft_nodes.is_some_and(|soft| search.nodes() >= soft);
            let late = search.clock.is_late(calm, fallen, effort)
                || enough
                || forced
                || search.clock.is_over();
            if self.leads() && (mates || late && !search.is_pondering()) {
                break;
            }
        }
        let leader = self.tree.roots.first()?;
        let score = leader.score;
        let line = self.line(0, complete.max(1), Bound::Exact);
        if self.leads() && self.told != line.moves {
            (self.tree.tell)(Event::Line(line.clone()));
        }
        Some(ThreadResult { depth: complete, score, line })
    }

    fn leads(&self) -> bool {
        self.thread == 0
    }

    /// Whether this thread looks so deep. Once that takes time, helpers leave out every other depth,
    /// half of them the even ones: what they put into the table is then often deeper than what the
    /// leader asks for, and less of it is what the leader finds out itself.
    fn takes_part(&self, depth: u32) -> bool {
        self.leads() || depth <= SHARED_DEPTH || (depth as usize + self.thread).is_multiple_of(2)
    }

    /// Finds the best of the moves from `pv_index` on, looking first near its last score.
    fn aspire(&mut self, pv_index: usize, depth: u32) {
        let position = self.tree.search.task.position;
        let expected = self.tree.roots[pv_index].score;
        let narrow = depth >= 4 && expected.abs() < TB_WIN_IN_MAX_PLY;
        let mut width = WINDOW;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if narrow {
            (alpha, beta) = (expected - width, expected + width);
        }
        let mut less = 0;
        self.tree.pv_index = pv_index;
        loop {
            let reduced = (depth as i32 - less).max(1);
            let score = self.tree.node::<Root>(&position, alpha, beta, reduced, 0, false);
            if self.tree.is_stopped() {
                return;
            }
            self.tree.roots[pv_index..].sort_by_key(RootMove::order);
            let bound = if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (score - width).max(-INFINITE);
                less = 0;
                Bound::Upper
            } else if score >= beta {
                beta = (score + width).min(INFINITE);
                less = (less + 1).min(3);
                Bound::Lower
            } else {
                return;
            };
            width += width * WINDOW_GROWTH / 4;
            if width > 600 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
            if pv_index == 0 && self.tree.search.task.multi_pv == 1 && self.tree.is_talkative() {
                self.tell_lines(1, depth, bound);
            }
        }
    }

    fn tell_lines(&mut self, lines: usize, depth: u32, bound: Bound) {
        if !self.leads() {
            return;
        }
        for pv_index in 0..lines {
            let line = self.line(pv_index, depth, bound);
            (self.tree.tell)(Event::Line(line));
        }
        self.told.clone_from(&self.tree.roots[0].line);
    }

    fn line(&self, pv_index: usize, depth: u32, bound: Bound) -> Line {
        let search = self.tree.search;
        let root = &self.tree.roots[pv_index];
        let known = root.known.filter(|_| root.score.abs() < MATE_IN_MAX_PLY);
        let score = known.map_or(root.score, |known| known.score);
        Line {
            depth,
            sel_depth: root.sel_depth as u32,
            pv_index: pv_index + 1,
            score: Score::of(score, &search.task.position),
            bound: known.map_or(bound, |_| Bound::Exact),
            wdl: Wdl::of(score, &search.task.position),
            nodes: search.nodes(),
            tb_hits: search.tb_hits(),
            time: search.clock.elapsed(),
            hashfull: search.table.permille(),
            moves: root.line.clone(),
        }
    }
}
