//! The body for processors with vectors: all that a square sees at once.
//!
//! The board is 128 bytes, and a few instructions (on AVX-512, one) can fetch any 64 of them into a
//! register. So from any square the bytes of its 64 lanes (see [`super`]) come in four steps:
//!
//! ```text
//!   lane      0   1   2  …  6    7     8   9   10 …  14   15   …  56  57  …  62   63
//!   step     -17 -34 -51 … -119 -33   -16 -32 -48 … -112 -31   …  17  34  …  119  33
//!            └ ray south-west ┘ jump  └─── ray south ──┘ jump      ray north-east  jump
//!
//!   squares  = square + step             one addition
//!   on board = squares & 0x88 == 0       one test: 64 bits, a lane each
//!   pieces   = board[squares]            one permute
//!   occupied = pieces != 0               one test: 64 bits, a lane each
//! ```
//!
//! From there on a line is eight bits of an ordinary 64-bit number. The nearest piece on each ray
//! is the lowest bit of its byte; subtracting one from every byte flips the bits up to it, so that
//! an exclusive or leaves what is seen:
//!
//! ```text
//!   occupied      1 0 1 0 0 1 0 0      bit 7 is always set here, so that no byte borrows
//!   minus one     1 0 1 0 0 0 1 1
//!   seen          0 0 0 0 0 1 1 1      two empty squares and the piece behind them
//! ```
//!
//! A piece is the set of lanes it may use, a pin is another, and its moves are the lanes that
//! remain.
//!
//! What a processor's registers can do is behind [`Register`]; the instructions themselves, and all
//! `unsafe`, are in [`avx512`] and [`avx2`].

use std::marker::PhantomData;

use super::super::generate::{PawnSteps, push_pawn_moves};
use super::super::square::OFF_BOARD;
use super::super::{Color, Move, MoveList, Piece, PieceType, Position, Square, SquareSet, Stage};
use super::{Attacks, Backend, JUMP_LANES, LANE_STEPS, PIECE_LANES, Scalar, see_ge};

#[cfg(avx2_backend)]
mod avx2;
#[cfg(avx512_backend)]
mod avx512;

/// The body of processors with AVX-512, its VBMI and VBMI2 among it.
#[cfg(avx512_backend)]
pub type Avx512 = Vector<avx512::Bytes>;

/// The body of processors with AVX2.
#[cfg(avx2_backend)]
pub type Avx2 = Vector<avx2::Bytes>;

/// 64 bytes in whatever registers a processor has, a lane each. Sets of lanes are 64 bits.
pub trait Register: Copy {
    const NAME: &'static str;

    /// The 128 bytes of a board, in a form from which 64 can be fetched at once. The bytes off the
    /// board may hold anything.
    type Board: Copy;

    fn load(bytes: &[u8; 64]) -> Self;

    /// The same byte in every lane.
    fn splat(byte: u8) -> Self;

    /// Lane by lane sums, modulo 256.
    fn plus(self, other: Self) -> Self;

    /// The low four bits of each lane.
    fn low_bits(self) -> Self;

    /// In each lane the byte of a table of 16 that the low four bits name, or 0 where the highest
    /// bit is set. The table stands in the register four times.
    fn translate(self, table: Self) -> Self;

    /// The lanes that share a bit with the other register's.
    fn meets(self, other: Self) -> u64;

    /// The lanes that hold another byte than the other register's.
    fn differs(self, other: Self) -> u64;

    /// The lanes that hold this byte.
    fn equals(self, byte: u8) -> u64;

    /// The highest bit of each lane.
    fn high_bits(self) -> u64;

    fn board(position: &Position) -> Self::Board;

    /// The bytes of the board at the coordinates in the lanes; anything for coordinates that are
    /// off it.
    fn fetch(self, board: &Self::Board) -> Self;

    /// The bytes of the 64 squares.
    fn squares(board: &Self::Board) -> Self;

