//! Move generation: all that a side may do, or only the noisy or the quiet moves. All are legal.
//!
//! The order in which moves come out is defined by the position alone, so that builds for different
//! processors search the same tree, node for node:
//!
//! 1. the king's steps, in the order of [`RAYS`](super::square::RAYS);
//! 2. castling, king's side first;
//! 3. knights and sliders by their square, each by direction, then distance;
//! 4. promotions, then the other moves of the pawns: captures to the west, captures to the east,
//!    one step, two steps; within each by square, and queen, rook, bishop, knight;
//! 5. captures en passant, by square.

use super::attacks::Army;
use super::castling::can_castle;
use super::instructions::native;
use super::lanes::{
    Board, ChecksAndPins, LANE_SQUARES, LANE_STEPS, Lanes, PIECE_LANES, RAY_LANES, lane_between,
    lanes_to, rays_with, squares_on, unblocked,
};
use super::position::{PAWN_OR_KING, Squares};
use super::square::{EAST, WEST};
use super::{CastlingSide, Color, Move, MoveList, PieceType, Position, Square, SquareSet};

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
    pub fn generate(&self, stage: Stage, list: &mut MoveList) {
        self.generate_against(stage, None, list);
    }

    /// The same where it may be known what the opponent attacks, if it gives no check.
    #[inline(never)]
    pub fn generate_against(&self, stage: Stage, attacked: Option<SquareSet>, list: &mut MoveList) {
        match self.side() {
            Color::White => Generator::<true>::new(self, attacked).push_all(stage, list),
            Color::Black => Generator::<false>::new(self, attacked).push_all(stage, list),
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
        let usual = match self.side() {
            Color::White => Generator::<true>::new(self, None).count(),
            Color::Black => Generator::<false>::new(self, None).count(),
        };
        let Some(target) = self.en_passant() else { return usual };
        let mut list = MoveList::new();
        self.push_en_passant(target, &mut list);
        usual + list.len() as u32
    }

    /// Adds the captures that come to this square, which are rare enough to be tried one by one.
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

/// What is known of a position before its moves are. Compiled for each side to move.
struct Generator<'a, const WHITE: bool> {
    position: &'a Position,
    king: Square,
    from_king: Lanes,
    check: ChecksAndPins,
    own: SquareSet,
    enemies: SquareSet,
    /// The squares that the enemy attacks, or would if the king left its square.
    attacked: SquareSet,
    /// Squares of own knights and sliders.
    pieces: SquareSet,
    /// Squares of own pawns.
    pawns: SquareSet,
}

impl<'a, const WHITE: bool> Generator<'a, WHITE> {
    const US: Color = if WHITE { Color::White } else { Color::Black };

    /// Without check nothing more is attacked if the king leaves its square.
    #[inline(always)]
    fn new(position: &'a Position, attacked: Option<SquareSet>) -> Self {
        let king = position.king(Self::US);
        let from_king = Board::of(position).lanes(king);
        let squares = Squares::of(position);
        let own = squares.with_bits(Self::US.bit());
        let enemies = squares.with_bits((!Self::US).bit());
        let attacked = attacked.unwrap_or_else(|| {
            let behind_king = !(own | enemies) | SquareSet::one(king);
            Army::of(squares, !Self::US).attacked(behind_king)
        });
        Generator {
            position,
            king,
            from_king,
            check: from_king.checks_and_pins(Self::US),
            own,
            enemies,
            attacked,
            pieces: own & !squares.with_bits(PAWN_OR_KING),
            pawns: squares.equal(PieceType::Pawn.of(Self::US).byte()),
        }
    }

    /// Adds all moves of a stage but for captures en passant.
    #[inline(always)]
    fn push_all(&self, stage: Stage, list: &mut MoveList) {
        let wanted = match stage {
            Stage::Noisy => self.enemies,
            Stage::Quiet => self.empty(),
            Stage::All => !self.own,
        };
        push_moves(self.king, self.king_steps(wanted), list);
        let Some(check_mask) = self.check_mask() else { return };
        if stage.quiet() {
            self.castling().for_each(|mv| list.push(mv));
        }
        for from in self.pieces {
            push_moves(from, self.piece_lanes(from, wanted & check_mask), list);
        }
        self.pawn_steps(stage, check_mask).push_all(list);
    }

    /// The number of all moves but for captures en passant. Pieces move one by one if they are pinned or
    /// few, others all at once.
    #[inline(always)]
    fn count(&self) -> u32 {
        let king_steps = self.king_steps(!self.own).count_ones();
        let Some(check_mask) = self.check_mask() else { return king_steps };
        let targets = !self.own & check_mask;
        let mut single = self.pieces;
        let mut count = king_steps
            + self.castling().count() as u32
            + self.pawn_steps(Stage::All, check_mask).count();
        if self.pieces.len() > 3 {
            single = self.pieces & squares_on(self.king, self.check.pinned);
            let army = Army::of(Squares::of(self.position), Self::US);
            count += army.count_moves(self.pieces & !single, self.empty(), targets);
        }
        for from in single {
            count += self.piece_lanes(from, targets).count_ones();
        }
        count
    }

    #[inline(always)]
    fn empty(&self) -> SquareSet {
        !(self.own | self.enemies)
    }

