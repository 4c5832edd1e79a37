//! Iterative deepening with aspiration windows.

use std::time::Duration;

use super::alpha_beta::{Pv, Root};
use super::report::{
    Bound, DRAW, DRAW_SPREAD, Event, INFINITE, Line, MATE, MATE_IN_MAX_PLY, MAX_DEPTH, Score,
    TB_WIN_IN_MAX_PLY, Wdl,
};
use super::root::RootMove;
use super::sight::{FullVision, Vision};
use super::task::Shared;
use super::time::SoftScale;
use super::worker::{ThreadData, Worker};
use crate::board::Move;
use crate::eval::Evaluator;

/// After this time root moves are reported as they are searched, and so are scores outside the window.
const REPORT_ALL_AFTER: Duration = Duration::from_secs(3);

/// How many plies deeper than its length the rest of a mate is searched, at most.
const MATE_LINE_PATIENCE: i32 = 4;

/// The result of one thread.
#[derive(Clone, Debug)]
pub struct ThreadResult {
    /// The depth of the last complete iteration.
    pub depth: u32,
    pub score: i32,
    pub line: Line,
}

/// Searches with one thread, at the task's strength, until a limit or a stop ends it. There must be a root
/// move.
pub fn search_with<'a>(
    shared: &'a Shared,
    data: &'a mut ThreadData,
    thread: usize,
    report: Option<&'a mut dyn FnMut(Event)>,
) -> Option<ThreadResult> {
    match shared.task.sight {
        None => Worker::new(shared, data, thread, FullVision, report).run(),
        Some(sight) => Worker::new(shared, data, thread, sight, report).run(),
    }
}

