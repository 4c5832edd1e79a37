//! The body for processors with AVX-512: all that a square sees at once.
//!
//! The board is two registers of 64 bytes, and one instruction can fetch any 64 of those 128 bytes
//! into a third. So from any square the bytes of its 64 lanes (see [`super`]) come in four steps:
//!
//! ```text
//!   lane      0   1   2  …  6    7     8   9   10 …  14   15   …  56  57  …  62   63
//!   step     -17 -34 -51 … -119 -33   -16 -32 -48 … -112 -31   …  17  34  …  119  33
//!            └ ray south-west ┘ jump  └─── ray south ──┘ jump      ray north-east  jump
//!
//!   squares  = square + step             one addition
//!   on board = squares & 0x88 == 0       one test: 64 bits, a lane each
//!   pieces   = board[squares]            one permute of both registers
//!   occupied = pieces != 0, on board     one test: 64 bits, a lane each
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
//! remain, which one instruction squeezes together and another writes out.
//!
//! The instructions themselves, and all `unsafe`, are in [`register`].

mod register;

use register::{Register, deposit_bits, extract_bits};

use super::super::generate::{PawnSteps, push_pawn_moves};
use super::super::position::words;
use super::super::square::OFF_BOARD;
use super::super::zobrist;
use super::super::{Color, Kind, Move, MoveList, Piece, Position, Square, Squares, Stage};
use super::{
    Attacks, Body, JUMP_LANES, LANE_STEPS, LANES, NEAR_LANES, NO_LANE, PIECE_LANES, RAY_LANES,
    Scalar, exchange_reaches,
};

pub struct Avx512;

impl Body for Avx512 {
    const NAME: &'static str = "avx512";

    #[inline(always)]
    fn generate(position: &Position, stage: Stage, list: &mut MoveList) {
        match position.side() {
            Color::White => Generator::<true>::new(position, stage).run(stage, list),
            Color::Black => Generator::<false>::new(position, stage).run(stage, list),
        }
    }

    #[inline]
    fn moved(position: &Position, mv: Move) -> Position {
        if mv.is_normal() { moved(position, mv) } else { Scalar::moved(position, mv) }
    }

    #[inline]
    fn checkers(position: &Position) -> Squares {
        let (us, king) = (position.side(), position.king(position.side()));
        squares_of(king, Board::of(position).look(king).king_lines(us).checkers)
    }

    #[inline]
    fn pinned(position: &Position, color: Color) -> Squares {
        let king = position.king(color);
        squares_of(king, Board::of(position).look(king).king_lines(color).pinned)
    }

    #[inline(always)]
    fn is_attacked(position: &Position, square: Square, by: Color) -> bool {
        Board::of(position).look(square).attackers(by) != 0
    }

    #[inline(always)]
    fn is_attacked_without_king(position: &Position, square: Square, by: Color) -> bool {
        Board::of(position).without(position.king(!by)).look(square).attackers(by) != 0
    }

    fn attacks(position: &Position, by: Color) -> Attacks {
        let board = Board::of(position);
        let mut attacks = Attacks::default();
        let dense = board.dense();
        let pawns = dense.equals(Kind::Pawn.of(by).byte());
        let shift = |file: u64, step: u32| Squares::from_bits((pawns & !file).rotate_left(step));
        let (west, east) = match by {
            Color::White => (7, 9),
            Color::Black => (64 - 9, 64 - 7),
        };
        attacks.add(Kind::Pawn, shift(FILE_A, west) | shift(FILE_A << 7, east));
        for from in Squares::from_bits(dense.meets(Register::splat(by.bit())) & !pawns) {
            let piece = position.byte_at(from);
            let lanes = PIECE_LANES[row(piece)] & board.look(from).reach();
            if let Some(piece) = Piece::from_byte(piece) {
                attacks.add(piece.kind(), squares_of(from, lanes));
            }
        }
        attacks
    }

    /// Plays the move on copies of the registers and looks from the enemy's king.
    #[inline]
    fn gives_check(position: &Position, mv: Move) -> bool {
        let us = position.side();
        let king = position.king(!us);
        if !mv.is_normal() {
            return Avx512::is_attacked(&Scalar::moved(position, mv), king, us);
        }
        let moved = Board::of(position).with_move(mv, position.byte_at(mv.from()));
        moved.look(king).attackers(us) != 0
    }

    #[inline]
    fn exchange_reaches(position: &Position, mv: Move, threshold: i32) -> bool {
        let mut captures = Exchange::after(position, mv);
        exchange_reaches(position, mv, threshold, |side| captures.next_attacker(side))
    }
}

const FILE_A: u64 = 0x0101_0101_0101_0101;

