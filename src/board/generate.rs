//! Legal moves.
//!
//! The order in which moves come out is defined by the position alone, so that builds with
//! different bodies search the same tree, node for node:
//!
//! 1. the king's steps, in the order of [`RAYS`](super::square::RAYS);
//! 2. castling, king's wing first;
//! 3. knights and sliders by their square, each by direction, then distance;
//! 4. promotions, then the other moves of the pawns: captures to the west, captures to the east,
//!    one step, two steps; within each by square, and queen, rook, bishop, knight;
//! 5. captures en passant, by square.

use super::attacks::{Backend, Native};
use super::position::castled;
use super::square::{EAST, WEST};
use super::{
    CastlingSide, Color, Move, MoveKind, MoveList, PieceType, Position, Square, SquareSet,
};

/// Which moves to generate. In check each stage holds only moves that answer the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Captures and promotions.
    Noisy,
    /// All others.
    Quiet,
    All,
}

impl Stage {
    #[inline(always)]
    pub const fn noisy(self) -> bool {
        !matches!(self, Stage::Quiet)
    }

    #[inline(always)]
    pub const fn quiet(self) -> bool {
        !matches!(self, Stage::Noisy)
    }
}

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Stage::All, &mut list);
        list
    }

    /// Adds the legal moves of a stage to the list, in a fixed order.
    #[inline(always)]
    pub fn generate(&self, stage: Stage, list: &mut MoveList) {
        match stage {
            Stage::Noisy => self.generate_noisy(list),
            Stage::Quiet => self.generate_quiet(list),
            Stage::All => self.generate_all(list),
        }
    }

    // Each stage is compiled for itself, but only once: the code is long, and what the processor
    // keeps of it at hand is little.

    #[inline(never)]
    fn generate_noisy(&self, list: &mut MoveList) {
        Native::generate(self, Stage::Noisy, list);
    }

    #[inline(never)]
    fn generate_quiet(&self, list: &mut MoveList) {
        Native::generate(self, Stage::Quiet, list);
    }

    #[inline(never)]
    fn generate_all(&self, list: &mut MoveList) {
        Native::generate(self, Stage::All, list);
    }

    /// Whether any 16 bits, from a hash table say, are a legal move here.
    #[inline(always)]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_legal_by::<Native>(mv)
    }

    /// [`Position::is_legal`] with a given body.
    pub fn is_legal_by<B: Backend>(&self, mv: Move) -> bool {
        let us = self.side();
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = self.piece_at(from).filter(|piece| piece.color() == us) else {
            return false;
        };
        match mv.kind() {
            None => false,
            Some(MoveKind::Castling) => {
                mover.is(PieceType::King)
                    && CastlingSide::BOTH
                        .iter()
                        .any(|&wing| self.castling_rook(us, wing) == Some(to))
                    && !B::is_attacked(self, from, !us)
                    && can_castle(
                        from,
                        to,
                        self.occupied(),
                        |rook| B::pinned(self, us).contains(rook),
                        |square| !B::is_attacked(self, square, !us),
                    )
            }
            Some(MoveKind::EnPassant) => {
                mover.is(PieceType::Pawn)
                    && self.en_passant() == Some(to)
                    && self.sees(mover, from, to)
                    && self.en_passant_is_safe::<B>(from, to)
            }
            Some(kind) => {
                let promotes = matches!(kind, MoveKind::Promotion(_));
                let goes = if mover.is(PieceType::Pawn) {
                    promotes == (to.rank_for(us) == 7) && self.pawn_goes(us, from, to)
                } else {
                    !promotes
                        && self.piece_at(to).is_none_or(|piece| piece.color() != us)
                        && self.sees(mover, from, to)
                };
                goes && {
                    let after = B::moved(self, mv);
                    !B::is_attacked(&after, after.king(us), !us)
                }
            }
        }
    }

    /// Whether a pawn can go or capture this way, kings and promotions apart.
    fn pawn_goes(&self, us: Color, from: Square, to: Square) -> bool {
        match self.piece_at(to) {
            Some(target) => target.color() != us && self.sees(PieceType::Pawn.of(us), from, to),
            None => {
                let once = from.step(us.forward());
                let twice = once.and_then(|square| square.step(us.forward()));
                once == Some(to)
                    || twice == Some(to)
                        && from.rank_for(us) == 1
                        && once.is_some_and(|square| self.is_empty(square))
            }
        }
    }

    /// Adds the castling moves of the side to move, which is not in check. A body knows which
    /// pieces stand where, which are pinned, and where the king would be safe.
    #[inline(always)]
    pub(super) fn generate_castling(
        &self,
        us: Color,
        occupied: SquareSet,
        is_pinned: impl Fn(Square) -> bool,
        is_safe: impl Fn(Square) -> bool,
        list: &mut MoveList,
    ) {
        let king = self.king(us);
        for wing in CastlingSide::BOTH {
            if let Some(rook) = self.castling_rook(us, wing)
                && can_castle(king, rook, occupied, &is_pinned, &is_safe)
            {
                list.push(Move::castling(king, rook));
            }
        }
    }
}

