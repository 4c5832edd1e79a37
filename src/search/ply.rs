//! What is known of a node while the search is at it or below it.

use std::cell::OnceCell;
use std::ops::{Index, IndexMut};

use super::report::MAX_PLY;
use super::strength::Sight;
use crate::board::{
    Attacks, Bitboards, Checks, Color, Move, MoveList, Piece, Position, Square, SquareSet, Stage,
    Threats,
};

/// The plies back whose moves a continuation history goes with.
pub const CONTINUATION_PLIES: [isize; 4] = [1, 2, 4, 6];

/// Plies that are looked back from the root, where the last move looks back in turn, and forward from
/// the last one.
const PLIES_BEFORE_ROOT: usize = 1 + CONTINUATION_PLIES[CONTINUATION_PLIES.len() - 1] as usize;
const PLIES_AFTER_LAST: usize = 2;

const SQUARES: usize = 64;

const _: () = assert!(MAX_PLY == u8::MAX as usize);

const PLIES: usize = PLIES_BEFORE_ROOT + MAX_PLY + 1 + PLIES_AFTER_LAST;

/// A node of the line that is being searched: what others read of it. What only the node itself needs
/// are the local variables of its search, for a search of the same position writes here too.
#[derive(Clone)]
pub struct Ply {
    pub position: Position,
    pub pieces: Bitboards,
    /// Whether the side to move is in check.
    pub in_check: bool,
    threats: OnceCell<Attacks>,
    own_attacks: OnceCell<Attacks>,
    checks: OnceCell<Checks>,
    /// The plies since the last null move, or since the first position if there was none.
    pub plies_since_null: usize,
    /// The corrected static evaluation; none in check.
    pub static_eval: Option<i32>,
    /// Whether the node is on the principal variation, or was.
    pub tt_pv: bool,
    /// The TT move while the search looks for its alternatives (singular extensions).
    pub excluded: Option<Move>,

    /// The move that is being searched.
    pub moved: Moved,
    /// Its number in the node's order.
    pub move_count: i32,
    /// Whether it is the node's TT move.
    pub is_tt_move: bool,
    /// Its reduction, in 1024ths of a ply.
    pub reduction: i32,

    /// How many moves of the line up to here were extended by more than a ply.
    pub double_extensions: i32,
    /// How many of this ply's nodes failed high.
    pub cutoff_count: u32,
}

impl Ply {
    fn of(position: &Position) -> Ply {
        Ply {
            position: *position,
            pieces: Bitboards::of(position),
            in_check: position.in_check(),
            threats: OnceCell::new(),
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

    /// What the opponent attacks, worked out when it is first asked for.
    #[inline(always)]
    pub fn threats(&self) -> &Attacks {
        self.threats.get_or_init(|| self.pieces.attacks(!self.position.side()))
    }

    /// What the side to move attacks, worked out when it is first asked for.
    #[inline(always)]
    pub fn own_attacks(&self) -> &Attacks {
        self.own_attacks.get_or_init(|| self.pieces.attacks(self.position.side()))
    }

    /// What the network is told of both sides' attacks.
    #[inline(always)]
    pub fn dangers(&self) -> Threats {
        Threats::of(&self.pieces, self.position.side(), self.own_attacks(), self.threats())
    }

    #[inline(always)]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.position.is_legal_among(mv, &self.pieces)
    }

    /// The moves that give check, worked out when it is first asked for.
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
        self.position.see_ge_against(mv, threshold, &self.pieces, Some(self.threats()))
    }

    /// Adds the legal moves of a stage to the list.
    pub fn generate(&self, stage: Stage, list: &mut MoveList) {
        let attacked = (!self.in_check).then(|| self.threats().all());
        self.position.generate_against(stage, &self.pieces, attacked, list);
    }

    /// Whether anything of the side to move is attacked.
    pub fn is_threatened(&self) -> bool {
        let own = self.pieces.by(self.position.side());
        !(self.threats().all() & own).is_empty()
    }

    /// A legal move and its places in the histories.
    #[inline(always)]
    pub fn moved(&self, mv: Move) -> Moved {
        let piece_to = PieceTo::of(&self.position, mv);
        let victim = self.position.captured(mv);
        let is_noisy = victim.is_some() || mv.is_promotion();
        let place = if is_noisy {
            Place::Noisy(NoisyPlace::new(self.threats().all(), piece_to, mv, victim))
        } else {
            Place::Quiet(self.quiet_place(mv))
        };
        let kind = usize::from(self.in_check) * 2 + usize::from(is_noisy);
        Moved { piece_to, place, row: (kind * PieceTo::COUNT + piece_to.index()) as u16 }
    }

    #[inline(always)]
    pub fn quiet_place(&self, mv: Move) -> QuietPlace {
        QuietPlace::new(self.position.side(), self.threats().all(), mv)
    }