    #[inline(always)]
    fn king_steps(&self, wanted: SquareSet) -> u64 {
        lanes_to(self.king, wanted & !self.attacked)
            & PSEUDO_ATTACKS[PieceType::King.bits() as usize][self.king.index() as usize]
    }

    /// Where a check lets pieces other than the king go: anywhere if there is none, to the checker or
    /// between. A double check leaves them no move.
    #[inline(always)]
    fn check_mask(&self) -> Option<SquareSet> {
        let checker = self.check.checkers;
        match checker.count_ones() {
            0 => Some(SquareSet::ALL),
            1 => {
                let ray = rays_with(checker & RAY_LANES) & self.from_king.superpiece_attacks();
                Some(squares_on(self.king, checker | ray))
            }
            _ => None,
        }
    }

    #[inline(always)]
    fn castling(&self) -> impl Iterator<Item = Move> {
        let sides = if self.check.checkers == 0 { &CastlingSide::BOTH[..] } else { &[] };
        sides.iter().filter_map(|&side| {
            let rook = self.position.castling_rook(Self::US, side)?;
            let is_pinned = |rook| self.pin(rook).is_some();
            let is_safe = |square| !self.attacked.contains(square);
            can_castle(self.king, rook, !self.empty(), is_pinned, is_safe)
                .then(|| Move::castling(self.king, rook))
        })
    }

    /// The lanes in which a knight, bishop, rook or queen may go.
    #[inline(always)]
    fn piece_lanes(&self, from: Square, targets: SquareSet) -> u64 {
        unblocked(lanes_to(from, self.own | self.enemies))
            & lanes_to(from, targets)
            & PSEUDO_ATTACKS[self.position.byte_at(from) as usize & 0xF][from.index() as usize]
            & self.free_lanes(from)
    }

    /// The lane from the king to a piece, if it is pinned.
    #[inline(always)]
    fn pin(&self, square: Square) -> Option<u8> {
        // Without a lane this is the number of a jump, in which nothing is pinned.
        let lane = lane_between(self.king, square) & 63;
        (self.check.pinned >> lane & 1 != 0).then_some(lane)
    }

    /// The lanes that a pin leaves to a piece.
    #[inline(always)]
    fn free_lanes(&self, from: Square) -> u64 {
        if self.check.pinned == 0 {
            return !0;
        }
        self.pin(from).map_or(!0, |lane| PIN_LANES[lane as usize >> 3])
    }

    #[inline(always)]
    fn pawn_steps(&self, stage: Stage, check_mask: SquareSet) -> PawnSteps {
        // The pawns that no pin keeps from the steps west, east and ahead.
        let mut free = [self.pawns; 3];
        if self.check.pinned != 0 {
            let rays = if WHITE { [5, 7, 6] } else { [0, 2, 1] };
            free = rays.map(|ray: usize| {
                self.pawns & !squares_on(self.king, self.check.pinned & !PIN_LANES[ray])
            });
        }
        PawnSteps::new(Self::US, stage, free, self.empty(), self.enemies, check_mask)
    }
}

#[inline(always)]
fn push_moves(from: Square, lanes: u64, list: &mut MoveList) {
    native::push_moves(from, LANE_SQUARES[from.index() as usize], lanes, list);
}

/// For each direction, the lanes of its ray and of the opposite one: where a piece pinned in that
/// direction, seen from its king, may go.
static PIN_LANES: [u64; 8] = {
    let mut lanes = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        lanes[direction] = 0x7F << (8 * direction) | 0x7F << (8 * (7 - direction));
        direction += 1;
    }
    lanes
};

/// The lanes on the board in which a piece other than a pawn attacks, by the low four bits of its byte
/// and its square.
static PSEUDO_ATTACKS: [[u64; 64]; 16] = {
    let mut table = [[0; 64]; 16];
    let mut kind = 0;
    while kind < 16 {
        let mut from = 0;
        while from < 64 {
            let mut lane = 0;
            while lane < 64 {
                let to = Square::from_index(from as u8).step(LANE_STEPS[lane]);
                if to.is_some() && kind != PieceType::Pawn as usize {
                    table[kind][from] |= PIECE_LANES[kind] & 1 << lane;
                }
                lane += 1;
            }
            from += 1;
        }
        kind += 1;
    }
    table
};

/// Where the pawns of the side to move can go, all at once: for captures to the west and to the east,
/// one step and two steps, the difference of the squares' indices and the set of destinations.
struct PawnSteps([(i8, SquareSet); 4]);

/// The first and the last rank.
const EDGES: SquareSet = SquareSet::from_bits(0xFF00_0000_0000_00FF);

impl PawnSteps {
    /// `free` are the pawns that no pin keeps from each step (west, east, ahead), `check_mask`
    /// the squares to which a check lets them go.
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
        // No pawn stands on the last rank, so that turning the set is shifting it.
        let shift = |set: u64, step: i8| SquareSet::from_bits(set.rotate_left(step as u32 & 63));
        let when = |wanted: bool, squares| if wanted { squares } else { SquareSet::NONE };
        let victims = when(stage.noisy(), enemies & check_mask);
        // A step to the last rank is noisy though its square is empty.
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

/// Perft: the number of move sequences of this many plies, the classic test of a generator. The moves of
/// the last ply are only counted (bulk counting).
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves().into(),
        _ => position.legal_moves().iter().map(|&mv| perft(&position.after(mv), depth - 1)).sum(),
    }
}
