//! The body for every processor: 0x88 arithmetic, one square at a time.
//!
//! It is also the judge: the tests hold every other body to its answers.

use super::super::generate::{PawnSteps, push_pawn_moves};
use super::super::position::castled;
use super::super::square::{EAST, JUMPS, RAYS, WEST};
use super::super::{
    Color, Move, MoveKind, MoveList, Piece, PieceType, Position, Square, SquareSet, Stage,
};
use super::{Attacks, Backend, piece_lanes, reaches, reaches_by_byte, see_ge, step_between};

pub struct Scalar;

impl Backend for Scalar {
    const NAME: &'static str = "scalar";

    fn generate(position: &Position, stage: Stage, list: &mut MoveList) {
        Generator::new(position, stage).run(stage, list);
    }

    fn moved(position: &Position, mv: Move) -> Position {
        let (from, to) = (mv.from(), mv.to());
        let mut next = *position;
        let mover = next.take(from).expect("a legal move has a piece to move");
        let captured = match mv.kind() {
            Some(MoveKind::Castling) => {
                let rook = next.take(to).expect("castling has its rook");
                let (king_to, rook_to) = castled(from, to);
                next.put(mover, king_to);
                next.put(rook, rook_to);
                None
            }
            Some(MoveKind::EnPassant) => {
                next.put(mover, to);
                to.step(-mover.color().forward()).and_then(|square| next.take(square))
            }
            kind => {
                let captured = next.take(to);
                let becomes = match kind {
                    Some(MoveKind::Promotion(kind)) => kind.of(mover.color()),
                    _ => mover,
                };
                next.put(becomes, to);
                captured
            }
        };
        next.take_turn(position.turn_after(mv, mover.byte(), captured.is_some()));
        next
    }

    #[inline(always)]
    fn occupied_by(position: &Position, color: Color) -> SquareSet {
        occupied_by(position, color)
    }

    fn differences(one: &Position, other: &Position) -> SquareSet {
        differences(one, other)
    }

    fn checkers(position: &Position) -> SquareSet {
        let us = position.side();
        KingLines::of(position, us, occupied_by(position, !us)).checkers
    }

    fn pinned(position: &Position, color: Color) -> SquareSet {
        KingLines::of(position, color, occupied_by(position, !color)).pinned
    }

    fn is_attacked(position: &Position, square: Square, by: Color) -> bool {
        pieces_of(position, by).any(|(from, piece)| position.sees(piece, from, square))
    }

    fn is_attacked_without_king(position: &Position, square: Square, by: Color) -> bool {
        let king = position.king(!by);
        pieces_of(position, by).any(|(from, piece)| {
            reaches(piece, from, square) && is_clear_past(position, from, square, king)
        })
    }

    fn attacks(position: &Position, by: Color) -> Attacks {
        let mut attacks = Attacks::default();
        for (from, piece) in pieces_of(position, by) {
            attacks.add(piece.kind(), attacked_from(position, from, piece));
        }
        attacks
    }

    fn sight(position: &Position, from: Square) -> SquareSet {
        let [lines, jumps] = [PieceType::Queen, PieceType::Knight]
            .map(|kind| attacked_from(position, from, kind.of(Color::White)));
        lines | jumps
    }

    fn gives_check(position: &Position, mv: Move) -> bool {
        let us = position.side();
        let king = position.king(!us);
        let next = Scalar::moved(position, mv);
        let arrived = if mv.is_castling() { castled(mv.from(), mv.to()).1 } else { mv.to() };
        let gives = |square: Square| {
            next.piece_at(square).is_some_and(|piece| next.sees(piece, square, king))
        };
        // A check comes from the piece that arrives or along a line that was left.
        let passed = mv.is_en_passant().then(|| mv.to().step(-us.forward())).flatten();
        gives(arrived)
            || [Some(mv.from()), passed].into_iter().flatten().any(|left| {
                step_between(king, left).is_some_and(|step| {
                    king.ray(step).find(|&square| !next.is_empty(square)).is_some_and(|square| {
                        next.piece_at(square).is_some_and(|p| p.color() == us) && gives(square)
                    })
                })
            })
    }