impl<V: Vision> Worker<'_, V> {
    fn run(mut self) -> Option<ThreadResult> {
        let shared = self.shared;
        let limits = &shared.task.limits;
        let lines = shared.task.multi_pv.clamp(1, self.root_moves.len().max(1));
        // Helpers continue as long as the main thread may need them.
        let max_depth = limits.depth.filter(|_| self.is_main()).unwrap_or(MAX_DEPTH);
        let is_forced =
            self.root_moves.len() == 1 && shared.clock.has_soft_limit() && !shared.task.analyse;
        let mut complete = 0;
        let mut last_lines = Vec::new();
        let mut searched = 0;
        let mut soft_scale = SoftScale::new(*self.last_score);
        for depth in 1..=max_depth.clamp(1, MAX_DEPTH) {
            if !self.searches_depth(depth) {
                continue;
            }
            self.sel_depth = 0;
            self.root_depth = depth;
            // MultiPV
            searched = 0;
            while searched < lines && !self.stops() {
                self.search_aspiration_window(searched, depth);
                self.root_moves[searched..].sort_by_key(RootMove::order);
                searched += usize::from(!self.stops());
            }
            if self.stops() {
                break;
            }
            self.root_moves[..lines].sort_by_key(RootMove::order);
            complete = depth;
            self.first_iteration_done = true;
            (0..lines).for_each(|pv_index| self.complete_mate(pv_index));
            self.report_lines(lines, depth, Bound::Exact);

            last_lines = self.root_moves[..lines].to_vec();
            let best = &self.root_moves[0];
            let effort = best.nodes as f64 / self.nodes().max(1) as f64;
            soft_scale.update(best.mv, best.score, effort, self.tunables);
            let finds_mate = limits.mate.is_some_and(|moves| {
                best.score.abs() >= MATE_IN_MAX_PLY
                    && MATE - best.score.abs() < 2 * moves as i32 + 1
            });
            let soft_nodes = limits.soft_nodes_for(&shared.task.position, best.mv);
            let is_late = shared.clock.is_late(&soft_scale)
                || soft_nodes.is_some_and(|soft| shared.nodes() >= soft)
                || is_forced
                || shared.clock.is_over();
            if self.is_main() && (finds_mate || is_late && !shared.is_pondering()) {
                break;
            }
        }
        let mut found = lines;
        if self.stops() {
            found = self.keep_lines(&last_lines, searched, lines);
            last_lines.truncate(1);
            last_lines.into_iter().for_each(|last_best| self.take_back_loss(last_best));
        }
        let score = self.root_moves.first()?.score;
        *self.last_score = Some(score);
        let line = self.line(0, complete.max(1), Bound::Exact);
        // The cost of an incomplete iteration is reported too.
        if complete < self.root_depth || self.last_reported != line.moves {
            let so_far = |at| self.line(at, complete.max(1), Bound::Exact).so_far();
            let lines = (0..found).map(so_far).collect();
            self.report(|| Event::Lines(lines));
        }
        Some(ThreadResult { depth: complete, score, line })
    }

    /// MultiPV: in an iteration that was stopped, the lines that it did not reach are those of the last one.
    /// The number of lines found.
    fn keep_lines(&mut self, last_lines: &[RootMove], searched: usize, lines: usize) -> usize {
        // The first line may have a better move already.
        let mut found = searched.max(1);
        for last in last_lines {
            let place = self.root_moves.iter().position(|root| root.mv == last.mv);
            if let Some(place) = place.filter(|&place| place >= found && found < lines) {
                self.root_moves[found..=place].rotate_right(1);
                self.root_moves[found] = last.clone();
                found += 1;
            }
        }
        self.root_moves[..found].sort_by_key(RootMove::order);
        found
    }

    /// If the search was stopped right after the best move turned out to lose, before other moves were tried,
    /// the result of the last iteration stands.
    fn take_back_loss(&mut self, last_best: RootMove) {
        if self.root_moves[0].score > -TB_WIN_IN_MAX_PLY {
            return;
        }
        if let Some(place) = self.root_moves.iter().position(|root| root.mv == last_best.mv) {
            self.root_moves[..=place].rotate_right(1);
            self.root_moves[0] = last_best;
        }
    }

    /// Lazy SMP: once iterations take long, helpers skip every other depth; half of them skip the even ones.
    /// Their TT entries are then often deeper than the main thread needs.
    fn searches_depth(&self, depth: u32) -> bool {
        self.is_main()
            || depth <= self.tunables.helper_full_depth() as u32
            || (depth as usize + self.thread).is_multiple_of(2)
    }

    /// Aspiration windows: searches the root moves from `pv_index` on with a narrow window around their last
    /// score, and widens it until the score lies inside.
    fn search_aspiration_window(&mut self, pv_index: usize, depth: u32) {
        let tunables = self.tunables;
        let side = self.shared.task.position.side();
        let root_move = &self.root_moves[pv_index];
        let expected = root_move.average.unwrap_or(root_move.score);
        // High scores vary more.
        let mut delta = tunables.aspiration_window()
            + (expected * expected / tunables.aspiration_score_divisor())
                .min(tunables.aspiration_limit());
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= tunables.aspiration_depth() as u32 && expected.abs() < TB_WIN_IN_MAX_PLY {
            (alpha, beta) = (expected - delta, expected + delta);
        }
        // Optimism
        let optimism =
            tunables.optimism() * expected / (expected.abs() + tunables.optimism_offset());
        self.optimism[side.index()] = optimism;
        self.optimism[(!side).index()] = -optimism;

        let mut reduction = 0;
        self.pv_index = pv_index;
        loop {
            let reduced = (depth as i32 - reduction).max(1);
            self.root_delta = beta - alpha;
            let score = self.search::<Root>(alpha, beta, reduced, false);
            if self.stops() {
                return;
            }
            self.root_moves[pv_index..].sort_by_key(RootMove::order);
            let bound = if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (score - delta).max(-INFINITE);
                reduction = 0;
                Bound::Upper
            } else if score >= beta {
                alpha = alpha.max(beta - delta);
                beta = (score + delta).min(INFINITE);
                reduction = (reduction + 1).min(tunables.aspiration_reduction());
                Bound::Lower
            } else {
                let best = &mut self.root_moves[pv_index];
                let average = best.average.map_or(score, |average| (average + score) / 2);
                best.average = (score.abs() < TB_WIN_IN_MAX_PLY).then_some(average);
                return;
            };
            delta += 1 + delta * tunables.aspiration_growth() / 32;
            if delta > tunables.aspiration_limit() {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
            if pv_index == 0 && self.shared.task.multi_pv == 1 && self.reports_all() {
                self.report_lines(1, depth, bound);
            }
        }
    }

    /// Whether a root move is to be searched: it is not the move of a better line, and has the best remaining
    /// rank by the endgame tables.
    pub fn is_root_move(&self, mv: Move) -> bool {
        let left = &self.root_moves[self.pv_index..];
        left.iter().any(|root_move| root_move.mv == mv && root_move.tb_rank() == left[0].tb_rank())
    }

    /// Records the result of a root move.
    pub fn update_root_move(&mut self, mv: Move, score: i32, nodes: u64, is_exact: bool) {
        let (sel_depth, pv_after) = (self.sel_depth, &self.pv[1]);
        let Some(root_move) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root_move.nodes += nodes;
        if is_exact {
            root_move.set_score(score, sel_depth, pv_after);
        } else {
            root_move.set_behind();
        }
    }

    /// Reports a mate with all its moves. If the table has cut off its line, the rest is searched.
    fn complete_mate(&mut self, pv_index: usize) {
        let RootMove { score, ref pv, .. } = self.root_moves[pv_index];
        let plies = (MATE - score.abs()) as usize;
        if !self.is_main() || score.abs() < MATE_IN_MAX_PLY || pv.len() >= plies {
            return;
        }
        let pv = pv.clone();
        for &mv in &pv {
            self.make_move(mv, self.stack[0].moved(mv).untaught());
        }
        let value = if pv.len().is_multiple_of(2) { score } else { -score };
        let rest = (plies - pv.len()) as i32;
        let is_found = (rest..=rest + MATE_LINE_PATIENCE)
            .any(|depth| self.search::<Pv>(value - 1, value + 1, depth, false) == value);
        pv.iter().for_each(|_| self.unmake_move());
        if is_found && !self.stops() {
            let (root_move, end) = (&mut self.root_moves[pv_index], &self.pv[pv.len()]);
            root_move.pv.extend_from_slice(end);
        }
    }

    /// Whether the search has run long enough to report its steps.
    pub fn reports_all(&self) -> bool {
        self.report.is_some() && self.shared.clock.elapsed() >= REPORT_ALL_AFTER
    }

    fn report_lines(&mut self, lines: usize, depth: u32, bound: Bound) {
        if self.report.is_none() {
            return;
        }
        let lines = (0..lines).map(|pv_index| {
            let line = self.line(pv_index, depth, bound);
            if bound == Bound::Exact { line } else { line.so_far() }
        });
        let lines = lines.collect();
        self.report(|| Event::Lines(lines));
        self.last_reported.clone_from(&self.root_moves[0].pv);
    }

    fn line(&self, pv_index: usize, depth: u32, bound: Bound) -> Line {
        let shared = self.shared;
        let position = &shared.task.position;
        let root_move = &self.root_moves[pv_index];
        let tb = root_move.tb.filter(|_| root_move.score.abs() < MATE_IN_MAX_PLY);
        let score = tb.map_or_else(|| self.told_score(root_move), |tb| tb.score);
        Line {
            depth,
            sel_depth: root_move.sel_depth as u32,
            pv_index: pv_index + 1,
            score: Score::of(score, position),
            bound: tb.map_or(bound, |_| Bound::Exact),
            wdl: Wdl::of(score, position),
            nodes: shared.nodes(),
            tb_hits: shared.tb_hits(),
            time: shared.clock.elapsed(),
            hashfull: shared.tt.hashfull(),
            moves: root_move.pv.clone(),
        }
    }

    /// The score to report for a root move. For limited strength it leaves out the player's errors: it is the
    /// network's evaluation at the end of the line. Since overlooked moves may refute a longer mate, only its
    /// first move counts then.
    fn told_score(&self, root_move: &RootMove) -> i32 {
        let RootMove { score, ref pv, .. } = *root_move;
        let Evaluator::Tasted(network, _) = &self.shared.task.evaluator else { return score };
        // A mate in one and a draw contain no errors.
        if score == MATE - 1 || (score - DRAW).abs() <= DRAW_SPREAD {
            return score;
        }
        let pv = if score.abs() >= TB_WIN_IN_MAX_PLY { &pv[..1] } else { pv };
        let end = pv.iter().fold(self.shared.task.position, |end, &mv| end.after(mv));
        let score = self.scaled(network.evaluate(&end), 0, &end, end.occupied().len());
        if pv.len().is_multiple_of(2) { score } else { -score }
    }
}