/// Whether a king out of check can castle with a rook to which it has the right. A pinned rook is
/// one that an enemy on its far side attacks: castling would leave the king to it.
#[inline(always)]
fn can_castle(
    king: Square,
    rook: Square,
    occupied: SquareSet,
    is_pinned: impl Fn(Square) -> bool,
    is_safe: impl Fn(Square) -> bool,
) -> bool {
    let (king_to, rook_to) = castled(king, rook);
    let path = span(king, king_to);
    let others = occupied & !SquareSet::one(king) & !SquareSet::one(rook);
    ((path | span(rook, rook_to)) & others).is_empty()
        && !is_pinned(rook)
        && (path & !SquareSet::one(king)).into_iter().all(is_safe)
}

/// The files from one to another, both included, a bit each.
static SPANS: [[u8; 8]; 8] = {
    let mut spans = [[0; 8]; 8];
    let mut a = 0;
    while a < 8 {
        let mut b = 0;
        while b < 8 {
            let (first, last) = if a < b { (a, b) } else { (b, a) };
            spans[a][b] = (0xFF << first) & (0xFF >> (7 - last));
            b += 1;
        }
        a += 1;
    }
    spans
};

/// The squares from one to another on the same rank, both included.
#[inline(always)]
fn span(a: Square, b: Square) -> SquareSet {
    SquareSet::from_bits((SPANS[a.file() as usize][b.file() as usize] as u64) << (8 * a.rank()))
}

/// Where the pawns of the side to move can go, all at once: for each of the four steps in the
/// order of this file, the step in dense squares and the set of destinations.
pub(super) struct PawnSteps(pub [(i8, SquareSet); 4]);

impl PawnSteps {
    /// `free` are the pawns that no pin keeps from each step (west, east, ahead), `answers` the
    /// squares to which a check lets them go.
    #[inline(always)]
    pub(super) fn new(
        us: Color,
        stage: Stage,
        free: [SquareSet; 3],
        empty: SquareSet,
        enemies: SquareSet,
        answers: SquareSet,
    ) -> PawnSteps {
        const FILE_A: u64 = 0x0101_0101_0101_0101;
        const FILE_H: u64 = FILE_A << 7;
        let (ahead, third) = match us {
            Color::White => (8, 0x0000_0000_00FF_0000),
            Color::Black => (-8, 0x0000_FF00_0000_0000),
        };
        // No pawn stands on the last rank, so that turning the set is shifting it.
        let shift = |set: u64, step: i8| SquareSet::from_bits(set.rotate_left(step as u32 & 63));
        let when = |wanted: bool, squares| if wanted { squares } else { SquareSet::NONE };
        let prey = when(stage.noisy(), enemies & answers);
        // A step to the last rank is noisy though its square is empty.
        let targets = answers & (when(stage.noisy(), EDGES) | when(stage.quiet(), !EDGES));
        let west = shift(free[0].bits() & !FILE_A, ahead - 1) & prey;
        let east = shift(free[1].bits() & !FILE_H, ahead + 1) & prey;
        let once = shift(free[2].bits(), ahead) & empty;
        let twice = shift(once.bits() & third, ahead) & empty & targets;
        PawnSteps([
            (ahead - 1, west),
            (ahead + 1, east),
            (ahead, once & targets),
            (2 * ahead, twice),
        ])
    }
}

/// The first and the last rank.
const EDGES: SquareSet = SquareSet::from_bits(0xFF00_0000_0000_00FF);

/// Adds the moves of pawns. `write` adds those of one step that do not promote.
#[inline(always)]
pub(super) fn push_pawn_moves(
    steps: PawnSteps,
    list: &mut MoveList,
    mut write: impl FnMut(i8, SquareSet, &mut MoveList),
) {
    let all = steps.0.iter().fold(SquareSet::NONE, |all, &(_, destinations)| all | destinations);
    if !(all & EDGES).is_empty() {
        push_promotions(&steps, list);
    }
    for (step, destinations) in steps.0 {
        write(step, destinations & !EDGES, list);
    }
}

#[cold]
fn push_promotions(steps: &PawnSteps, list: &mut MoveList) {
    for (step, destinations) in steps.0 {
        for to in destinations & EDGES {
            let from = Square::from_dense(to.dense().wrapping_add_signed(-step));
            for kind in PieceType::PROMOTIONS {
                list.push(Move::promotion(from, to, kind));
            }
        }
    }
}

impl Position {
    /// Adds the captures in passing.
    #[inline(always)]
    pub(super) fn generate_en_passant<B: Backend>(&self, list: &mut MoveList) {
        if let Some(target) = self.en_passant() {
            self.push_en_passant::<B>(target, list);
        }
    }

    /// Adds the captures that come to this square, which are rare enough to be tried one by one.
    #[cold]
    fn push_en_passant<B: Backend>(&self, target: Square, list: &mut MoveList) {
        let us = self.side();
        let pawn = PieceType::Pawn.of(us);
        for step in [WEST, EAST] {
            if let Some(from) = target.step(step - us.forward())
                && self.piece_at(from) == Some(pawn)
                && self.en_passant_is_safe::<B>(from, target)
            {
                list.push(Move::en_passant(from, target));
            }
        }
    }
}