    fn see_ge(position: &Position, mv: Move, threshold: i32) -> bool {
        see_ge(position, mv, threshold, || {
            let mut captures = Exchange::after(position, mv);
            move |side| captures.next_attacker(position, side)
        })
    }
}

/// The pieces of one side, from a1 to h8: eight squares of a rank are looked at in one word.
#[inline(always)]
fn pieces_of(position: &Position, color: Color) -> impl Iterator<Item = (Square, Piece)> + '_ {
    occupied_by(position, color).into_iter().filter_map(|s| Some((s, position.piece_at(s)?)))
}

#[inline(always)]
fn occupied_by(position: &Position, color: Color) -> SquareSet {
    let shift = color.bit().trailing_zeros();
    let bits = ranks(position)
        .enumerate()
        .fold(0, |bits, (rank, squares)| bits | gathered(squares >> shift) << (8 * rank));
    SquareSet::from_bits(bits)
}

/// A piece's byte has seven bits at most, so that adding the largest of these carries into the
/// eighth unless it is zero.
#[inline(always)]
fn differences(one: &Position, other: &Position) -> SquareSet {
    const LARGEST: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let pairs = ranks(one).zip(ranks(other)).enumerate();
    let bits = pairs.fold(0, |bits, (rank, (one, other))| {
        bits | gathered(((one ^ other) + LARGEST) >> 7) << (8 * rank)
    });
    SquareSet::from_bits(bits)
}

/// The eight bytes on the board of each rank.
#[inline(always)]
fn ranks(position: &Position) -> impl Iterator<Item = u64> {
    let (ranks, _) = position.bytes().as_chunks::<16>();
    ranks
        .iter()
        .map(|row| u64::from_le_bytes(*row.first_chunk().expect("a rank has eight squares")))
}

/// The lowest bits of eight bytes, in one.
#[inline(always)]
fn gathered(bytes: u64) -> u64 {
    /// Multiplied by this, the lowest bits of eight bytes come together in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    const LOWEST_BITS: u64 = 0x0101_0101_0101_0101;
    (bytes & LOWEST_BITS).wrapping_mul(GATHER) >> 56
}

/// Whether nothing stands between two squares of a line, one square looked through as if empty.
#[inline(always)]
fn is_clear_past(position: &Position, from: Square, to: Square, through: Square) -> bool {
    step_between(from, to).is_none_or(|step| {
        from.ray(step)
            .take_while(|&square| square != to)
            .all(|square| square == through || position.is_empty(square))
    })
}

/// Calls `line` with each step of an attacking piece and the number of times it may be repeated.
#[inline(always)]
fn for_each_line(piece: Piece, mut line: impl FnMut(i8, usize)) {
    let lanes = piece_lanes(piece);
    for direction in 0..8 {
        match (lanes >> (8 * direction)) as u8 {
            0 => {}
            0x80 => line(JUMPS[direction], 1),
            ray => line(RAYS[direction], ray.count_ones() as usize),
        }
    }
}

/// The squares that a piece would attack from a square.
fn attacked_from(position: &Position, from: Square, piece: Piece) -> SquareSet {
    let mut squares = SquareSet::NONE;
    for_each_line(piece, |step, far| {
        for to in from.ray(step).take(far) {
            squares.insert(to);
            if !position.is_empty(to) {
                break;
            }
        }
    });
    squares
}

/// What one side's king sees along its lines.
struct KingLines {
    checkers: SquareSet,
    pinned: SquareSet,
}

impl KingLines {
    #[inline(always)]
    fn of(position: &Position, color: Color, enemies: SquareSet) -> KingLines {
        let king = position.king(color);
        let mut lines = KingLines { checkers: SquareSet::NONE, pinned: SquareSet::NONE };
        for from in enemies {
            if reaches_by_byte(position.byte_at(from), from, king) {
                lines.look_at(position, color, king, from);
            }
        }
        lines
    }

