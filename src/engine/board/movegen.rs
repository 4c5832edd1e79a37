//! Move generation: all moves, or only the noisy or the quiet ones. All of them are legal.
//!
//! The position alone determines the order of its moves, so that builds for different processors search the
//! same tree, node for node:
//!
//! 1. the king's steps, in the order of [`RAYS`](super::square::RAYS);
//! 2. castling, kingside first;
//! 3. knights and sliders by square, then direction, then distance;
//! 4. promotions, then the other pawn moves: captures to the west, captures to the east, single steps, double
//!    steps; each by square, then queen, rook, bishop, knight;
//! 5. en-passant captures, by square.

use super::attacks::Army;
use super::bitboards::{attacks, between, king_attacks, line_of, lines_through};
use super::castling::can_castle;
use super::instructions::native;
use super::square::{EAST, WEST};
use super::{
    Bitboards, CastlingSide, Color, Move, MoveList, PieceType, Position, Square, SquareSet,
};

/// The moves to generate. In check, each stage contains only evasions.
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

    /// Appends the legal moves of a stage to the list, in a fixed order.
    pub fn generate(&self, stage: Stage, list: &mut MoveList) {
        self.generate_against(stage, &Bitboards::of(self), None, list);
    }

    /// Like [`Position::generate`], for a caller that has the bitboards and, if there is no check, perhaps
    /// the squares that the opponent attacks.
    #[inline(never)]
    pub fn generate_against(
        &self,
        stage: Stage,
        pieces: &Bitboards,
        attacked: Option<SquareSet>,
        list: &mut MoveList,
    ) {
        match self.side() {
            Color::White => Generator::<true>::new(self, pieces, attacked).push_all(stage, list),
            Color::Black => Generator::<false>::new(self, pieces, attacked).push_all(stage, list),
        }
        if stage.noisy()
            && let Some(target) = self.en_passant()
        {
            self.push_en_passant(target, list);
        }
    }

    /// The number of legal moves, for bulk counting.
    #[inline(always)]
    pub fn count_moves(&self) -> u32 {
        let pieces = &Bitboards::of(self);
        let usual = match self.side() {
            Color::White => Generator::<true>::new(self, pieces, None).count(),
            Color::Black => Generator::<false>::new(self, pieces, None).count(),
        };
        let Some(target) = self.en_passant() else { return usual };
        let mut list = MoveList::new();
        self.push_en_passant(target, &mut list);
        usual + list.len() as u32
    }

    /// Appends the en-passant captures on this square. They are rare enough to be tried one by one.
    #[cold]
    fn push_en_passant(&self, target: Square, list: &mut MoveList) {
        let us = self.side();
        for step in [WEST, EAST] {
            if let Some(from) = target.step(step - us.forward())
                && self.piece_at(from) == Some(PieceType::Pawn.of(us))
                && self.en_passant_is_safe(from, target)
            {
                list.push(Move::en_passant(from, target));
            }
        }
    }
}

/// Everything that generation needs to know about a position, compiled for each side to move.
struct Generator<'a, const WHITE: bool> {
    position: &'a Position,
    pieces: &'a Bitboards,
    king: Square,
    checkers: SquareSet,
    pinned: SquareSet,
    own: SquareSet,
    enemies: SquareSet,
    /// The squares that the enemy attacks, or would attack if the king left its square.
    attacked: SquareSet,
}

impl<'a, const WHITE: bool> Generator<'a, WHITE> {
    const US: Color = if WHITE { Color::White } else { Color::Black };