    /// The board with another byte on a square.
    fn with(board: &Self::Board, square: Square, byte: u8) -> Self::Board;

    /// The board with the highest bit set on these squares, where it was not set before.
    fn mark(board: &Self::Board, squares: SquareSet) -> Self::Board;

    /// The squares of a set of lanes, all of them on the board.
    fn squares_of(from: Square, lanes: u64) -> SquareSet;

    /// Adds normal moves from a square to those of a set of lanes, at most 32, in their order.
    /// `self` are the coordinates of all lanes' squares.
    fn write_moves(self, from: Square, lanes: u64, list: &mut MoveList);

    /// Adds normal moves of at most 16 pawns that come to these squares by one step.
    fn write_pawn_moves(step: i8, destinations: SquareSet, list: &mut MoveList);

    /// The position after a move that only goes from one square to another.
    fn moved(position: &Position, mv: Move) -> Position;
}

/// The body that works with these registers.
pub struct Vector<R>(PhantomData<R>);

impl<R: Register> Backend for Vector<R> {
    const NAME: &'static str = R::NAME;

    #[inline(always)]
    fn generate(position: &Position, stage: Stage, list: &mut MoveList) {
        match position.side() {
            Color::White => Generator::<R, true>::new(position, stage).run(stage, list),
            Color::Black => Generator::<R, false>::new(position, stage).run(stage, list),
        }
    }

    #[inline(always)]
    fn moved(position: &Position, mv: Move) -> Position {
        if mv.is_normal() { R::moved(position, mv) } else { Scalar::moved(position, mv) }
    }

    #[inline(always)]
    fn occupied_by(position: &Position, color: Color) -> SquareSet {
        let squares = Board::<R>::of(position).squares();
        SquareSet::from_bits(squares.meets(R::splat(color.bit())))
    }

    #[inline(always)]
    fn differences(one: &Position, other: &Position) -> SquareSet {
        let [one, other] = [one, other].map(|position| Board::<R>::of(position).squares());
        SquareSet::from_bits(one.differs(other))
    }

    #[inline]
    fn checkers(position: &Position) -> SquareSet {
        let (us, king) = (position.side(), position.king(position.side()));
        R::squares_of(king, Board::<R>::of(position).look(king).king_lines(us).checkers)
    }

    #[inline]
    fn pinned(position: &Position, color: Color) -> SquareSet {
        let king = position.king(color);
        R::squares_of(king, Board::<R>::of(position).look(king).king_lines(color).pinned)
    }

    #[inline(always)]
    fn is_attacked(position: &Position, square: Square, by: Color) -> bool {
        Board::<R>::of(position).look(square).attackers(by) != 0
    }

    #[inline(always)]
    fn is_attacked_without_king(position: &Position, square: Square, by: Color) -> bool {
        Board::<R>::of(position).with(position.king(!by), 0).look(square).attackers(by) != 0
    }

    fn attacks(position: &Position, by: Color) -> Attacks {
        let board = Board::<R>::of(position);
        let squares = board.squares();
        let own = squares.meets(R::splat(by.bit()));
        let pawns = squares.equals(PieceType::Pawn.of(by).byte());
        let mut attacks = Attacks::default();
        attacks.add(PieceType::Pawn, pawn_attacks(by, pawns));
        for from in SquareSet::from_bits(own & !pawns) {
            if let Some(piece) = position.piece_at(from) {
                let lanes = PIECE_LANES[piece.row()] & board.look(from).reach();
                attacks.add(piece.kind(), R::squares_of(from, lanes));
            }
        }
        attacks
    }

    #[inline]
    fn sight(position: &Position, from: Square) -> SquareSet {
        R::squares_of(from, Board::<R>::of(position).look(from).reach())
    }

