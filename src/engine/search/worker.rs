//! The state of one search thread, and the steps through the tree.

use super::history::History;
use super::places::Moved;
use super::ply::{Ply, Stack};
use super::report::{DRAW, DRAW_SPREAD, Event, MAX_PLY, TB_WIN_IN_MAX_PLY};
use super::root::RootMove;
use super::sight::Vision;
use super::task::{Counter, Shared};
use super::tunables::Tunables;
use crate::board::zobrist::black_to_move;
use crate::board::{Move, MoveList, Position};
use crate::eval::{AccumulatorStack, Evaluator, LARGEST_SCORE, Network, teacher_score};

/// The nodes between two checks of the limits.
const NODES_PER_LOOK: u64 = 512;

/// The principal variation from a node.
pub type PvLine = arrayvec::ArrayVec<Move, { MAX_PLY + 1 }>;

/// The data that a thread keeps between searches, and its working memory.
pub struct ThreadData {
    history: History,
    accumulators: AccumulatorStack,
    stack: Stack,
    pv: Vec<PvLine>,
    /// The score of the previous search.
    last_score: Option<i32>,
}

impl ThreadData {
    /// Returns `None` if there is not enough memory.
    pub fn new() -> Option<ThreadData> {
        let plies = MAX_PLY + 1;
        let mut pv = Vec::new();
        pv.try_reserve_exact(plies + 1).ok()?;
        pv.resize(plies + 1, PvLine::new());
        Some(ThreadData {
            history: History::new()?,
            accumulators: AccumulatorStack::new(Network::embedded(), plies).ok()?,
            stack: Stack::new()?,
            pv,
            last_score: None,
        })
    }

    pub fn clear(&mut self) {
        self.history.clear();
        self.last_score = None;
    }
}

pub struct Worker<'a, V> {
    pub shared: &'a Shared,
    pub vision: V,
    pub tunables: Tunables,
    pub history: &'a mut History,
    accumulators: &'a mut AccumulatorStack,
    counter: &'a Counter,
    /// The number of the thread. Thread 0 watches the limits.
    pub thread: usize,
    /// No limit ends the search before the first iteration is complete.
    pub first_iteration_done: bool,
    stopped: bool,
    /// The node count at which limits are checked next. Helpers never check.
    next_look: u64,
    /// The keys of the game, then of the line from the root to the current position.
    keys: Vec<u64>,
    pub stack: &'a mut Stack,
    /// The principal variation from each ply.
    pub pv: &'a mut [PvLine],
    pub sel_depth: usize,
    /// Null moves are disabled before this ply.
    pub nmp_min_ply: usize,
    pub root_moves: Vec<RootMove>,
    /// The index of the MultiPV line being searched. Root moves before it belong to better lines.
    pub pv_index: usize,
    /// The depth of the current iteration.
    pub root_depth: u32,
    /// The width of the root's window.
    pub root_delta: i32,
    /// A bonus for each side's evaluations: the side ahead expects more.
    pub optimism: [i32; 2],
    /// Endgame tables are probed in positions with at most this many pieces.
    pub probed_pieces: u32,
    /// The receiver of reports, if any.
    pub report: Option<&'a mut dyn FnMut(Event)>,
    pub last_reported: Vec<Move>,
    /// The score of the previous search.
    pub last_score: &'a mut Option<i32>,
}