    /// Looks from the king at an enemy whose kind reaches it.
    fn look_at(&mut self, position: &Position, color: Color, king: Square, from: Square) {
        let mut between = step_between(king, from)
            .into_iter()
            .flat_map(|step| king.ray(step))
            .take_while(|&square| square != from)
            .filter(|&square| !position.is_empty(square));
        match (between.next(), between.next()) {
            (None, _) => self.checkers.insert(from),
            (Some(only), None) if position.byte_at(only) & color.bit() != 0 => {
                self.pinned.insert(only)
            }
            _ => {}
        }
    }
}

/// The squares to which a piece other than the king must go to answer a check: the checker's, or
/// one between it and the king.
fn answers(king: Square, checker: Square) -> SquareSet {
    let between = step_between(king, checker)
        .into_iter()
        .flat_map(|step| king.ray(step))
        .take_while(|&square| square != checker);
    between.collect::<SquareSet>() | SquareSet::one(checker)
}

/// One generation of moves.
struct Generator<'a> {
    position: &'a Position,
    us: Color,
    king: Square,
    lines: KingLines,
    own: SquareSet,
    enemies: SquareSet,
    /// Where the stage lets pieces go.
    wanted: SquareSet,
    /// Where a check lets pieces other than the king go.
    answers: SquareSet,
    /// Both.
    targets: SquareSet,
}