    /// Plays the move on a copy of the registers and looks from the enemy's king.
    #[inline]
    fn gives_check(position: &Position, mv: Move) -> bool {
        let us = position.side();
        let king = position.king(!us);
        if !mv.is_normal() {
            return Self::is_attacked(&Scalar::moved(position, mv), king, us);
        }
        let mover = position.byte_at(mv.from());
        let moved = Board::<R>::of(position).with(mv.from(), 0).with(mv.to(), mover);
        moved.look(king).attackers(us) != 0
    }

    #[inline]
    fn see_ge(position: &Position, mv: Move, threshold: i32) -> bool {
        see_ge(position, mv, threshold, || {
            let mut captures = Exchange::<R>::after(position, mv);
            move |side| captures.next_attacker(side)
        })
    }
}

/// The squares that pawns attack.
#[inline(always)]
fn pawn_attacks(color: Color, pawns: u64) -> SquareSet {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    let (west, east) = (pawns & !FILE_A, pawns & !(FILE_A << 7));
    SquareSet::from_bits(match color {
        Color::White => west << 7 | east << 9,
        Color::Black => west >> 9 | east >> 7,
    })
}

/// 64 constants, one for each lane of a register.
#[repr(C, align(64))]
struct Lanes([u8; 64]);

/// The step to each lane's square.
static STEPS: Lanes = Lanes({
    let mut steps = [0; 64];
    let mut lane = 0;
    while lane < 64 {
        steps[lane] = LANE_STEPS[lane] as u8;
        lane += 1;
    }
    steps
});

/// Ways to attack, a bit each.
const LIKE_PAWN: u8 = 1;
const LIKE_KNIGHT: u8 = 2;
const LIKE_KING: u8 = 4;
const LIKE_ROOK: u8 = 8;
const LIKE_BISHOP: u8 = 16;

/// The ways in which a piece attacks, by the low four bits of its byte, for each 16 bytes of a
/// register.
static WAYS: Lanes = Lanes({
    let mut ways = [0; 64];
    let mut i = 0;
    while i < 64 {
        ways[i] = match i & 0xF {
            1 => LIKE_PAWN,
            2 => LIKE_KNIGHT,
            3 => LIKE_KING,
            4 => LIKE_ROOK,
            8 => LIKE_BISHOP,
            12 => LIKE_ROOK | LIKE_BISHOP,
            _ => 0,
        };
        i += 1;
    }
    ways
});

/// The ways in which a piece of each side, standing in a lane, attacks the square it starts from.
static ATTACKED_IN: [Lanes; 2] = {
    let mut both = [Lanes([0; 64]), Lanes([0; 64])];
    let mut color = 0;
    while color < 2 {
        let mut lane = 0;
        while lane < 64 {
            let step = LANE_STEPS[lane];
            both[color].0[lane] = if lane % 8 == 7 {
                LIKE_KNIGHT
            } else {
                let near = lane % 8 == 0;
                let straight = step % 16 == 0 || (step > -8 && step < 8);
                // A white pawn attacks northwards, so it stands to the south.
                let pawn = near && !straight && (step < 0) == (color == 0);
                (if straight { LIKE_ROOK } else { LIKE_BISHOP })
                    | (if near { LIKE_KING } else { 0 })
                    | (if pawn { LIKE_PAWN } else { 0 })
            };
            lane += 1;
        }
        color += 1;
    }
    both
};

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

/// The bits of a byte of the board that belong to a piece.
const PIECE_BITS: u8 = 0x3F;

/// The pieces on the board, in registers.
#[derive(Clone, Copy)]
struct Board<R: Register>(R::Board);

impl<R: Register> Board<R> {
    #[inline(always)]
    fn of(position: &Position) -> Self {
        Board(R::board(position))
    }

    /// What the lanes of a square hold.
    #[inline(always)]
    fn look(&self, from: Square) -> View<R> {
        let squares = R::splat(from.coordinate()).plus(R::load(&STEPS.0));
        let on_board = !squares.meets(R::splat(OFF_BOARD));
        let pieces = squares.fetch(&self.0);
        let occupied = pieces.meets(R::splat(PIECE_BITS));
        View { squares, pieces, on_board, occupied }
    }