/// The places of half a board, 64 bytes, that are on the board.
const ON_BOARD: u64 = 0x00FF_00FF_00FF_00FF;

/// The bits of a byte of the board that belong to a piece.
const PIECE_BITS: u8 = 0x3F;

/// A bit no piece has. It marks squares to which pieces may go.
const TARGET: u8 = 0x80;

/// 64 constants, one for each lane of a register.
#[repr(C, align(64))]
struct Lanes([u8; 64]);

/// The step to each lane's square, in 0x88 coordinates.
static STEPS: Lanes = Lanes({
    let mut steps = [0; 64];
    let mut lane = 0;
    while lane < 64 {
        steps[lane] = LANE_STEPS[lane] as u8;
        lane += 1;
    }
    steps
});

/// The 0x88 coordinates of the 64 squares.
static COORDINATES: Lanes = Lanes({
    let mut coordinates = [0; 64];
    let mut i = 0;
    while i < 64 {
        coordinates[i] = Square::from_dense(i as u8).coordinate();
        i += 1;
    }
    coordinates
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

/// For each lane, the lanes of its ray and of the opposite one: where a piece pinned in that
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

#[inline(always)]
fn row(byte: u8) -> usize {
    byte as usize & 0x1F
}

/// The 128 bytes of a position as two registers.
#[inline(always)]
fn registers(position: &Position) -> [Register; 2] {
    let (halves, _) = position.bytes().as_chunks::<64>();
    [Register::load(&halves[0]), Register::load(&halves[1])]
}

/// The lanes from a square to all 128 places of the board. The differences of coordinates along
/// the board are consecutive, and so are their places in the table.
#[inline(always)]
fn lanes_to_places(from: Square) -> [Register; 2] {
    let first = 0x77 - from.index();
    let half = |start: usize| LANES[start..].first_chunk().expect("the table is padded");
    [Register::load(half(first)), Register::load(half(first + 64))]
}

/// The squares of a set of lanes.
#[inline(always)]
fn squares_of(from: Square, lanes: u64) -> Squares {
    /// What tells [`NO_LANE`] from lanes.
    const NONE: u8 = NO_LANE & !63;
    let [low, high] = lanes_to_places(from).map(|lane| {
        let places = lane.choose_bits(lanes) & lane.misses(Register::splat(NONE));
        extract_bits(places, ON_BOARD)
    });
    Squares::from_bits(low | high << 32)
}

/// The pieces on the board in two registers; what is off the board is empty.
#[derive(Clone, Copy)]
struct Board([Register; 2]);

impl Board {
    #[inline(always)]
    fn of(position: &Position) -> Board {
        Board(registers(position).map(|half| half.only(ON_BOARD)))
    }

    /// What the lanes of a square hold.
    #[inline(always)]
    fn look(&self, from: Square) -> View {
        let squares = Register::splat(from.coordinate()).plus(Register::load(&STEPS.0));
        let on_board = squares.misses(Register::splat(OFF_BOARD));
        // A lane that has left the board to the north or south shows some real square, because
        // bit 7 is not looked at: only `on_board` tells.
        let pieces = squares.fetch(self.0);
        let occupied = pieces.meets(Register::splat(PIECE_BITS));
        View { squares, pieces, on_board, occupied }
    }

    /// The board with a byte in the places of two masks.
    #[inline(always)]
    fn with(&self, places: [u64; 2], byte: u8) -> Board {
        Board([self.0[0].with(places[0], byte), self.0[1].with(places[1], byte)])
    }

    #[inline(always)]
    fn without(&self, square: Square) -> Board {
        self.with(place(square), 0)
    }

    #[inline(always)]
    fn with_move(&self, mv: Move, mover: u8) -> Board {
        self.without(mv.from()).with(place(mv.to()), mover)
    }

    /// The board with squares marked to which pieces may go.
    #[inline(always)]
    fn with_targets(&self, targets: Squares) -> Board {
        let low = deposit_bits(targets.bits() & 0xFFFF_FFFF, ON_BOARD);
        let high = deposit_bits(targets.bits() >> 32, ON_BOARD);
        Board([self.0[0].mark(low, TARGET), self.0[1].mark(high, TARGET)])
    }

    /// The bytes of the 64 squares in one register.
    #[inline(always)]
    fn dense(&self) -> Register {
        Register::load(&COORDINATES.0).fetch(self.0)
    }
}

/// A square as a mask of the places in each half of the board.
#[inline(always)]
fn place(square: Square) -> [u64; 2] {
    let bit = 1 << (square.coordinate() & 63);
    if square.coordinate() < 64 { [bit, 0] } else { [0, bit] }
}

/// What the 64 lanes of a square hold.
///
/// A ray that leaves the board does not come back, so what its lanes beyond the edge show never
/// stands before a piece that is there. Hence only answers are held to the lanes on the board.
#[derive(Clone, Copy)]
struct View {
    squares: Register,
    pieces: Register,
    on_board: u64,
    occupied: u64,
}

impl View {
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
        self.pieces.meets(Register::splat(color.bit())) & self.on_board
    }

    /// The lanes with pieces of a side that attack along them, whatever stands between.
    #[inline(always)]
    fn aiming(&self, by: Color) -> u64 {
        let ways = self.pieces.translate(Register::load(&WAYS.0));
        ways.meets(Register::load(&ATTACKED_IN[by.index()].0)) & self.of(by)
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

    /// The lanes whose squares are marked by [`Board::with_targets`].
    #[inline(always)]
    fn targets(&self) -> u64 {
        self.pieces.high_bits() & self.on_board
    }
}

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

/// One generation of moves. The side to move is settled when this is compiled, twice.
struct Generator<'a, const WHITE: bool> {
    position: &'a Position,
    king: Square,
    board: Board,
    from_king: View,
    lines: KingLines,
    own: u64,
    enemies: u64,
    /// Squares of own pieces other than pawns and king, and of own pawns.
    officers: u64,
    pawns: u64,
    /// Where the stage lets pieces go.
    wanted: Squares,
}

impl<'a, const WHITE: bool> Generator<'a, WHITE> {
    const US: Color = if WHITE { Color::White } else { Color::Black };

    #[inline(always)]
    fn new(position: &'a Position, stage: Stage) -> Self {
        /// Pawns and kings have this bit, and no other piece.
        const PAWN_OR_KING: u8 = Kind::Pawn.bits() & Kind::King.bits();

        let us = Self::US;
        let king = position.king(us);
        let board = Board::of(position);
        let from_king = board.look(king);
        let dense = board.dense();
        let own = dense.meets(Register::splat(us.bit()));
        let enemies = dense.meets(Register::splat((!us).bit()));
        let wanted = match stage {
            Stage::Noisy => enemies,
            Stage::Quiet => !(own | enemies),
            Stage::All => !own,
        };
        Generator {
            position,
            king,
            board,
            from_king,
            lines: from_king.king_lines(us),
            own,
            enemies,
            officers: own & dense.misses(Register::splat(PAWN_OR_KING)),
            pawns: dense.equals(Kind::Pawn.of(us).byte()),
            wanted: Squares::from_bits(wanted),
        }
    }

    #[inline(always)]
    fn run(&self, stage: Stage, list: &mut MoveList) {
        let safe = self.king_steps(stage, list);
        let checkers = self.lines.checkers;
        let answers = if checkers == 0 {
            if stage.quiet() {
                let occupied = Squares::from_bits(self.own | self.enemies);
                let is_pinned = |rook| self.pin(rook).is_some();
                // Beside the king all is known but the square of an own piece, the castling rook's.
                let is_safe = |square: Square| {
                    let beside = square.file().abs_diff(self.king.file()) == 1;
                    if beside && self.wanted.contains(square) {
                        safe >> super::lane(self.king, square) & 1 != 0
                    } else {
                        self.board.look(square).attackers(!Self::US) == 0
                    }
                };
                self.position.generate_castling(occupied, is_pinned, is_safe, list);
            }
            Squares::ALL
        } else if checkers & (checkers - 1) == 0 {
            squares_of(self.king, self.answers())
        } else {
            return;
        };
        self.officer_moves(self.wanted & answers, list);
        self.pawn_moves(stage, answers, list);
        if stage.noisy() {
            self.position.generate_en_passant::<Avx512>(list);
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
    fn king_steps(&self, stage: Stage, list: &mut MoveList) -> u64 {
        let View { on_board, occupied, .. } = self.from_king;
        let own = self.from_king.of(Self::US);
        let wanted = match stage {
            Stage::Noisy => occupied & !own,
            Stage::Quiet => !occupied,
            Stage::All => !own,
        };
        let mut left = wanted & on_board & NEAR_LANES;
        let board = self.board.without(self.king);
        let mut safe = 0;
        while left != 0 {
            let lane = left.trailing_zeros();
            left &= left - 1;
            let step = LANE_STEPS[lane as usize & 63];
            let to = Square::known(self.king.coordinate().wrapping_add_signed(step));
            safe |= ((board.look(to).attackers(!Self::US) == 0) as u64) << lane;
        }
        if safe != 0 {
            write_moves(self.king.dense(), self.from_king.squares, safe, list);
        }
        safe
    }

    /// The moves of knights, bishops, rooks and queens alike: what differs is a set of lanes.
    #[inline(always)]
    fn officer_moves(&self, targets: Squares, list: &mut MoveList) {
        let board = self.board.with_targets(targets);
        let mut left = self.officers;
        while left != 0 {
            let origin = left.trailing_zeros() as u8;
            left &= left - 1;
            let from = Square::from_dense(origin);
            let view = board.look(from);
            let piece_lanes = PIECE_LANES[row(self.position.byte_at(from))];
            let lanes = view.seen() & view.targets() & piece_lanes & self.free_lanes(from);
            write_moves(origin, view.squares, lanes, list);
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
    fn pawn_moves(&self, stage: Stage, answers: Squares, list: &mut MoveList) {
        let pawns = Squares::from_bits(self.pawns);
        let mut free = [pawns; 3];
        if self.lines.pinned != 0 {
            // The rays of a pawn's steps west, east and ahead: for Black the same lines, mirrored.
            let rays = if Self::US == Color::White { [5, 7, 6] } else { [0, 2, 1] };
            free = rays.map(|ray: usize| {
                pawns & !squares_of(self.king, self.lines.pinned & !PIN_LANES[ray])
            });
        }
        let empty = Squares::from_bits(!(self.own | self.enemies));
        let enemies = Squares::from_bits(self.enemies);
        let steps = PawnSteps::new(Self::US, stage, free, empty, enemies, answers);
        push_pawn_moves(steps, list, write_pawn_moves);
    }
}

/// Adds a normal move from a square to that of each of these lanes, in the order of the lanes.
#[inline(always)]
fn write_moves(origin: u8, squares: Register, lanes: u64, list: &mut MoveList) {
    let squares = squares.squeeze(lanes);
    let count = lanes.count_ones();
    if count <= 16 {
        squares.first_squares().reached_from(origin).append(count, list);
    } else {
        // No piece has more than 27 moves.
        squares.first_squares().reached_from(origin).append(16, list);
        squares.second_squares().reached_from(origin).append(count - 16, list);
    }
}

/// Adds the normal moves of pawns that come to these squares by one step.
#[inline(always)]
fn write_pawn_moves(step: i8, destinations: Squares, list: &mut MoveList) {
    let squares = Register::load(&COORDINATES.0).squeeze(destinations.bits()).first_squares();
    let origins = squares.minus(step as i16);
    squares.reached_from_each(origins).append(destinations.len(), list);
}

/// The position after a move that only goes from one square to another.
#[inline(always)]
fn moved(position: &Position, mv: Move) -> Position {
    let (from, to) = (mv.from(), mv.to());
    let (mover, captured) = (position.byte_at(from), position.byte_at(to));
    let turn = position.turn_after(mv, mover, captured != 0);

    let Board([mut low, mut high]) = Board(registers(position)).with_move(mv, mover);
    let number = |byte: u8, square: Square| zobrist::PIECES[row(byte)][square.index()];
    low = low
        .xor_in(words::KEYS_OF[row(mover)], number(mover, from) ^ number(mover, to))
        .xor_in(words::KEYS_OF[row(captured)], number(captured, to))
        .xor_in(1 << words::KEY, turn.key);
    high = high
        .with_number(words::STATE - 8, turn.state.bits())
        .with_number(words::COUNTERS - 8, turn.counters);
    Position::from_bytes(Register::bytes([low, high]))
}

/// A series of captures on one square, as lanes from that square.
struct Exchange {
    /// The lanes of pieces that have not yet taken part.
    occupied: u64,
    /// The lanes from which each side attacks once nothing stands between.
    aiming: [u64; 2],
    /// The kind in each lane.
    kinds: Register,
}

impl Exchange {
    /// The captures that can follow on a move.
    #[inline(always)]
    fn after(position: &Position, mv: Move) -> Exchange {
        let target = mv.to();
        let mut board = Board::of(position).without(mv.from());
        if mv.is_en_passant()
            && let Some(passed) = target.step(-position.side().forward())
        {
            board = board.without(passed);
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
    fn next_attacker(&mut self, color: Color) -> Option<Kind> {
        let seen = up_to_nearest(self.occupied) | JUMP_LANES;
        let attackers = self.aiming[color.index()] & self.occupied & seen;
        if attackers == 0 {
            return None;
        }
        for kind in Kind::ALL {
            let lanes = attackers & self.kinds.equals(kind.bits());
            if lanes != 0 {
                self.occupied &= !(lanes & lanes.wrapping_neg());
                return Some(kind);
            }
        }
        None
    }
}
