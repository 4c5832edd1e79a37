//! One thread's search: where it is in the tree and what it carries.

use super::history::{CONTINUATION_PLIES, CorrectionMoves, History, MadeMove, MoveContext};
use super::node::{Eval, Tt};
use super::report::{DRAW, DRAW_SPREAD, Event, MAX_PLY, TB_WIN_IN_MAX_PLY};
use super::root::RootMove;
use super::task::{Counter, Shared};
use super::tt::value_from_tt;
use super::tunables::Tunables;
use crate::board::zobrist::black_to_move;
use crate::board::{Move, Position};
use crate::eval::{AccumulatorStack, Evaluator, LARGEST_SCORE, Network, teacher_score};

/// Nodes between two looks at the clock.
const NODES_PER_LOOK: u64 = 512;

/// Plies that are looked back from the root, where the last move looks back in turn, and forward from
/// the last one.
const PLIES_BEFORE_ROOT: usize = 1 + CONTINUATION_PLIES[CONTINUATION_PLIES.len() - 1] as usize;
const PLIES_AFTER_LAST: usize = 2;

/// The plies of the stack.
const STACK_PLIES: usize = PLIES_BEFORE_ROOT + MAX_PLY + 1 + PLIES_AFTER_LAST;

/// The principal variation from a node.
pub type PvLine = arrayvec::ArrayVec<Move, { MAX_PLY + 1 }>;

/// What is remembered of a ply while the search is below it.
#[derive(Clone, Copy, Default)]
pub struct StackEntry {
    /// The move that is being searched.
    pub moved: MadeMove,
    /// Its number in the node's order.
    pub move_count: i32,
    /// Whether it is the node's TT move.
    pub is_tt_move: bool,
    /// Its reduction, in 1024ths of a ply.
    pub reduction: i32,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The plies since the last null move, or since the first position if there was none.
    plies_since_null: usize,
    /// The corrected static evaluation; none in check.
    pub static_eval: Option<i32>,
    /// Whether the node is on the principal variation, or was.
    pub tt_pv: bool,
    /// The TT move while the search looks for its alternatives (singular extensions).
    pub excluded: Option<Move>,
    /// How many moves of the line up to here were extended by more than a ply.
    pub double_extensions: i32,
    /// How many of this ply's nodes failed high.
    pub cutoff_count: u32,
}

/// What a thread keeps from one search to the next, and the memory that its searches work in.
pub struct ThreadData {
    history: History,
    accumulators: AccumulatorStack,
    stack: Vec<StackEntry>,
    pv: Vec<PvLine>,
    /// The score of the search before.
    last_score: Option<i32>,
}

impl ThreadData {
    /// `None` if there is no memory for it.
    pub fn new() -> Option<ThreadData> {
        Some(ThreadData {
            history: History::new()?,
            accumulators: AccumulatorStack::new(Network::embedded(), MAX_PLY + 1).ok()?,
            stack: filled(STACK_PLIES)?,
            pv: filled(MAX_PLY + 2)?,
            last_score: None,
        })
    }

    pub fn clear(&mut self) {
        self.history.clear();
        self.last_score = None;
    }
}

pub struct Worker<'a> {
    pub shared: &'a Shared,
    pub tunables: Tunables,
    pub history: &'a mut History,
    accumulators: &'a mut AccumulatorStack,
    counter: &'a Counter,
    /// The number of the thread; the first one, 0, watches the limits.
    pub thread: usize,
    /// Until the first iteration is complete, no limit ends the search.
    pub first_iteration_done: bool,
    stopped: bool,
    /// The keys of the game, then of the line from the root to the present position.
    keys: Vec<u64>,
    stack: &'a mut [StackEntry],
    /// The distance of the present position from the root.
    pub ply: usize,
    /// The principal variation from each ply.
    pub pv: &'a mut [PvLine],
    pub sel_depth: usize,
    /// Null moves are tried from this ply on.
    pub nmp_min_ply: usize,
    pub root_moves: Vec<RootMove>,
    /// The line of MultiPV that is searched: root moves before it belong to better lines.
    pub pv_index: usize,
    /// The depth of the present iteration.
    pub root_depth: u32,
    /// The width of the window in which the root is searched.
    pub root_delta: i32,
    /// Added to each side's evaluations: who is ahead plays for more.
    pub optimism: [i32; 2],
    /// The endgame tables are probed in positions with at most this many pieces.
    pub probed_pieces: u32,
    /// Who is told how it goes, if anybody is.
    pub report: Option<&'a mut dyn FnMut(Event)>,
    pub last_reported: Vec<Move>,
    /// The score of the search before.
    pub last_score: &'a mut Option<i32>,
}