impl<'a> Generator<'a> {
    #[inline(always)]
    fn new(position: &'a Position, stage: Stage) -> Generator<'a> {
        let us = position.side();
        let king = position.king(us);
        let (own, enemies) = (occupied_by(position, us), occupied_by(position, !us));
        let lines = KingLines::of(position, us, enemies);
        let wanted = match stage {
            Stage::Noisy => enemies,
            Stage::Quiet => !(own | enemies),
            Stage::All => !own,
        };
        let answers = match lines.checkers.into_iter().next() {
            Some(checker) => answers(king, checker),
            None => SquareSet::ALL,
        };
        let targets = wanted & answers;
        Generator { position, us, king, lines, own, enemies, wanted, answers, targets }
    }

    #[inline(always)]
    fn run(&self, stage: Stage, list: &mut MoveList) {
        self.king_steps(list);
        if self.lines.checkers.has_several() {
            return;
        }
        if stage.quiet() && self.lines.checkers.is_empty() {
            let is_pinned = |rook| self.lines.pinned.contains(rook);
            let is_safe = |square| !Scalar::is_attacked(self.position, square, !self.us);
            self.position.generate_castling(
                self.us,
                self.own | self.enemies,
                is_pinned,
                is_safe,
                list,
            );
        }
        let mut pawns = SquareSet::NONE;
        for from in self.own {
            match self.position.byte_at(from) & 0xF {
                1 => pawns.insert(from),
                2 => self.jumps(from, list),
                4 => self.slides(from, [RAYS[1], RAYS[3], RAYS[4], RAYS[6]], list),
                8 => self.slides(from, [RAYS[0], RAYS[2], RAYS[5], RAYS[7]], list),
                12 => self.slides(from, RAYS, list),
                _ => {}
            }
        }
        self.pawn_moves(stage, pawns, list);
        if stage.noisy() {
            self.position.generate_en_passant::<Scalar>(list);
        }
    }

    fn king_steps(&self, list: &mut MoveList) {
        for to in RAYS.iter().filter_map(|&step| self.king.step(step)) {
            if self.wanted.contains(to)
                && !self.enemies.into_iter().any(|from| self.enemy_guards(from, to))
            {
                list.push(Move::normal(self.king, to));
            }
        }
    }

    /// Whether an enemy attacks a square next to the king, or will once the king has left.
    #[inline(always)]
    fn enemy_guards(&self, from: Square, to: Square) -> bool {
        let byte = self.position.byte_at(from);
        reaches_by_byte(byte, from, to) && is_clear_past(self.position, from, to, self.king)
    }

    #[inline(always)]
    fn jumps(&self, from: Square, list: &mut MoveList) {
        if self.lines.pinned.contains(from) {
            return;
        }
        for to in JUMPS.iter().filter_map(|&jump| from.step(jump)) {
            if self.targets.contains(to) {
                list.push(Move::normal(from, to));
            }
        }
    }

    #[inline(always)]
    fn slides<const N: usize>(&self, from: Square, steps: [i8; N], list: &mut MoveList) {
        let pin = match self.lines.pinned.contains(from) {
            true => step_between(self.king, from),
            false => None,
        };
        for step in steps {
            if pin.is_some_and(|pin| pin != step && pin != -step) {
                continue;
            }
            let mut at = from;
            while let Some(to) = at.step(step) {
                if self.targets.contains(to) {
                    list.push(Move::normal(from, to));
                }
                if !self.position.is_empty(to) {
                    break;
                }
                at = to;
            }
        }
    }

    #[inline(always)]
    fn pawn_moves(&self, stage: Stage, pawns: SquareSet, list: &mut MoveList) {
        let forward = self.us.forward();
        let mut free = [pawns; 3];
        for from in pawns & self.lines.pinned {
            let pin = step_between(self.king, from);
            for (free, step) in free.iter_mut().zip([forward + WEST, forward + EAST, forward]) {
                if pin.is_some_and(|pin| pin != step && pin != -step) {
                    *free = *free & !SquareSet::one(from);
                }
            }
        }
        let empty = !(self.own | self.enemies);
        let steps = PawnSteps::new(self.us, stage, free, empty, self.enemies, self.answers);
        push_pawn_moves(steps, list, |step, destinations, list| {
            for to in destinations {
                let from = Square::from_dense(to.dense().wrapping_add_signed(-step));
                list.push(Move::normal(from, to));
            }
        });
    }
}

/// A series of captures on one square, seen from that square.
struct Exchange {
    /// The nearest piece along each ray that has not yet taken part.
    front: [Option<Square>; 8],
    /// The knights that have not yet taken part, by their jump.
    knights: [Option<Square>; 8],
    target: Square,
}

impl Exchange {
    /// The captures that can follow on a move.
    fn after(position: &Position, mv: Move) -> Exchange {
        let target = mv.to();
        let gone = [
            Some(mv.from()),
            mv.is_en_passant().then(|| target.step(-position.side().forward())).flatten(),
        ];
        let stands = |square: Square| !position.is_empty(square) && !gone.contains(&Some(square));
        Exchange {
            front: RAYS.map(|step| target.ray(step).find(|&square| stands(square))),
            knights: JUMPS.map(|jump| {
                target.step(jump).filter(|&square| {
                    stands(square) && position.byte_at(square) & 0xF == PieceType::Knight.bits()
                })
            }),
            target,
        }
    }

    /// Takes the least valuable attacker of a side out of the series; of several of a kind, the
    /// one in the first lane.
    fn next_attacker(&mut self, position: &Position, color: Color) -> Option<PieceType> {
        let piece_of = |square: Option<Square>| {
            let piece = position.piece_at(square?)?;
            (piece.color() == color).then_some(piece)
        };
        for kind in PieceType::ALL {
            for (direction, step) in RAYS.into_iter().enumerate() {
                if kind == PieceType::Knight {
                    if piece_of(self.knights[direction]).is_some() {
                        self.knights[direction] = None;
                        return Some(kind);
                    }
                } else if let Some(from) = self.front[direction]
                    && let Some(piece) = piece_of(Some(from))
                    && piece.is(kind)
                    && reaches(piece, from, self.target)
                {
                    self.front[direction] =
                        from.ray(step).find(|&square| !position.is_empty(square));
                    return Some(kind);
                }
            }
        }
        None
    }
}