impl<'a, V: Vision> Worker<'a, V> {
    pub fn new(
        shared: &'a Shared,
        data: &'a mut ThreadData,
        thread: usize,
        vision: V,
        report: Option<&'a mut dyn FnMut(Event)>,
    ) -> Worker<'a, V> {
        let task = &shared.task;
        match &task.evaluator {
            Evaluator::Network(network) | Evaluator::Tasted(network, _) => {
                data.accumulators.set_network(network);
            }
            Evaluator::Teacher => {}
        }
        data.history.begin_search(task.tunables);
        let mut keys = task.key_history.clone();
        keys.push(task.position.key());
        data.stack.begin(&task.position, task.key_history.len());
        let mut worker = Worker {
            shared,
            vision,
            tunables: task.tunables,
            history: &mut data.history,
            accumulators: &mut data.accumulators,
            counter: &shared.counters[thread],
            thread,
            first_iteration_done: false,
            stopped: false,
            next_look: if thread == 0 { 0 } else { u64::MAX },
            keys,
            stack: &mut data.stack,
            pv: &mut data.pv,
            sel_depth: 0,
            nmp_min_ply: 0,
            root_moves: Vec::new(),
            pv_index: 0,
            root_depth: 0,
            root_delta: 1,
            optimism: [0; 2],
            probed_pieces: task.syzygy.probed_pieces(shared.root_ranks()),
            report,
            last_reported: Vec::new(),
            last_score: &mut data.last_score,
        };
        let score = worker.raw_eval();
        let ranks = shared.root_ranks();
        let root_move = |mv| RootMove::new(mv, score, ranks.and_then(|ranks| ranks.of_move(mv)));
        let mut seen = MoveList::from_iter(task.root_moves());
        worker.vision.retain_seen(worker.stack, &mut seen);
        let moves = if seen.is_empty() { task.root_moves() } else { seen.to_vec() };
        worker.root_moves = moves.into_iter().map(root_move).collect();
        worker.root_moves.sort_by_key(RootMove::order);
        worker
    }

    /// The score of a draw. It varies slightly, so that not every repetition looks as good as any other line.
    pub fn draw_score(&self) -> i32 {
        if self.nodes() & 2 == 0 { DRAW - DRAW_SPREAD } else { DRAW + DRAW_SPREAD }
    }

    /// The raw evaluation of the current position for the side to move.
    pub fn raw_eval(&mut self) -> i32 {
        let (node, ply) = (&self.stack[0], self.stack.ply());
        let position = &node.position;
        let mut evaluate = || self.accumulators.evaluate(position, node.threats(), ply);
        match self.shared.task.evaluator {
            Evaluator::Network(_) => evaluate(),
            Evaluator::Tasted(_, taste) => {
                let score = taste.evaluate(position, evaluate());
                score.clamp(-LARGEST_SCORE, LARGEST_SCORE)
            }
            Evaluator::Teacher => teacher_score(position),
        }
    }

    /// Prefetch: loads the TT cluster of the position after a move, as early as possible.
    #[inline(always)]
    pub fn prefetch(&self, position: &Position, mv: Option<Move>) {
        if let Some(mv) = mv {
            self.shared.tt.prefetch(position.likely_key_after(mv));
        }
    }

    /// Scaling of the evaluation: it shrinks with few pieces left to win with, and as the fifty-move rule
    /// approaches. The TT stores unscaled evaluations, because keys ignore the counter.
    #[inline(always)]
    pub fn scaled(&self, raw: i32, optimism: i32, position: &Position, pieces: u32) -> i32 {
        if !self.shared.task.scale_eval {
            return raw;
        }
        let tunables = self.tunables;
        let pieces = pieces as i32;
        let halfmoves = i32::from(position.halfmoves()).min(tunables.eval_fifty());
        let optimism = optimism * (tunables.optimism_base() + tunables.optimism_piece() * pieces);
        let scaled = raw * (tunables.eval_base() + tunables.eval_piece() * pieces);
        let scaled = (scaled + optimism) / 1024;
        scaled * (tunables.eval_fifty() - halfmoves) / tunables.eval_fifty()
    }

    /// The static evaluation of the current position: scaled, with optimism and correction.
    #[inline(always)]
    pub fn static_eval(&self, raw: i32, correction: i32) -> i32 {
        let Ply { position, pieces, .. } = &self.stack[0];
        let optimism = self.optimism[position.side().index()];
        let pieces = pieces.occupied().len();
        let corrected = self.scaled(raw, optimism, position, pieces) + correction;
        corrected.clamp(1 - TB_WIN_IN_MAX_PLY, TB_WIN_IN_MAX_PLY - 1)
    }

    pub fn nodes(&self) -> u64 {
        self.counter.nodes()
    }

    pub fn count_tb_hit(&self) {
        self.counter.count_tb_hit();
    }

    /// Makes a legal move.
    #[inline(always)]
    pub fn make_move(&mut self, mv: Move, moved: Moved) {
        let node = &self.stack[0];
        let (next, gives_check) = (node.position.after(mv), node.gives_check(mv));
        self.step(moved, next, gives_check);
    }

    /// Makes a null move. The side to move must not be in check.
    pub fn make_null_move(&mut self) {
        let next = self.stack[0].position.after_null();
        self.step(Moved::NULL, next, false);
    }

    /// Advances to the next node, first prefetching the memory that it will need.
    #[inline(always)]
    fn step(&mut self, moved: Moved, next: Position, in_check: bool) {
        self.shared.tt.prefetch(next.key());
        self.counter.count_node();
        self.keys.push(next.key());
        self.stack.push(moved, next, in_check);
        self.history.prefetch_correction(self.stack);
    }

    #[inline(always)]
    pub fn unmake_move(&mut self) {
        self.stack.pop();
        self.keys.pop();
    }

    /// Whether the search was over at the last check. Scores of unfinished searches are meaningless.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether the search is over. Called once per node.
    #[inline(always)]
    pub fn stops(&mut self) -> bool {
        // There is a move as soon as the first line is searched.
        let has_move = self.first_iteration_done || self.pv_index > 0;
        let is_asked = has_move && self.shared.is_stopped();
        self.stopped |= is_asked || self.nodes() >= self.next_look && self.reaches_limit();
        self.stopped
    }

    #[cold]
    fn reaches_limit(&mut self) -> bool {
        if !self.first_iteration_done {
            return false;
        }
        let (shared, nodes) = (self.shared, self.nodes());
        let limit = shared.task.limits.nodes.unwrap_or(u64::MAX);
        self.next_look = nodes + NODES_PER_LOOK;
        if shared.counters.len() == 1 {
            self.next_look = self.next_look.min(limit);
        }
        // While a worker of a page searches, nobody else can set the flag.
        #[cfg(target_family = "wasm")]
        if crate::system::wasm::is_stopped() {
            shared.stop();
        }
        shared.nodes() >= limit || !shared.is_pondering() && shared.clock.is_over()
    }

    /// Sends a report, if there is a receiver.
    pub fn report(&mut self, event: impl FnOnce() -> Event) {
        if let Some(report) = &mut self.report {
            report(event());
        }
    }

    pub fn is_main(&self) -> bool {
        self.thread == 0
    }

    /// Clears the principal variation of the current ply.
    #[inline(always)]
    pub fn begin_pv(&mut self) {
        let ply = self.stack.ply();
        self.pv[ply].clear();
        self.sel_depth = self.sel_depth.max(ply);
    }

    /// Sets the principal variation of the current ply to a move and the variation of the next ply.
    pub fn update_pv(&mut self, mv: Move) {
        let ply = self.stack.ply();
        let (before, after) = self.pv.split_at_mut(ply + 1);
        let pv = &mut before[ply];
        pv.clear();
        pv.push(mv);
        let room = pv.remaining_capacity();
        pv.extend(after[0].iter().copied().take(room));
    }

    /// The number of plies back to the first position that the current one can repeat.
    fn reversible(&self) -> usize {
        let node = &self.stack[0];
        usize::from(node.position.halfmoves()).min(node.plies_since_null)
    }

    /// Upcoming repetition: whether a move leads back to a position of this line, or for the second time to
    /// one of the game.
    #[inline(always)]
    pub fn has_upcoming_repetition(&self) -> bool {
        let reversible = self.reversible();
        reversible >= 3 && self.can_repeat(reversible)
    }

    /// Whether a move repeats a position within this many plies.
    #[inline(never)]
    fn can_repeat(&self, reversible: usize) -> bool {
        let position = &self.stack[0].position;
        let last = self.keys.len() - 1;
        let key = |back: usize| self.keys[last - back];
        // The opponent's changes since then. A single move of ours cannot undo them.
        let mut theirs = key(0) ^ key(1.min(last)) ^ black_to_move();
        (3..=reversible).step_by(2).any(|back| {
            let earlier = key(back);
            theirs ^= key(back - 1) ^ earlier ^ black_to_move();
            if theirs != 0 {
                return false;
            }
            let Some((a, b)) = position.cuckoo_move(position.key() ^ earlier) else { return false };
            let mover = position.piece_at(a).or(position.piece_at(b));
            let ours = mover.is_some_and(|piece| piece.color() == position.side());
            let twice = || (back + 4..=reversible).step_by(2).any(|more| key(more) == earlier);
            ours && (back < self.stack.ply() || twice())
        })
    }

    /// Whether the position is a draw: by material, by the fifty-move rule, or because it repeats a position
    /// of this line, or one of the game for the second time.
    #[inline(always)]
    pub fn is_draw(&self) -> bool {
        let position = &self.stack[0].position;
        position.halfmoves() >= 4 && self.is_reversible_draw() || position.is_insufficient()
    }

    /// Draws by the fifty-move rule or by repetition.
    #[inline(never)]
    fn is_reversible_draw(&self) -> bool {
        let position = &self.stack[0].position;
        if position.halfmoves() >= 100
            && (!self.stack[0].in_check || !position.legal_moves().is_empty())
        {
            return true;
        }
        let last = self.keys.len() - 1;
        let mut before_root = 0;
        for back in (4..=self.reversible()).step_by(2) {
            if self.keys[last - back] == position.key() {
                before_root += 1;
                if back < self.stack.ply() || before_root == 2 {
                    return true;
                }
            }
        }
        false
    }
}