impl<'a> Worker<'a> {
    pub fn new(
        shared: &'a Shared,
        data: &'a mut ThreadData,
        thread: usize,
        report: Option<&'a mut dyn FnMut(Event)>,
    ) -> Worker<'a> {
        let task = &shared.task;
        match &task.evaluator {
            Evaluator::Network(network) | Evaluator::Noisy(network, _) => {
                data.accumulators.set_network(network);
            }
            Evaluator::Teacher => {}
        }
        data.history.begin_search();
        let mut keys = task.key_history.clone();
        keys.push(task.position.key());
        let stack = &mut data.stack;
        stack.fill(StackEntry::default());
        stack[PLIES_BEFORE_ROOT].in_check = task.position.in_check();
        stack[PLIES_BEFORE_ROOT].plies_since_null = task.key_history.len();
        let mut worker = Worker {
            shared,
            tunables: task.tunables,
            history: &mut data.history,
            accumulators: &mut data.accumulators,
            counter: &shared.counters[thread],
            thread,
            first_iteration_done: false,
            stopped: false,
            keys,
            stack,
            ply: 0,
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
        let score = worker.raw_eval(&task.position);
        let ranks = shared.root_ranks();
        let root_move = |mv| RootMove::new(mv, score, ranks.and_then(|ranks| ranks.of_move(mv)));
        worker.root_moves = task.root_moves().into_iter().map(root_move).collect();
        worker.root_moves.sort_by_key(RootMove::order);
        worker
    }

    /// The stack entry of the present node, of one some plies before it (below zero) or after it.
    #[inline(always)]
    pub fn stack(&self, plies: isize) -> &StackEntry {
        &self.stack[(PLIES_BEFORE_ROOT + self.ply).wrapping_add_signed(plies)]
    }

    #[inline(always)]
    pub fn stack_mut(&mut self, plies: isize) -> &mut StackEntry {
        &mut self.stack[(PLIES_BEFORE_ROOT + self.ply).wrapping_add_signed(plies)]
    }

    /// How far the static evaluation rose since the side's last move, or if it was in check then,
    /// since the one before; 0 where that is not known.
    #[inline(always)]
    pub fn improvement(&self) -> i32 {
        let before = self.stack(-2).static_eval.or(self.stack(-4).static_eval);
        self.stack(0).static_eval.zip(before).map_or(0, |(now, before)| now - before)
    }

    /// The moves that the correction of the static evaluation goes with.
    #[inline(always)]
    pub fn correction_moves(&self) -> CorrectionMoves {
        CorrectionMoves::new(|back| self.stack(-back).moved)
    }