    /// Without check, moving the king exposes no further squares.
    #[inline(always)]
    fn new(position: &'a Position, pieces: &'a Bitboards, attacked: Option<SquareSet>) -> Self {
        let king = position.king(Self::US);
        let (own, enemies) = (pieces.by(Self::US), pieces.by(!Self::US));
        let (sliders, shields) = pieces.sliders_to(king, !Self::US);
        let attacked = attacked.unwrap_or_else(|| {
            let behind_king = !(own | enemies) | SquareSet::one(king);
            Army::of(pieces, !Self::US).attacked(behind_king)
        });
        Generator {
            position,
            pieces,
            king,
            checkers: sliders | pieces.leapers_to(king) & enemies,
            pinned: shields & own,
            own,
            enemies,
            attacked,
        }
    }

    /// Appends all moves of a stage except en-passant captures.
    #[inline(always)]
    fn push_all(&self, stage: Stage, list: &mut MoveList) {
        let wanted = match stage {
            Stage::Noisy => self.enemies,
            Stage::Quiet => self.empty(),
            Stage::All => !self.own,
        };
        let occupied = self.own | self.enemies;
        let king = PieceType::King.of(Self::US);
        native::push_moves(king, self.king, occupied, wanted & !self.attacked, list);
        let Some(check_mask) = self.check_mask() else { return };
        if stage.quiet() {
            self.castling().for_each(|mv| list.push(mv));
        }
        let targets = wanted & check_mask;
        for from in self.pieces.officers() & self.own {
            let Some(piece) = self.position.piece_at(from) else { continue };
            native::push_moves(piece, from, occupied, self.left_by_pin(from, targets), list);
        }
        self.pawn_steps(stage, check_mask).push_all(list);
    }

    /// Counts all moves except en-passant captures. Pinned pieces, and pieces that are few, are counted one
    /// by one, others all at once.
    #[inline(always)]
    fn count(&self) -> u32 {
        let king_steps = (king_attacks(self.king) & !self.own & !self.attacked).len();
        let Some(check_mask) = self.check_mask() else { return king_steps };
        let targets = !self.own & check_mask;
        let officers = self.pieces.officers() & self.own;
        let mut single = officers;
        let mut count = king_steps
            + self.castling().count() as u32
            + self.pawn_steps(Stage::All, check_mask).count();
        if officers.len() > 3 {
            single = officers & self.pinned;
            let army = Army::of(self.pieces, Self::US);
            count += army.count_moves(officers & !single, self.empty(), targets);
        }
        for from in single {
            let Some(piece) = self.position.piece_at(from) else { continue };
            let moves = attacks(piece, from, self.own | self.enemies);
            count += (moves & self.left_by_pin(from, targets)).len();
        }
        count
    }

    #[inline(always)]
    fn empty(&self) -> SquareSet {
        !(self.own | self.enemies)
    }

    /// The squares to which pieces other than the king may go: all of them without check, otherwise the
    /// checker and the squares before it. `None` in double check.
    #[inline(always)]
    fn check_mask(&self) -> Option<SquareSet> {
        let mut checkers = self.checkers.into_iter();
        match (checkers.next(), checkers.next()) {
            (None, _) => Some(SquareSet::ALL),
            (Some(checker), None) => Some(between(self.king, checker) | self.checkers),
            _ => None,
        }
    }

    #[inline(always)]
    fn castling(&self) -> impl Iterator<Item = Move> {
        let sides = if self.checkers.is_empty() { &CastlingSide::BOTH[..] } else { &[] };
        sides.iter().filter_map(|&side| {
            let rook = self.position.castling_rook(Self::US, side)?;
            let is_pinned = |rook| self.pinned.contains(rook);
            let is_safe = |square| !self.attacked.contains(square);
            can_castle(self.king, rook, !self.empty(), is_pinned, is_safe)
                .then(|| Move::castling(self.king, rook))
        })
    }

    /// Restricts a piece's targets to the line of its pin, if it is pinned.
    #[inline(always)]
    fn left_by_pin(&self, from: Square, targets: SquareSet) -> SquareSet {
        if self.pinned.contains(from) { targets & line_of(self.king, from) } else { targets }
    }

