//! The attackers of a square, for static exchange evaluation.

use super::register::Register;
use super::view::{Board, up_to_nearest};
use crate::board::lanes::JUMP_LANES;
use crate::board::{Color, Move, PieceType, Position};

/// What can still capture on a square, as lanes from it.
pub struct SeeLanes<R> {
    /// The lanes of pieces that have not yet captured.
    occupied: u64,
    /// The lanes from which each side attacks once nothing stands between.
    aiming: [u64; 2],
    /// The piece types in the lanes.
    types: R,
}

impl<R: Register> SeeLanes<R> {
    /// The captures that can follow on a move.
    #[inline(always)]
    pub fn after(position: &Position, mv: Move) -> Self {
        let target = mv.to();
        let mut board = Board::<R>::of(position).with(mv.from(), 0);
        if mv.is_en_passant()
            && let Some(captured) = target.step(-position.side().forward())
        {
            board = board.with(captured, 0);
        }
        let view = board.look(target);
        SeeLanes {
            occupied: view.occupied,
            aiming: Color::BOTH.map(|color| view.aiming(color)),
            types: view.pieces.low_bits(),
        }
    }

    /// Removes the least valuable attacker of a side, and names it; of several of a type, the one
    /// in the first lane.
    #[inline(always)]
    pub fn pop_least_valuable(&mut self, color: Color) -> Option<PieceType> {
        let seen = up_to_nearest(self.occupied) | JUMP_LANES;
        let attackers = self.aiming[color.index()] & self.occupied & seen;
        if attackers == 0 {
            return None;
        }
        for kind in PieceType::ALL {
            let lanes = attackers & self.types.equals(kind.bits());
            if lanes != 0 {
                self.occupied &= !(lanes & lanes.wrapping_neg());
                return Some(kind);
            }
        }
        None
    }
}
