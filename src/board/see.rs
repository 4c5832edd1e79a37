//! Static exchange evaluation (SEE): what the captures on one square bring.

use super::{Color, Move, Piece, PieceType, Position};

/// What pieces count for in an exchange. The king's value is more than all others together.
#[inline(always)]
pub const fn see_value(kind: PieceType) -> i32 {
    match kind {
        PieceType::Pawn => 100,
        PieceType::Knight | PieceType::Bishop => 300,
        PieceType::Rook => 500,
        PieceType::Queen => 900,
        PieceType::King => 20_000,
    }
}

/// Whether a move and the captures that follow on its square bring at least `threshold`.
/// `attackers` gives what removes and names the least valuable attacker of a side; it is called
/// only where the move alone does not settle the question.
#[inline(always)]
pub(super) fn see_ge<F: FnMut(Color) -> Option<PieceType>>(
    position: &Position,
    mv: Move,
    threshold: i32,
    attackers: impl FnOnce() -> F,
) -> bool {
    if mv.is_castling() {
        return threshold <= 0;
    }
    let value = |piece: Option<Piece>| piece.map_or(0, |piece| see_value(piece.kind()));
    let mover = value(position.piece_at(mv.from()));
    let arrived = mv.promoted().map_or(mover, see_value);
    let gain = value(position.captured(mv)) + arrived - mover;

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
    let mut pop_least_valuable = attackers();
    let mut side = position.side();
    let mut reached = true;
    loop {
        side = !side;
        let Some(attacker) = pop_least_valuable(side) else { return reached };
        reached = !reached;
        missing = see_value(attacker) - missing;
        if missing < reached as i32 {
            return reached;
        }
    }
}
