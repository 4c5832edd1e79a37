//! The backend for every processor: 0x88 arithmetic, one square at a time.
//!
//! It is also the reference: the tests hold every other backend to its answers.

use super::castling::castling_targets;
use super::lanes::step_between;
use super::see::see_ge;
use super::{
    Attacks, Backend, Color, Move, MoveKind, MoveList, Piece, PieceType, Position, Square,
    SquareSet, Stage,
};

mod generate;
mod see;
mod squares;

use generate::SquareGenerator;
use see::SeeSquares;
use squares::{CheckSquares, attacked_from, occupied_by, pieces_of, ranks};

pub struct Scalar;

impl Backend for Scalar {
    const NAME: &'static str = "scalar";

    fn generate_usual(position: &Position, stage: Stage, list: &mut MoveList) {
        SquareGenerator::new(position, stage).run(stage, list);
    }

    fn count_usual(position: &Position) -> u32 {
        let mut list = MoveList::new();
        Scalar::generate_usual(position, Stage::All, &mut list);
        list.len() as u32
    }

    fn moved(position: &Position, mv: Move, en_passant: Option<Square>) -> Position {
        let (from, to) = (mv.from(), mv.to());
        let mut next = *position;
        let mover = next.take(from).expect("a legal move has a piece to move");
        let captured = match mv.kind() {
            Some(MoveKind::Castling) => {
                let rook = next.take(to).expect("castling has its rook");
                let (king_to, rook_to) = castling_targets(from, to);
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
        next.end_turn(mv, mover, captured.is_some(), en_passant);
        next
    }

    #[inline(always)]
    fn occupied_by(position: &Position, color: Color) -> SquareSet {
        occupied_by(position, color)
    }

    /// A piece's byte has seven bits at most, so that adding the largest of these carries into the
    /// eighth unless it is zero.
    fn differences(one: &Position, other: &Position) -> SquareSet {
        const LARGEST: u64 = 0x7F7F_7F7F_7F7F_7F7F;
        let pairs = ranks(one).zip(ranks(other));
        squares::gathered(pairs.map(|(one, other)| ((one ^ other) + LARGEST) >> 7))
    }

    fn sees(position: &Position, piece: Piece, from: Square, to: Square) -> bool {
        position.sees(piece, from, to)
    }

    fn keeps_king_safe(position: &Position, mv: Move) -> bool {
        let us = position.side();
        let after = Scalar::moved(position, mv, None);
        !Scalar::is_attacked(&after, after.king(us), !us)
    }

    fn checkers(position: &Position) -> SquareSet {
        let us = position.side();
        CheckSquares::of(position, us, occupied_by(position, !us)).checkers
    }

    fn pinned(position: &Position, color: Color) -> SquareSet {
        CheckSquares::of(position, color, occupied_by(position, !color)).pinned
    }

    fn is_attacked(position: &Position, square: Square, by: Color) -> bool {
        squares::is_attacked(position, square, by)
    }

    fn attacks(position: &Position, by: Color) -> Attacks {
        let mut attacks = Attacks::default();
        for (from, piece) in pieces_of(position, by) {
            attacks.add(piece.kind(), attacked_from(position, from, piece));
        }
        attacks
    }

    fn sight(position: &Position, from: Square) -> SquareSet {
        let [rays, jumps] = [PieceType::Queen, PieceType::Knight]
            .map(|kind| attacked_from(position, from, kind.of(Color::White)));
        rays | jumps
    }

    /// A check comes from the piece that arrives, or is discovered on a ray from the king.
    fn gives_check(position: &Position, mv: Move) -> bool {
        let us = position.side();
        let king = position.king(!us);
        let next = Scalar::moved(position, mv, None);
        let gives = |square: Square| {
            let piece = next.piece_at(square).filter(|piece| piece.color() == us);
            piece.is_some_and(|piece| next.sees(piece, square, king))
        };
        let discovers = |left: Square| {
            let ray = step_between(king, left).map(|step| king.ray(step));
            ray.into_iter().flatten().find(|&square| !next.is_empty(square)).is_some_and(gives)
        };
        let (from, to) = (mv.from(), mv.to());
        let arrived = if mv.is_castling() { castling_targets(from, to).1 } else { to };
        let captured = mv.is_en_passant().then(|| to.step(-us.forward())).flatten();
        gives(arrived) || discovers(from) || captured.is_some_and(discovers)
    }

    fn see_ge(position: &Position, mv: Move, threshold: i32) -> bool {
        see_ge(position, mv, threshold, || {
            let mut captures = SeeSquares::after(position, mv);
            move |side| captures.pop_least_valuable(position, side)
        })
    }
}
