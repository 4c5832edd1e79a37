//! Attacks, rays, and the gain of captures.

use engine::board::square::RAYS;
use engine::board::{
    Bitboards, Color, Move, MoveList, PieceType, Position, Square, SquareSet, Stage, see_value,
};

pub fn kind_at(position: &Position, square: Square) -> Option<PieceType> {
    position.piece_at(square).map(|piece| piece.kind())
}

/// The worth of a pawn, in centipawns.
pub const PAWN: i32 = see_value(PieceType::Pawn);

/// The worth of the piece on a square, in centipawns.
pub fn value_at(position: &Position, square: Square) -> i32 {
    kind_at(position, square).map_or(0, see_value)
}

/// Whether a piece other than a pawn stands on a square.
pub fn is_piece(position: &Position, square: Square) -> bool {
    value_at(position, square) > PAWN
}

/// The squares that the piece on a square attacks.
pub fn attacks(position: &Position, from: Square) -> SquareSet {
    let Some(piece) = position.piece_at(from) else { return SquareSet::NONE };
    let mut by_type = [SquareSet::NONE; 6];
    by_type[piece.kind_index()].insert(from);
    Bitboards::of(position).attacks_from(by_type, piece.color()).all()
}

/// The pieces of a side that attack a square.
pub fn attackers(position: &Position, to: Square, by: Color) -> SquareSet {
    let pieces = position.occupied_by(by).into_iter();
    pieces.filter(|&from| attacks(position, from).contains(to)).collect()
}

/// The worth of the piece that a move captures.
pub fn taken(position: &Position, mv: Move) -> i32 {
    position.captured(mv).map_or(0, |piece| see_value(piece.kind()))
}

pub fn is_mate(position: &Position) -> bool {
    position.in_check() && position.legal_moves().is_empty()
}

/// The gain of a capture or promotion once the exchanges on its square are over.
pub fn gain(position: &Position, mv: Move) -> i32 {
    let promoted = mv.promoted().map_or(0, |kind| see_value(kind) - PAWN);
    taken(position, mv) + promoted - winnings(&position.after(mv), mv.to())
}

/// The gain of the side to move by captures on a square. They are legal, start with the least valuable piece,
/// and each side may stop.
pub fn winnings(position: &Position, to: Square) -> i32 {
    let least = captures(position, to).into_iter().min_by_key(|mv| value_at(position, mv.from()));
    least.map_or(0, |mv| gain(position, mv).max(0))
}

/// The largest gain of the side to move by a capture or promotion.
pub fn most(position: &Position) -> i32 {
    let mut moves = MoveList::new();
    position.generate(Stage::Noisy, &mut moves);
    moves.iter().map(|&mv| gain(position, mv)).max().unwrap_or(0).max(0)
}

/// The legal captures on a square.
pub fn captures(position: &Position, to: Square) -> MoveList {
    let mut moves = MoveList::new();
    position.generate(Stage::Noisy, &mut moves);
    moves.retain(|mv| mv.to() == to && position.captured(*mv).is_some());
    moves
}

/// The gain on a square of the side that has just moved, if it were to move again.
pub fn threat(position: &Position, to: Square) -> i32 {
    winnings(&position.after_null(), to)
}

/// That gain with the piece on `from` alone.
pub fn threat_of(position: &Position, from: Square, to: Square) -> i32 {
    let again = position.after_null();
    let capture = captures(&again, to).into_iter().find(|mv| mv.from() == from);
    capture.map_or(0, |mv| gain(&again, mv))
}

/// A sliding piece, the first piece on one of its lines, and the next one behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ray {
    pub slider: Square,
    pub front: Square,
    pub behind: Square,
}

/// All rays of a side with two pieces on them.
pub fn rays(position: &Position, side: Color) -> Vec<Ray> {
    let mut rays = Vec::new();
    for slider in position.occupied_by(side) {
        let bits = kind_at(position, slider).map_or(0, PieceType::bits);
        for step in RAYS {
            let way =
                if step % 16 == 0 || step.abs() == 1 { PieceType::Rook } else { PieceType::Bishop };
            let mut met = slider.ray(step).filter(|&square| !position.is_empty(square));
            if bits & way.bits() != 0
                && let (Some(front), Some(behind)) = (met.next(), met.next())
            {
                rays.push(Ray { slider, front, behind });
            }
        }
    }
    rays
}