    #[inline(always)]
    fn with(&self, square: Square, byte: u8) -> Self {
        Board(R::with(&self.0, square, byte))
    }

    #[inline(always)]
    fn squares(&self) -> R {
        R::squares(&self.0)
    }
}

/// What the 64 lanes of a square hold.
///
/// A ray that leaves the board does not come back, so whatever its lanes beyond the edge show never
/// stands before a piece that is there. Hence only answers are held to the lanes on the board.
#[derive(Clone, Copy)]
struct View<R> {
    squares: R,
    pieces: R,
    on_board: u64,
    occupied: u64,
}

impl<R: Register> View<R> {
    /// The lanes whose squares are seen, if they are on the board: rays up to the nearest piece,
    /// and all jumps.
    #[inline(always)]
    fn seen(&self) -> u64 {
        up_to_nearest(self.occupied) | JUMP_LANES
    }

    /// The lanes of all squares that a queen or a knight would attack.
    #[inline(always)]
    fn reach(&self) -> u64 {
        self.seen() & self.on_board
    }

    /// The lanes that hold a piece of a side.
    #[inline(always)]
    fn of(&self, color: Color) -> u64 {
        self.pieces.meets(R::splat(color.bit())) & self.on_board
    }

    /// The lanes with pieces of a side that attack along them, whatever stands between.
    #[inline(always)]
    fn aiming(&self, by: Color) -> u64 {
        let ways = self.pieces.translate(R::load(&WAYS.0));
        ways.meets(R::load(&ATTACKED_IN[by.index()].0)) & self.of(by)
    }

    /// The lanes with pieces of a side that attack the square.
    #[inline(always)]
    fn attackers(&self, by: Color) -> u64 {
        self.aiming(by) & self.seen()
    }

    /// What a king on the square sees.
    #[inline(always)]
    fn king_lines(&self, us: Color) -> KingLines {
        let aiming = self.aiming(!us);
        let first = self.occupied & up_to_nearest(self.occupied) & RAY_LANES;
        let behind = self.occupied & !first;
        let pinners = behind & up_to_nearest(behind) & aiming & RAY_LANES;
        KingLines {
            checkers: aiming & self.seen(),
            pinned: first & self.of(us) & rays_with(pinners),
        }
    }
}

/// The first lanes of the rays, and all lanes of the rays.
const NEAR_LANES: u64 = JUMP_LANES >> 7;
const RAY_LANES: u64 = !JUMP_LANES;

/// On each ray, the lanes up to the nearest of these, or all.
#[inline(always)]
fn up_to_nearest(lanes: u64) -> u64 {
    let lanes = lanes | JUMP_LANES;
    lanes ^ (lanes - NEAR_LANES)
}

/// The whole rays on which any of these lanes lies.
#[inline(always)]
fn rays_with(lanes: u64) -> u64 {
    let any = (lanes + RAY_LANES) & JUMP_LANES;
    any - (any >> 7)
}

/// What a king sees, as lanes from its square.
struct KingLines {
    checkers: u64,
    pinned: u64,
}

/// The squares to which a stage lets pieces go: those whose byte shares a bit with `bits`, or, if
/// `flip` is all ones, those whose byte does not.
#[derive(Clone, Copy)]
struct Wanted {
    bits: u8,
    flip: u64,
}

impl Wanted {
    #[inline(always)]
    fn new(stage: Stage, us: Color) -> Wanted {
        match stage {
            Stage::Noisy => Wanted { bits: (!us).bit(), flip: 0 },
            Stage::Quiet => Wanted { bits: us.bit() | (!us).bit(), flip: !0 },
            Stage::All => Wanted { bits: us.bit(), flip: !0 },
        }
    }

