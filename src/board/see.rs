//! Static exchange evaluation (SEE): what the captures on one square bring.

use wide::u8x64;

use super::lanes::{Board, unblocked};
use super::{Attacks, Color, Move, Piece, PieceType, Position};

/// What pieces count for in an exchange. The king's value is more than all others together.
#[inline(always)]
pub const fn see_value(kind: PieceType) -> i32 {
    const VALUES: [i32; 6] = [100, 300, 300, 500, 900, 20_000];
    VALUES[kind.index()]
}

impl Position {
    /// Whether a legal move and the captures that follow on its square bring at least `threshold`, in
    /// the units of [`see_value`], each side taking with its least valuable piece and stopping when it
    /// likes. Pins are not considered.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        self.see_ge_against(mv, threshold, None)
    }

    /// The same where it may be known what the opponent attacks.
    // Called from many places, and long: one copy, so that the code of the search stays short.
    #[inline(never)]
    pub fn see_ge_against(&self, mv: Move, threshold: i32, enemy: Option<&Attacks>) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let value = |piece: Option<Piece>| piece.map_or(0, |piece| see_value(piece.kind()));
        let mover = value(self.piece_at(mv.from()));
        let arrived = mv.promoted().map_or(mover, see_value);
        let gain = value(self.captured(mv)) + arrived - mover;

        // What the side that just moved has above the threshold if the other side stops, and if it
        // recaptures once.
        let above = gain - threshold;
        if above < 0 {
            return false;
        }
        let mut missing = arrived - above;
        if missing <= 0 {
            return true;
        }
        // Nothing attacks the square, and no slider comes to do so through the one that is left.
        let is_safe = |enemy: &Attacks| {
            !(enemy.all().contains(mv.to()) || enemy.by_sliders().contains(mv.from()))
        };
        if enemy.is_some_and(is_safe) && !mv.is_en_passant() {
            return true;
        }
        let mut attackers = Attackers::after(self, mv);
        let mut side = self.side().index();
        let mut reached = true;
        loop {
            side ^= 1;
            let Some(attacker) = attackers.pop_least_valuable(side) else { return reached };
            reached = !reached;
            missing = see_value(attacker) - missing;
            if missing < reached as i32 {
                return reached;
            }
        }
    }
}

/// What can still capture on a square, as lanes from it.
struct Attackers {
    /// The lanes of pieces that have not yet captured.
    occupied: u64,
    /// The lanes with pieces of each side that attack once nothing stands between.
    pseudo_attackers: [u64; 2],
    /// The piece types in the lanes.
    types: u8x64,
}

impl Attackers {
    /// The captures that can follow on a move.
    #[inline(always)]
    fn after(position: &Position, mv: Move) -> Attackers {
        let target = mv.to();
        let mut board = Board::of(position).with(mv.from(), 0);
        if mv.is_en_passant()
            && let Some(captured) = target.step(-position.side().forward())
        {
            board = board.with(captured, 0);
        }
        let lanes = board.lanes(target);
        Attackers {
            occupied: lanes.occupied,
            pseudo_attackers: Color::BOTH.map(|color| lanes.pseudo_attackers(color)),
            types: lanes.pieces & u8x64::splat(0xF),
        }
    }

    /// Removes the least valuable attacker of a side, 0 or 1, and names it; of several of a type, the one
    /// in the first lane.
    #[inline(always)]
    fn pop_least_valuable(&mut self, side: usize) -> Option<PieceType> {
        let attackers = self.pseudo_attackers[side & 1] & self.occupied & unblocked(self.occupied);
        if attackers == 0 {
            return None;
        }
        for kind in PieceType::ALL {
            let of_kind = self.types.simd_eq(u8x64::splat(kind.bits())).to_bitmask();
            let lanes = attackers & of_kind;
            if lanes != 0 {
                self.occupied &= !(lanes & lanes.wrapping_neg());
                return Some(kind);
            }
        }
        None
    }
}