    #[inline(always)]
    pub fn noisy_place(&self, mv: Move) -> NoisyPlace {
        let (piece_to, victim) = (PieceTo::of(&self.position, mv), self.position.captured(mv));
        NoisyPlace::new(self.threats().all(), piece_to, mv, victim)
    }
}

/// A move that was made, and its places in the histories.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    pub piece_to: PieceTo,
    /// The row of the moves after it in the continuation histories: by what it was, whether it was made
    /// in check, and whether it was noisy.
    row: u16,
    pub place: Place,
}

impl Moved {
    /// The rows of the continuation histories.
    pub const ROWS: usize = 4 * PieceTo::COUNT + 1;

    /// A null move, or none.
    pub const NULL: Moved =
        Moved { piece_to: PieceTo::NONE, row: Moved::ROWS as u16 - 1, place: Place::Untaught };

    #[inline(always)]
    pub fn is_null(&self) -> bool {
        self.piece_to == PieceTo::NONE
    }

    #[inline(always)]
    pub fn is_quiet(&self) -> bool {
        matches!(self.place, Place::Quiet(_))
    }

    #[inline(always)]
    pub fn row(&self) -> usize {
        usize::from(self.row)
    }

    /// The same move where nothing after it changes its own history.
    pub fn untaught(self) -> Moved {
        Moved { place: Place::Untaught, ..self }
    }
}

/// Where a move's own history is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Quiet(QuietPlace),
    Noisy(NoisyPlace),
    Untaught,
}

/// A quiet move's place in the butterfly history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietPlace(u16);

impl QuietPlace {
    pub const COUNT: usize = 2 * 4 * SQUARES * SQUARES;

    /// By side to move, whether origin and destination are attacked, and both squares.
    #[inline(always)]
    pub fn new(side: Color, threats: SquareSet, mv: Move) -> QuietPlace {
        let from = usize::from(threats.contains(mv.from()));
        let to = usize::from(threats.contains(mv.to()));
        let table = side.index() * 4 + from * 2 + to;
        QuietPlace((table * SQUARES * SQUARES + mv.squares()) as u16)
    }

    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A victim of any type or none, defended or not.
const CAPTURE_TARGETS: usize = 7 * 2;

/// A noisy move's place in the capture history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoisyPlace(u16);

impl NoisyPlace {
    pub const COUNT: usize = PieceTo::COUNT * CAPTURE_TARGETS;

    /// By piece, destination, victim, if any, and whether the destination is defended.
    #[inline(always)]
    pub fn new(
        threats: SquareSet,
        piece_to: PieceTo,
        mv: Move,
        victim: Option<Piece>,
    ) -> NoisyPlace {
        let victim = victim.map_or(6, Piece::kind_index);
        let target = victim * 2 + usize::from(threats.contains(mv.to()));
        NoisyPlace((piece_to.index() * CAPTURE_TARGETS + target) as u16)
    }

    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A piece and the square it went to, or no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    /// Pieces on squares.
    pub const COUNT: usize = 12 * SQUARES;
    pub const NONE: PieceTo = PieceTo(PieceTo::COUNT as u16);

    /// The piece that a move moves, and its destination.
    #[inline(always)]
    pub fn of(position: &Position, mv: Move) -> PieceTo {
        position.piece_at(mv.from()).map_or(PieceTo::NONE, |piece| PieceTo::new(piece, mv.to()))
    }

    #[inline(always)]
    pub fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo((piece.index() * SQUARES) as u16 + u16::from(to.index()))
    }

    /// The square that a piece went to.
    pub fn to(self) -> Option<Square> {
        (self != PieceTo::NONE).then(|| Square::from_index((self.index() % SQUARES) as u8))
    }

    /// Whether a piece went to this square.
    pub fn goes_to(self, square: Square) -> bool {
        self != PieceTo::NONE && self.index() % SQUARES == usize::from(square.index())
    }

    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The plies of a thread: the present node is 0, those before it have negative numbers.
pub struct Stack {
    plies: Box<[Ply; PLIES]>,
    /// The distance of the present node from the root. Whatever it is, the plies around it are there:
    /// no place needs to be checked.
    ply: u8,
    /// What the player overlooks, if it is a weaker one.
    pub sight: Option<Sight>,
}

impl Stack {
    /// `None` if there is no memory for it.
    pub fn new() -> Option<Stack> {
        let mut plies = Vec::new();
        plies.try_reserve_exact(PLIES).ok()?;
        plies.resize(PLIES, Ply::of(&Position::start()));
        Some(Stack { plies: plies.into_boxed_slice().try_into().ok()?, ply: 0, sight: None })
    }

    /// Back to a root after so many plies of a game.
    pub fn begin(&mut self, root: &Position, plies_before: usize) {
        self.plies.fill(Ply::of(root));
        self.ply = 0;
        self[0].plies_since_null = plies_before;
    }

    #[inline(always)]
    pub fn ply(&self) -> usize {
        usize::from(self.ply)
    }

    /// Steps to the next position, to which a move leads.
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
        node.threats = OnceCell::new();
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
