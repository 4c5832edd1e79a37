//! The data of the nodes on the line being searched.

use std::cell::OnceCell;
use std::ops::{Index, IndexMut};

use super::places::{Moved, NoisyPlace, PieceTo, Place, QuietPlace};
use super::report::MAX_PLY;
use crate::board::{Attacks, Bitboards, Checks, Move, MoveList, Position, Stage, Threats};

/// The earlier moves, in plies back, that have continuation histories.
pub const CONTINUATION_PLIES: [isize; 4] = [1, 2, 4, 6];

/// The stack extends beyond the root, as far as the first move looks back and the move before it looks back
/// in turn, and beyond the last ply.
const PLIES_BEFORE_ROOT: usize = 1 + CONTINUATION_PLIES[CONTINUATION_PLIES.len() - 1] as usize;
const PLIES_AFTER_LAST: usize = 2;

const _: () = assert!(MAX_PLY == u8::MAX as usize);

const PLIES: usize = PLIES_BEFORE_ROOT + MAX_PLY + 1 + PLIES_AFTER_LAST;

/// A node of the line being searched, as other nodes see it. Data that only the node itself needs is in local
/// variables of its search, because a second search of the same position also writes here.
#[derive(Clone)]
pub struct Ply {
    pub position: Position,
    pub pieces: Bitboards,
    pub in_check: bool,
    opponent_attacks: OnceCell<Attacks>,
    own_attacks: OnceCell<Attacks>,
    checks: OnceCell<Checks>,
    /// The plies since the last null move, or since the first position if there was none.
    pub plies_since_null: usize,
    /// The corrected static evaluation; none in check.
    pub static_eval: Option<i32>,
    /// Whether the node is or was on the principal variation.
    pub tt_pv: bool,
    /// The TT move during a singular search, which looks for alternatives.
    pub excluded: Option<Move>,

    /// The move being searched.
    pub moved: Moved,
    /// Its number in the move order.
    pub move_count: i32,
    /// Whether it is the node's TT move.
    pub is_tt_move: bool,
    /// Its reduction, in 1024ths of a ply.
    pub reduction: i32,

    /// The number of moves in the line so far that were extended by more than a ply.
    pub double_extensions: i32,
    /// How many nodes at this ply failed high.
    pub cutoff_count: u32,
}

impl Ply {
    fn of(position: &Position) -> Ply {
        Ply {
            position: *position,
            pieces: Bitboards::of(position),
            in_check: position.in_check(),
            opponent_attacks: OnceCell::new(),
            own_attacks: OnceCell::new(),
            checks: OnceCell::new(),
            plies_since_null: 0,
            static_eval: None,
            tt_pv: false,
            excluded: None,
            moved: Moved::NULL,
            move_count: 0,
            is_tt_move: false,
            reduction: 0,
            double_extensions: 0,
            cutoff_count: 0,
        }
    }

    /// The squares the opponent attacks, computed on first use.
    #[inline(always)]
    pub fn opponent_attacks(&self) -> &Attacks {
        self.opponent_attacks.get_or_init(|| self.pieces.attacks(!self.position.side()))
    }

    /// The squares the side to move attacks, computed on first use.
    #[inline(always)]
    pub fn own_attacks(&self) -> &Attacks {
        self.own_attacks.get_or_init(|| self.pieces.attacks(self.position.side()))
    }

    /// The pieces of both sides that are in danger, for the network.
    #[inline(always)]
    pub fn threats(&self) -> Threats {
        Threats::of(&self.pieces, self.position.side(), self.own_attacks(), self.opponent_attacks())
    }

