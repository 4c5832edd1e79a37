//! Static exchange evaluation (SEE): the outcome of the captures on one square.

use super::bitboards::{diagonal_attacks, straight_attacks};
use super::square::RAYS;
use super::{Attacks, Bitboards, Color, Move, PieceType, Position, Square, SquareSet};

/// The value of a piece in an exchange. The king is worth more than everything else together.
#[inline(always)]
pub const fn see_value(kind: PieceType) -> i32 {
    VALUES[kind as usize]
}

/// By the bits of a type. An empty square is worth nothing.
static VALUES: [i32; 16] = {
    let mut table = [0; 16];
    table[PieceType::Pawn as usize] = 100;
    table[PieceType::Knight as usize] = 300;
    table[PieceType::Bishop as usize] = 300;
    table[PieceType::Rook as usize] = 500;
    table[PieceType::Queen as usize] = 900;
    table[PieceType::King as usize] = 20_000;
    table
};

impl Position {
    /// Whether a legal move and the captures that follow on its destination gain at least `threshold`, in the
    /// units of [`see_value`]. Each side captures with its least valuable piece and may stop at any time.
    /// Pins are ignored.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        self.see_ge_against(mv, threshold, &Bitboards::of(self), None)
    }

    /// Like [`Position::see_ge`], for a caller that has the bitboards and perhaps the opponent's attacks.
    // Long, and called from many places: a single copy keeps the search's code small.
    #[inline(never)]
    pub fn see_ge_against(
        &self,
        mv: Move,
        threshold: i32,
        pieces: &Bitboards,
        enemy: Option<&Attacks>,
    ) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let value = |square| VALUES[usize::from(self.byte_at(square) & 0xF)];
        let mover = value(mv.from());
        let arrived = mv.promoted().map_or(mover, see_value);
        let captured = if mv.is_en_passant() { see_value(PieceType::Pawn) } else { value(mv.to()) };
        let gain = captured + arrived - mover;

        // The surplus of the moving side over the threshold, if the opponent stops, and if it recaptures
        // once.
        let above = gain - threshold;
        if above < 0 {
            return false;
        }
        let missing = arrived - above;
        if missing <= 0 {
            return true;
        }
        // No piece attacks the destination, and moving the piece opens no slider's line to it.
        let is_safe = |enemy: &Attacks| {
            !(enemy.all().contains(mv.to()) || enemy.by_sliders().contains(mv.from()))
        };
        if enemy.is_some_and(is_safe) && !mv.is_en_passant() {
            return true;
        }
        self.exchange_reaches(mv, missing, pieces)
    }

    /// Plays out the exchange. `missing` is what the moving side lacks after a recapture.
    #[inline(never)]
    fn exchange_reaches(&self, mv: Move, mut missing: i32, pieces: &Bitboards) -> bool {
        let mut exchange = Exchange::after(self, pieces, mv);
        let mut side = self.side();
        let mut reached = true;
        loop {
            side = !side;
            let Some(attacker) = exchange.pop_least_valuable(side) else { return reached };
            reached = !reached;
            missing = see_value(attacker) - missing;
            if missing < reached as i32 {
                return reached;
            }
        }
    }
}

/// The pieces that can still capture on a square.
struct Exchange<'a> {
    pieces: &'a Bitboards,
    target: Square,
    /// The pieces that have not captured yet.
    occupied: SquareSet,
    /// The attackers of the square, including those that have captured.
    attackers: SquareSet,
}

impl<'a> Exchange<'a> {
    /// The captures that can follow a move.
    #[inline(always)]
    fn after(position: &Position, pieces: &'a Bitboards, mv: Move) -> Exchange<'a> {
        let target = mv.to();
        let mut occupied = pieces.occupied() & !SquareSet::one(mv.from());
        if mv.is_en_passant()
            && let Some(captured) = target.step(-position.side().forward())
        {
            occupied = occupied & !SquareSet::one(captured);
        }
        Exchange { pieces, target, occupied, attackers: pieces.attackers(target, occupied) }
    }

    /// Removes a side's least valuable attacker and returns its type.
    #[inline(always)]
    fn pop_least_valuable(&mut self, side: Color) -> Option<PieceType> {
        let attackers = self.attackers & self.occupied & self.pieces.by(side);
        if attackers.is_empty() {
            return None;
        }
        for kind in PieceType::ALL {
            let Some(attacker) = self.first(attackers & self.pieces.kind(kind)) else { continue };
            self.occupied = self.occupied & !SquareSet::one(attacker);
            // The slider behind it joins the exchange.
            if !matches!(kind, PieceType::Knight | PieceType::Rook) {
                let behind = diagonal_attacks(self.target, self.occupied);
                self.attackers |= behind & self.pieces.diagonal();
            }
            if matches!(kind, PieceType::Rook | PieceType::Queen | PieceType::King) {
                let behind = straight_attacks(self.target, self.occupied);
                self.attackers |= behind & self.pieces.straight();
            }
            return Some(kind);
        }
        None
    }

    /// The first of several attackers of one type; sliders are ordered by direction.
    #[inline(always)]
    fn first(&self, attackers: SquareSet) -> Option<Square> {
        if attackers.len() < 2 { attackers.into_iter().next() } else { self.first_of(attackers) }
    }

    #[cold]
    fn first_of(&self, attackers: SquareSet) -> Option<Square> {
        let on_ray = |step| self.target.ray(step).find(|&square| attackers.contains(square));
        RAYS.into_iter().find_map(on_ray).or_else(|| attackers.into_iter().next())
    }
}