    /// What the histories of moves depend on in the present position.
    pub fn move_context<'p>(&self, position: &'p Position) -> MoveContext<'p> {
        let attacks = position.attacks(!position.side());
        MoveContext {
            position,
            ply: self.ply,
            attacks,
            threats: attacks.all(),
            continuation: CONTINUATION_PLIES.map(|back| self.stack(-back).moved),
        }
    }

    /// The score of a draw. It varies a little, so that not every repetition looks as good as any
    /// other line.
    pub fn draw_score(&self) -> i32 {
        if self.nodes() & 2 == 0 { DRAW - DRAW_SPREAD } else { DRAW + DRAW_SPREAD }
    }

    /// The raw evaluation of the present position for the side to move.
    pub fn raw_eval(&mut self, position: &Position) -> i32 {
        match self.shared.task.evaluator {
            Evaluator::Network(_) => self.accumulators.evaluate(position, self.ply),
            Evaluator::Noisy(_, noise) => {
                let score = self.accumulators.evaluate(position, self.ply) + noise.error(position);
                score.clamp(-LARGEST_SCORE, LARGEST_SCORE)
            }
            Evaluator::Teacher => teacher_score(position),
        }
    }

    #[inline(always)]
    pub fn probe_tt(&self, position: &Position) -> Tt {
        let entry = self.shared.tt.probe(position.key());
        let value = entry.and_then(|entry| {
            let value = value_from_tt(entry.value, self.ply, position.halfmoves())?;
            Some((value, entry.bound?))
        });
        Tt { entry, value }
    }

    /// Asks the processor to load what the TT knows of the position after a move. Memory is far away:
    /// the earlier, the better.
    #[inline(always)]
    pub fn prefetch(&self, position: &Position, mv: Option<Move>) {
        if let Some(mv) = mv {
            self.shared.tt.prefetch(position.likely_key_after(mv));
        }
    }

    /// The correction of the static evaluation. Asked for before the TT is probed, so that the
    /// processor waits for both at once.
    #[inline(always)]
    pub fn correction(&self, position: &Position) -> i32 {
        self.history.correction(position, self.correction_moves(), self.tunables)
    }

    /// Scaling of the evaluation: it counts less where few pieces are left to win with, and the
    /// nearer a draw by the fifty-move rule is. The TT does not keep it: its keys do not know the
    /// counter.
    #[inline(always)]
    pub fn scaled(&self, raw: i32, optimism: i32, position: &Position) -> i32 {
        if !self.shared.task.scale_eval {
            return raw;
        }
        let tunables = self.tunables;
        let pieces = position.occupied().len() as i32;
        let halfmoves = i32::from(position.halfmoves()).min(tunables.eval_fifty());
        let optimism = optimism * (tunables.optimism_base() + tunables.optimism_piece() * pieces);
        let scaled = raw * (tunables.eval_base() + tunables.eval_piece() * pieces);
        let scaled = (scaled + optimism) / 1024;
        scaled * (tunables.eval_fifty() - halfmoves) / tunables.eval_fifty()
    }

    /// The evaluations of the present position, noted on the stack.
    #[inline(always)]
    pub fn evaluate(&mut self, position: &Position, tt: &Tt, correction: i32) -> Eval {
        if self.stack(0).in_check {
            self.stack_mut(0).static_eval = None;
            return Eval { correction, ..Eval::default() };
        }
        let raw = match tt.entry {
            Some(entry) => entry.raw_eval,
            None => self.raw_eval(position),
        };
        let optimism = self.optimism[position.side().index()];
        let corrected = self.scaled(raw, optimism, position) + correction;
        let corrected = corrected.clamp(1 - TB_WIN_IN_MAX_PLY, TB_WIN_IN_MAX_PLY - 1);
        let refined = match tt.value {
            Some((value, bound)) if bound.refines(value, corrected) => value,
            _ => corrected,
        };
        self.stack_mut(0).static_eval = Some(corrected);
        Eval { raw, correction, corrected, refined }
    }

    pub fn nodes(&self) -> u64 {
        self.counter.nodes()
    }

    pub fn count_tb_hit(&self) {
        self.counter.count_tb_hit();
    }

    /// Steps to the position after a move, counted as a node. Memory that it will soon need is asked
    /// for first.
    #[inline(always)]
    pub fn push_move(&mut self, moved: MadeMove, next: &Position) {
        self.shared.tt.prefetch(next.key());
        self.counter.count_node();
        let entry = self.stack_mut(0);
        entry.moved = moved;
        let plies_since_null = if moved.is_null() { 0 } else { entry.plies_since_null + 1 };
        self.ply += 1;
        self.history.prefetch_correction(self.correction_moves());
        let entry = self.stack_mut(0);
        (entry.in_check, entry.plies_since_null) = (next.in_check(), plies_since_null);
        self.keys.push(next.key());
    }

    #[inline(always)]
    pub fn pop_move(&mut self) {
        self.ply -= 1;
        self.keys.pop();
    }

    /// Whether the search is over. Asked once a node; an unfinished score is worth nothing then.
    pub fn is_stopped(&mut self) -> bool {
        // There is a move once the first line is searched.
        let has_move = self.first_iteration_done || self.pv_index > 0;
        let is_asked = has_move && self.shared.is_stopped();
        self.stopped = self.stopped || is_asked || self.reaches_limit();
        self.stopped
    }

    fn reaches_limit(&self) -> bool {
        if !self.is_main() || !self.first_iteration_done {
            return false;
        }
        let looks = self.nodes().is_multiple_of(NODES_PER_LOOK);
        let single = self.shared.counters.len() == 1;
        let enough_nodes = match self.shared.task.limits.nodes {
            Some(limit) if single || looks => self.shared.nodes() >= limit,
            _ => false,
        };
        enough_nodes || looks && !self.shared.is_pondering() && self.shared.clock.is_over()
    }

    /// Reports an event, if anybody is told.
    pub fn report(&mut self, event: impl FnOnce() -> Event) {
        if let Some(report) = &mut self.report {
            report(event());
        }
    }

    /// Whether this is the main thread.
    pub fn is_main(&self) -> bool {
        self.thread == 0
    }

    /// The principal variation of the present ply is not known yet.
    #[inline(always)]
    pub fn begin_pv(&mut self) {
        self.pv[self.ply].clear();
        self.sel_depth = self.sel_depth.max(self.ply);
    }

    /// The principal variation of the present ply is a move and that of the next ply.
    pub fn update_pv(&mut self, mv: Move) {
        let (before, after) = self.pv.split_at_mut(self.ply + 1);
        let pv = &mut before[self.ply];
        pv.clear();
        pv.push(mv);
        let room = pv.remaining_capacity();
        pv.extend(after[0].iter().copied().take(room));
    }

    /// The plies back to the first position that the present one can repeat.
    fn reversible(&self, position: &Position) -> usize {
        usize::from(position.halfmoves()).min(self.stack(0).plies_since_null)
    }

    /// Upcoming repetition: whether a move leads back to a position of this line, or for the second
    /// time to one of the game.
    pub fn has_upcoming_repetition(&self, position: &Position) -> bool {
        let last = self.keys.len() - 1;
        let reversible = self.reversible(position);
        let key = |back: usize| self.keys[last - back];
        // What the opponent's moves have changed since: a single move of ours cannot undo that.
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
            ours && (back < self.ply || twice())
        })
    }

    /// Draws by material, by fifty moves, or because the position repeats one of this line or for
    /// the second time one of the game.
    pub fn is_draw(&self, position: &Position) -> bool {
        if position.halfmoves() >= 100
            && (!position.in_check() || !position.legal_moves().is_empty())
        {
            return true;
        }
        let last = self.keys.len() - 1;
        let mut before_root = 0;
        for back in (4..=self.reversible(position)).step_by(2) {
            if self.keys[last - back] == position.key() {
                before_root += 1;
                if back < self.ply || before_root == 2 {
                    return true;
                }
            }
        }
        position.is_insufficient()
    }
}

/// So many default values, if there is memory for them.
fn filled<T: Clone + Default>(count: usize) -> Option<Vec<T>> {
    let mut values = Vec::new();
    values.try_reserve_exact(count).ok()?;
    values.resize(count, T::default());
    Some(values)
}