    #[inline(always)]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.position.is_legal_among(mv, &self.pieces)
    }

    /// Which moves give check, computed on first use.
    #[inline(always)]
    pub fn checks(&self) -> &Checks {
        self.checks.get_or_init(|| self.position.checks(&self.pieces))
    }

    /// Whether a legal move gives check.
    #[inline(always)]
    pub fn gives_check(&self, mv: Move) -> bool {
        self.checks().has(&self.position, mv)
    }

    /// Static exchange evaluation of a legal move.
    #[inline(always)]
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        self.position.see_ge_against(mv, threshold, &self.pieces, Some(self.opponent_attacks()))
    }

    /// Appends the legal moves of a stage to the list.
    pub fn generate(&self, stage: Stage, list: &mut MoveList) {
        let attacked = (!self.in_check).then(|| self.opponent_attacks().all());
        self.position.generate_against(stage, &self.pieces, attacked, list);
    }

    /// Whether a piece of the side to move is attacked.
    pub fn is_threatened(&self) -> bool {
        let own = self.pieces.by(self.position.side());
        !(self.opponent_attacks().all() & own).is_empty()
    }

    /// A legal move with its indices in the histories.
    #[inline(always)]
    pub fn moved(&self, mv: Move) -> Moved {
        let piece_to = PieceTo::of(&self.position, mv);
        let victim = self.position.captured(mv);
        let is_noisy = victim.is_some() || mv.is_promotion();
        let place = if is_noisy {
            Place::Noisy(NoisyPlace::new(self.opponent_attacks().all(), piece_to, mv, victim))
        } else {
            Place::Quiet(self.quiet_place(mv))
        };
        Moved::new(piece_to, place, self.in_check, is_noisy)
    }

    #[inline(always)]
    pub fn quiet_place(&self, mv: Move) -> QuietPlace {
        QuietPlace::new(self.position.side(), self.opponent_attacks().all(), mv)
    }

    #[inline(always)]
    pub fn noisy_place(&self, mv: Move) -> NoisyPlace {
        let (piece_to, victim) = (PieceTo::of(&self.position, mv), self.position.captured(mv));
        NoisyPlace::new(self.opponent_attacks().all(), piece_to, mv, victim)
    }
}

/// A thread's plies. Index 0 is the current node, negative indices are its ancestors.
pub struct Stack {
    plies: Box<[Ply; PLIES]>,
    /// The current node's distance from the root. For any value of the type there are plies on both sides, so
    /// indexing needs no check.
    ply: u8,
}

impl Stack {
    /// Returns `None` if there is not enough memory.
    pub fn new() -> Option<Stack> {
        let mut plies = Vec::new();
        plies.try_reserve_exact(PLIES).ok()?;
        plies.resize(PLIES, Ply::of(&Position::start()));
        Some(Stack { plies: plies.into_boxed_slice().try_into().ok()?, ply: 0 })
    }

    /// Resets to a root that is `plies_before` plies into a game.
    pub fn begin(&mut self, root: &Position, plies_before: usize) {
        self.plies.fill(Ply::of(root));
        self.ply = 0;
        self[0].plies_since_null = plies_before;
    }

    #[inline(always)]
    pub fn ply(&self) -> usize {
        usize::from(self.ply)
    }

    /// Advances to the position after a move.
    #[inline(always)]
    pub fn push(&mut self, moved: Moved, next: Position, in_check: bool) {
        debug_assert_eq!(in_check, next.in_check());
        let node = &mut self[0];
        node.moved = moved;
        let plies_since_null = if moved.is_null() { 0 } else { node.plies_since_null + 1 };
        self.ply += 1;
        let node = &mut self[0];
        node.pieces = Bitboards::of(&next);
        node.position = next;
        node.in_check = in_check;
        node.opponent_attacks = OnceCell::new();
        node.own_attacks = OnceCell::new();
        node.checks = OnceCell::new();
        node.plies_since_null = plies_since_null;
    }

    #[inline(always)]
    pub fn pop(&mut self) {
        self.ply -= 1;
    }
}

impl Index<isize> for Stack {
    type Output = Ply;

    #[inline(always)]
    fn index(&self, plies: isize) -> &Ply {
        &self.plies[(PLIES_BEFORE_ROOT + self.ply()).wrapping_add_signed(plies)]
    }
}

impl IndexMut<isize> for Stack {
    #[inline(always)]
    fn index_mut(&mut self, plies: isize) -> &mut Ply {
        &mut self.plies[(PLIES_BEFORE_ROOT + self.ply()).wrapping_add_signed(plies)]
    }
}
