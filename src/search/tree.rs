//! One thread's walk through the tree: where it is and what it carries.

use std::cmp::Reverse;
use std::time::Duration;

use super::history::{Context, FOLLOWED, History, PieceTo, moved};
use super::report::Event;
use super::score::{DRAW, DRAW_SPREAD, INFINITE, MAX_PLY};
use super::syzygy::Known;
use super::task::{Counter, Search};
use crate::board::zobrist::black_to_move;
use crate::board::{Move, Position};
use crate::eval::{Accumulators, Evaluator, LARGEST_SCORE, teach};

/// Between two looks at the clock.
const NODES_PER_LOOK: u64 = 512;

/// After this long, single root moves and unfinished scores are told too.
const TALKATIVE_AFTER: Duration = Duration::from_secs(3);

/// Plies that are looked back from the root and forward from the last one.
const BEFORE_ROOT: usize = FOLLOWED[FOLLOWED.len() - 1];
const AFTER_LAST: usize = 2;

/// The best line from a node.
pub type Variation = arrayvec::ArrayVec<Move, { MAX_PLY + 1 }>;

/// What is remembered of a ply while the search is below it.
#[derive(Clone, Copy, Default)]
pub struct Ply {
    /// The move that was made here; none before the root, and for a null move.
    moved: PieceTo,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The corrected evaluation; none in check.
    pub evaluation: Option<i32>,
    /// A move that the search here does without, to see what the others are worth.
    pub without: Option<Move>,
    /// How many of the nodes below were refuted.
    pub cuts: u32,
}

/// A root move and what was last found out about it.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    /// What the endgame tables know of it.
    pub known: Option<Known>,
    pub score: i32,
    pub sel_depth: usize,
    /// The nodes that all searches of it took.
    pub nodes: u64,
    pub line: Vec<Move>,
}

impl RootMove {
    /// Moves of which the endgame tables know the same are all equal.
    pub fn grade(&self) -> i32 {
        self.known.map_or(0, |known| known.grade)
    }

    /// The best move comes first.
    pub fn order(&self) -> Reverse<(i32, i32)> {
        Reverse((self.grade(), self.score))
    }
}

pub struct Tree<'a> {
    pub search: &'a Search,
    pub history: &'a mut History,
    accumulators: &'a mut Accumulators,
    counter: &'a Counter,
    /// The first thread watches the limits.
    watches: bool,
    /// Before the first iteration is complete, only a stop counts.
    pub heeds_limits: bool,
    stopped: bool,
    /// The keys of the game, then of the line that is being looked at, its last position included.
    keys: Vec<u64>,
    plies: Vec<Ply>,
    /// The best line from each ply.
    pub lines: Vec<Variation>,
    pub deepest: usize,
    /// Null moves are tried from this ply on.
    pub null_from: usize,
    /// The root moves, of which those before `pv_index` belong to better lines.
    pub roots: Vec<RootMove>,
    pub pv_index: usize,
    /// The depth of the present iteration.
    pub depth: u32,
    /// The endgame tables are asked about nodes with at most so many pieces.
    pub probed_pieces: u32,
    pub tell: &'a mut dyn FnMut(Event),
}