    #[inline(always)]
    fn lanes<R: Register>(self, view: &View<R>) -> u64 {
        (view.pieces.meets(R::splat(self.bits)) ^ self.flip) & view.on_board
    }
}

/// One generation of moves. The side to move is settled when this is compiled, twice.
struct Generator<'a, R: Register, const WHITE: bool> {
    position: &'a Position,
    king: Square,
    board: Board<R>,
    from_king: View<R>,
    lines: KingLines,
    wanted: Wanted,
    own: u64,
    enemies: u64,
    /// Squares of own pieces other than pawns and king, and of own pawns.
    officers: u64,
    pawns: u64,
}

impl<'a, R: Register, const WHITE: bool> Generator<'a, R, WHITE> {
    const US: Color = if WHITE { Color::White } else { Color::Black };

    #[inline(always)]
    fn new(position: &'a Position, stage: Stage) -> Self {
        /// Pawns and kings have this bit, and no other piece.
        const PAWN_OR_KING: u8 = PieceType::Pawn.bits() & PieceType::King.bits();

        let king = position.king(Self::US);
        let board = Board::of(position);
        let from_king = board.look(king);
        let squares: R = board.squares();
        let own = squares.meets(R::splat(Self::US.bit()));
        Generator {
            position,
            king,
            board,
            from_king,
            lines: from_king.king_lines(Self::US),
            wanted: Wanted::new(stage, Self::US),
            own,
            enemies: squares.meets(R::splat((!Self::US).bit())),
            officers: own & !squares.meets(R::splat(PAWN_OR_KING)),
            pawns: squares.equals(PieceType::Pawn.of(Self::US).byte()),
        }
    }

    #[inline(always)]
    fn run(&self, stage: Stage, list: &mut MoveList) {
        let safe = self.king_steps(list);
        let (board, answers) = match self.lines.checkers.count_ones() {
            0 => (self.board, SquareSet::ALL),
            1 => {
                let answers = R::squares_of(self.king, self.answers());
                (Board(R::mark(&self.board.0, !answers)), answers)
            }
            _ => return,
        };
        if stage.quiet() && self.lines.checkers == 0 {
            self.castling(safe, list);
        }
        self.officer_moves(&board, list);
        self.pawn_moves(stage, answers, list);
        if stage.noisy() {
            self.position.generate_en_passant::<Vector<R>>(list);
        }
    }

    /// The lanes that answer the only check: the checker's and, on a ray, those before it.
    #[inline(always)]
    fn answers(&self) -> u64 {
        let checker = self.lines.checkers;
        let ray = rays_with(checker & RAY_LANES) & self.from_king.reach();
        checker | ray
    }

    /// Adds the king's steps and tells in which lanes it can go.
    #[inline(always)]
    fn king_steps(&self, list: &mut MoveList) -> u64 {
        let mut left = self.wanted.lanes(&self.from_king) & NEAR_LANES;
        let board = self.board.with(self.king, 0);
        let mut safe = 0;
        while left != 0 {
            let lane = left.trailing_zeros();
            left &= left - 1;
            let step = LANE_STEPS[lane as usize & 63];
            let to = Square::known(self.king.coordinate().wrapping_add_signed(step));
            safe |= ((board.look(to).attackers(!Self::US) == 0) as u64) << lane;
        }
        if safe != 0 {
            self.from_king.squares.write_moves(self.king, safe, list);
        }
        safe
    }

    #[inline(always)]
    fn castling(&self, safe: u64, list: &mut MoveList) {
        let occupied = SquareSet::from_bits(self.own | self.enemies);
        let is_pinned = |rook| self.pin(rook).is_some();
        // Beside the king all is known but the square of an own piece, the castling rook's.
        let is_safe = |square: Square| {
            let beside = square.file().abs_diff(self.king.file()) == 1;
            if beside && !occupied.contains(square) {
                safe >> super::lane(self.king, square) & 1 != 0
            } else {
                self.board.look(square).attackers(!Self::US) == 0
            }
        };
        self.position.generate_castling(Self::US, occupied, is_pinned, is_safe, list);
    }

