//! The attackers of a square, for static exchange evaluation.

use crate::board::lanes::reaches;
use crate::board::square::{JUMPS, RAYS};
use crate::board::{Color, Move, PieceType, Position, Square};

/// What can still capture on a square.
pub struct SeeSquares {
    /// The nearest piece along each ray that has not yet captured.
    front: [Option<Square>; 8],
    /// The knights that have not yet captured, by their jump.
    knights: [Option<Square>; 8],
    target: Square,
}

impl SeeSquares {
    /// The captures that can follow on a move.
    pub fn after(position: &Position, mv: Move) -> SeeSquares {
        let target = mv.to();
        let gone = [
            Some(mv.from()),
            mv.is_en_passant().then(|| target.step(-position.side().forward())).flatten(),
        ];
        let stands = |square: Square| !position.is_empty(square) && !gone.contains(&Some(square));
        SeeSquares {
            front: RAYS.map(|step| target.ray(step).find(|&square| stands(square))),
            knights: JUMPS.map(|jump| {
                target.step(jump).filter(|&square| {
                    stands(square) && position.byte_at(square) & 0xF == PieceType::Knight.bits()
                })
            }),
            target,
        }
    }

    /// Removes the least valuable attacker of a side, and names it; of several of a type, the one
    /// in the first lane.
    pub fn pop_least_valuable(&mut self, position: &Position, color: Color) -> Option<PieceType> {
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