impl<'a> Tree<'a> {
    pub fn new(
        search: &'a Search,
        history: &'a mut History,
        accumulators: &'a mut Accumulators,
        thread: usize,
        tell: &'a mut dyn FnMut(Event),
    ) -> Tree<'a> {
        match &search.task.evaluator {
            Evaluator::Network(network) | Evaluator::Noisy(network, _) => {
                accumulators.judge_by(network);
            }
            Evaluator::Teacher => {}
        }
        let mut keys = search.task.key_history.clone();
        keys.push(search.task.position.key());
        let mut plies = vec![Ply::default(); BEFORE_ROOT + MAX_PLY + 1 + AFTER_LAST];
        plies[BEFORE_ROOT].in_check = search.task.position.in_check();
        Tree {
            search,
            history,
            accumulators,
            counter: &search.counters[thread],
            watches: thread == 0,
            heeds_limits: false,
            stopped: false,
            keys,
            plies,
            lines: vec![Variation::new(); MAX_PLY + 2],
            deepest: 0,
            null_from: 0,
            roots: Vec::new(),
            pv_index: 0,
            depth: 0,
            probed_pieces: 0,
            tell,
        }
    }

    pub fn ply(&mut self, ply: usize) -> &mut Ply {
        &mut self.plies[BEFORE_ROOT + ply]
    }

    /// The move made `back` plies before this one.
    pub fn moved(&self, ply: usize, back: usize) -> PieceTo {
        self.plies[BEFORE_ROOT + ply - back].moved
    }

    /// The evaluation `back` plies before this one.
    pub fn evaluation(&self, ply: usize, back: usize) -> Option<i32> {
        self.plies[BEFORE_ROOT + ply - back].evaluation
    }

    /// The last two moves, the latest first.
    pub fn last_moves(&self, ply: usize) -> [PieceTo; 2] {
        [self.moved(ply, 1), self.moved(ply, 2)]
    }

    /// What the history of moves in a position depends on.
    pub fn context<'p>(&self, position: &'p Position, ply: usize) -> Context<'p> {
        let attacks = position.attacks(!position.side());
        Context {
            position,
            attacks,
            threats: attacks.all(),
            before: FOLLOWED.map(|back| self.moved(ply, back)),
        }
    }

    /// A draw's score. That it varies a little keeps the search from taking the first repetition
    /// it meets for as good as any other line.
    pub fn draw(&self) -> i32 {
        if self.nodes() & 2 == 0 { DRAW - DRAW_SPREAD } else { DRAW + DRAW_SPREAD }
    }

    /// What a position at this ply is worth for the side to move.
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        match self.search.task.evaluator {
            Evaluator::Network(_) => self.accumulators.evaluate(position, ply),
            Evaluator::Noisy(_, noise) => {
                let value = self.accumulators.evaluate(position, ply) + noise.error(position);
                value.clamp(-LARGEST_SCORE, LARGEST_SCORE)
            }
            Evaluator::Teacher => teach(position),
        }
    }

    pub fn nodes(&self) -> u64 {
        self.counter.get()
    }

    pub fn count_tb_hit(&self) {
        self.counter.count_tb_hit();
    }

    /// Steps from a position to the one after a move, counted as a node.
    pub fn enter(&mut self, position: &Position, mv: Move, next: &Position, ply: usize) {
        self.step(moved(position, mv), next, ply);
    }

    /// Steps to the position after passing.
    pub fn enter_null(&mut self, next: &Position, ply: usize) {
        self.step(PieceTo::NONE, next, ply);
    }

    fn step(&mut self, moved: PieceTo, next: &Position, ply: usize) {
        self.counter.count();
        self.ply(ply).moved = moved;
        self.ply(ply + 1).in_check = next.in_check();
        self.keys.push(next.key());
    }

    pub fn leave(&mut self) {
        self.keys.pop();
    }

    /// Whether the search is over. Asked once a node; what was being computed is worth nothing then.
    pub fn is_stopped(&mut self) -> bool {
        self.stopped = self.stopped || self.search.is_stopped() || self.reaches_limit();
        self.stopped
    }

    fn reaches_limit(&self) -> bool {
        if !self.watches || !self.heeds_limits {
            return false;
        }
        let looks = self.nodes().is_multiple_of(NODES_PER_LOOK);
        let alone = self.search.counters.len() == 1;
        let enough_nodes = match self.search.task.limits.nodes {
            Some(limit) if alone || looks => self.search.nodes() >= limit,
            _ => false,
        };
        enough_nodes || looks && !self.search.is_pondering() && self.search.clock.is_over()
    }

    /// Makes a move followed by the best line after it the best line of this ply.
    pub fn set_line(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(after[0].iter().copied().take(room));
    }

    pub fn is_talkative(&self) -> bool {
        self.watches && self.search.clock.elapsed() >= TALKATIVE_AFTER
    }

    /// Whether a root move is one of those that are being searched: none that is known to be worse
    /// is compared with the better ones.
    pub fn is_root_move(&self, mv: Move) -> bool {
        let rivals = &self.roots[self.pv_index..];
        rivals.iter().any(|root| root.mv == mv && root.grade() == rivals[0].grade())
    }

    /// Notes what was found out about a root move. One that is only known to be behind the best
    /// is ordered by its last place.
    pub fn update_root(&mut self, mv: Move, value: i32, nodes: u64, is_exact: bool) {
        let (deepest, after) = (self.deepest, &self.lines[1]);
        let Some(root) = self.roots.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        if is_exact {
            root.score = value;
            root.sel_depth = deepest;
            root.line.clear();
            root.line.push(mv);
            root.line.extend_from_slice(after);
        } else {
            root.score = -INFINITE;
        }
    }

    /// Whether the side to move can repeat a position of this line at once, or for the second time
    /// one of the game.
    pub fn can_repeat(&self, position: &Position, ply: usize) -> bool {
        let last = self.keys.len() - 1;
        let reversible = usize::from(position.halfmoves()).min(last);
        let key = |back: usize| self.keys[last - back];
        // What the opponent's moves since then have changed: one own move cannot undo that.
        let mut theirs = key(0) ^ key(1.min(last)) ^ black_to_move();
        (3..=reversible).step_by(2).any(|back| {
            let earlier = key(back);
            theirs ^= key(back - 1) ^ earlier ^ black_to_move();
            if theirs != 0 {
                return false;
            }
            let Some((a, b)) = position.reversal(position.key() ^ earlier) else { return false };
            let mover = position.piece_at(a).or(position.piece_at(b));
            let ours = mover.is_some_and(|piece| piece.color() == position.side());
            let twice = || (back + 4..=reversible).step_by(2).any(|more| key(more) == earlier);
            ours && (back < ply || twice())
        })
    }

    /// Whether nobody can win any more: by material, by fifty moves, or because the position
    /// repeats one of this line, or for the second time one of the game.
    pub fn is_draw(&self, position: &Position, ply: usize) -> bool {
        let reversible = usize::from(position.halfmoves());
        if reversible >= 100 && (!position.in_check() || !position.legal_moves().is_empty()) {
            return true;
        }
        let last = self.keys.len() - 1;
        let mut before_root = 0;
        for back in (4..=reversible.min(last)).step_by(2) {
            if self.keys[last - back] == position.key() {
                before_root += 1;
                if back < ply || before_root == 2 {
                    return true;
                }
            }
        }
        position.is_insufficient()
    }
}