    /// The moves of knights, bishops, rooks and queens alike: what differs is a set of lanes.
    /// Marked squares of the board are barred.
    #[inline(always)]
    fn officer_moves(&self, board: &Board<R>, list: &mut MoveList) {
        for from in SquareSet::from_bits(self.officers) {
            let view = board.look(from);
            let piece_lanes = PIECE_LANES[Piece::row_of(self.position.byte_at(from))];
            let lanes = view.seen()
                & self.wanted.lanes(&view)
                & !view.pieces.high_bits()
                & piece_lanes
                & self.free_lanes(from);
            view.squares.write_moves(from, lanes, list);
        }
    }

    /// The lane from the king to a piece, if a pin binds the piece to it.
    #[inline(always)]
    fn pin(&self, square: Square) -> Option<u8> {
        // Without a lane this is the number of a jump, in which nothing is pinned.
        let lane = super::lane(self.king, square) & 63;
        (self.lines.pinned >> lane & 1 != 0).then_some(lane)
    }

    /// The lanes that a pin leaves to a piece.
    #[inline(always)]
    fn free_lanes(&self, from: Square) -> u64 {
        if self.lines.pinned == 0 {
            return !0;
        }
        self.pin(from).map_or(!0, |lane| PIN_LANES[lane as usize >> 3])
    }

    #[inline(always)]
    fn pawn_moves(&self, stage: Stage, answers: SquareSet, list: &mut MoveList) {
        let pawns = SquareSet::from_bits(self.pawns);
        let mut free = [pawns; 3];
        if self.lines.pinned != 0 {
            // The rays of a pawn's steps west, east and ahead.
            let rays = if WHITE { [5, 7, 6] } else { [0, 2, 1] };
            free = rays.map(|ray: usize| {
                pawns & !R::squares_of(self.king, self.lines.pinned & !PIN_LANES[ray])
            });
        }
        let empty = SquareSet::from_bits(!(self.own | self.enemies));
        let enemies = SquareSet::from_bits(self.enemies);
        let steps = PawnSteps::new(Self::US, stage, free, empty, enemies, answers);
        push_pawn_moves(steps, list, R::write_pawn_moves);
    }
}

/// A series of captures on one square, as lanes from that square.
struct Exchange<R> {
    /// The lanes of pieces that have not yet taken part.
    occupied: u64,
    /// The lanes from which each side attacks once nothing stands between.
    aiming: [u64; 2],
    /// The kind in each lane.
    kinds: R,
}

impl<R: Register> Exchange<R> {
    /// The captures that can follow on a move.
    #[inline(always)]
    fn after(position: &Position, mv: Move) -> Self {
        let target = mv.to();
        let mut board = Board::<R>::of(position).with(mv.from(), 0);
        if mv.is_en_passant()
            && let Some(passed) = target.step(-position.side().forward())
        {
            board = board.with(passed, 0);
        }
        let view = board.look(target);
        Exchange {
            occupied: view.occupied,
            aiming: Color::BOTH.map(|color| view.aiming(color)),
            kinds: view.pieces.low_bits(),
        }
    }

    /// Takes the least valuable attacker of a side out of the series; of several of a kind, the
    /// one in the first lane.
    #[inline(always)]
    fn next_attacker(&mut self, color: Color) -> Option<PieceType> {
        let seen = up_to_nearest(self.occupied) | JUMP_LANES;
        let attackers = self.aiming[color.index()] & self.occupied & seen;
        if attackers == 0 {
            return None;
        }
        for kind in PieceType::ALL {
            let lanes = attackers & self.kinds.equals(kind.bits());
            if lanes != 0 {
                self.occupied &= !(lanes & lanes.wrapping_neg());
                return Some(kind);
            }
        }
        None
    }
}