    #[inline(always)]
    fn pawn_steps(&self, stage: Stage, check_mask: SquareSet) -> PawnSteps {
        // The pawns that a pin leaves free to step west, east and ahead.
        let pawns = self.pieces.kind(PieceType::Pawn) & self.own;
        let mut free = [pawns; 3];
        if !self.pinned.is_empty() {
            let [file, _, rising, falling] = lines_through(self.king);
            let lines = if WHITE { [falling, rising, file] } else { [rising, falling, file] };
            free = lines.map(|line| pawns & !(self.pinned & !line));
        }
        PawnSteps::new(Self::US, stage, free, self.empty(), self.enemies, check_mask)
    }
}

/// The destinations of all pawns at once: captures to the west and to the east, single and double steps, each
/// with the difference of square indices.
struct PawnSteps([(i8, SquareSet); 4]);

/// The first and the last rank.
const EDGES: SquareSet = SquareSet::from_bits(0xFF00_0000_0000_00FF);

impl PawnSteps {
    /// `free` are the pawns that a pin leaves free for each step (west, east, ahead), `check_mask` the
    /// squares that a check allows.
    #[inline(always)]
    fn new(
        us: Color,
        stage: Stage,
        free: [SquareSet; 3],
        empty: SquareSet,
        enemies: SquareSet,
        check_mask: SquareSet,
    ) -> PawnSteps {
        const FILE_A: u64 = 0x0101_0101_0101_0101;
        const FILE_H: u64 = FILE_A << 7;
        let (ahead, third) = match us {
            Color::White => (8, 0x0000_0000_00FF_0000),
            Color::Black => (-8, 0x0000_FF00_0000_0000),
        };
        // No pawn stands on the last rank, so rotating the set is the same as shifting it.
        let shift = |set: u64, step: i8| SquareSet::from_bits(set.rotate_left(step as u32 & 63));
        let when = |wanted: bool, squares| if wanted { squares } else { SquareSet::NONE };
        let victims = when(stage.noisy(), enemies & check_mask);
        // A step to the last rank is noisy although its square is empty.
        let targets = check_mask & (when(stage.noisy(), EDGES) | when(stage.quiet(), !EDGES));
        let west = shift(free[0].bits() & !FILE_A, ahead - 1) & victims;
        let east = shift(free[1].bits() & !FILE_H, ahead + 1) & victims;
        let once = shift(free[2].bits(), ahead) & empty;
        let twice = shift(once.bits() & third, ahead) & empty & targets;
        PawnSteps([
            (ahead - 1, west),
            (ahead + 1, east),
            (ahead, once & targets),
            (2 * ahead, twice),
        ])
    }

    #[inline(always)]
    fn push_all(&self, list: &mut MoveList) {
        let all = self.0.iter().fold(SquareSet::NONE, |all, &(_, squares)| all | squares);
        if !(all & EDGES).is_empty() {
            self.push_promotions(list);
        }
        for (step, destinations) in self.0 {
            native::push_pawn_moves(step, destinations & !EDGES, list);
        }
    }

    #[cold]
    fn push_promotions(&self, list: &mut MoveList) {
        for (step, destinations) in self.0 {
            for to in destinations & EDGES {
                let from = Square::from_index(to.index().wrapping_add_signed(-step));
                for kind in PieceType::PROMOTIONS {
                    list.push(Move::promotion(from, to, kind));
                }
            }
        }
    }

    #[inline(always)]
    fn count(&self) -> u32 {
        let promotions = PieceType::PROMOTIONS.len() as u32 - 1;
        let moves =
            |(_, squares): (_, SquareSet)| squares.len() + promotions * (squares & EDGES).len();
        self.0.map(moves).into_iter().sum()
    }
}

/// Perft: counts the move sequences of a given length, the classic test of a move generator. The moves of the
/// last ply are counted, not made (bulk counting).
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves().into(),
        _ => position.legal_moves().iter().map(|&mv| perft(&position.after(mv), depth - 1)).sum(),
    }
}
