//! Attacked pieces: hanging, forked, trapped.

use super::geometry::{
    PAWN, attacks, captures, gain, kind_at, taken, threat, threat_of, value_at, winnings,
};
use super::line::Turn;
use super::motif::{Guard, Motif, Seen};
use engine::board::{Position, Square, SquareSet};

pub fn fork(turn: Turn, found: &mut Vec<Seen>) {
    let targets = targets(turn);
    if targets.len() > 1 {
        let by = turn.to();
        found.push((Motif::Fork { by, targets }, turn.takes(by, targets)));
    }
}

/// A piece that hangs or is attacked.
pub fn one(turn: Turn, found: &mut Vec<Seen>) {
    found.extend(hanging(turn));
    let given = winnings(turn.after(), turn.to());
    let is_taken = turn.reply().is_some_and(|reply| reply.to() == turn.to());
    // It is an exchange if the reply takes as much.
    let cost = given - turn.taken();
    let takes_back = turn.next().is_some_and(|next| next.taken() >= cost);
    if is_taken && cost >= 2 * PAWN && !takes_back {
        found.push((Motif::Sacrifice, turn.leads_on()));
    }
    let king = turn.after().king(!turn.hero());
    let target = targets(turn).into_iter().find(|&square| square != king);
    found.extend(
        target.map(|target| {
            (Motif::Attack { target }, turn.takes(turn.to(), SquareSet::one(target)))
        }),
    );
}

/// Only the first move takes a hanging piece: later captures follow from earlier moves.
fn hanging(turn: Turn) -> Option<Seen> {
    let (before, mv) = (turn.before(), turn.mv());
    let goes_on = turn.previous().is_some_and(|(position, last)| {
        last.to() == mv.to() && taken(position, last) >= turn.taken()
    });
    // The reply may take as much elsewhere.
    let is_exchange = turn.reply().is_some_and(|reply| {
        let takes = taken(turn.after(), reply);
        reply.to() != mv.to() && takes > PAWN && takes + PAWN >= turn.taken()
    });
    let wins = gain(before, mv) >= PAWN && !is_exchange;
    if turn.ply != turn.line.first || turn.taken() == 0 || goes_on || !wins {
        return None;
    }
    let by = kind_at(before, mv.from())?;
    let guard = if captures(turn.after(), mv.to()).is_empty() {
        Guard::None
    } else if value_at(before, mv.from()) < turn.taken() {
        Guard::Worthless { by }
    } else {
        Guard::Weak
    };
    Some((Motif::Hanging { taken: mv.to(), guard }, true))
}

/// The pieces that the moved piece attacks and could capture with gain, except those that can safely capture
/// it, and the king if it gives check.
pub fn targets(turn: Turn) -> SquareSet {
    let (after, by) = (turn.after(), turn.to());
    if winnings(after, by) > 0 || turn.mates() {
        return SquareSet::NONE;
    }
    let takes = captures(after, by).into_iter().filter(|&mv| gain(after, mv) >= 0);
    let takers: SquareSet = takes.map(|mv| mv.from()).collect();
    let is_target = |&square: &Square| {
        let is_piece = value_at(after, square) > PAWN && !takers.contains(square);
        square == after.king(!turn.hero()) || is_piece && threat_of(after, by, square) > 0
    };
    let attacked = attacks(after, by) & after.occupied_by(!turn.hero());
    attacked.into_iter().filter(is_target).collect()
}

/// Pieces that no reply saves, and that were safe before the move.
pub fn trapped(turn: Turn, found: &mut Vec<Seen>) {
    let (before, after) = (turn.before(), turn.after());
    if after.in_check() || before.in_check() {
        return;
    }
    for piece in after.occupied_by(!turn.hero()) {
        let is_piece = piece != after.king(!turn.hero()) && value_at(after, piece) > PAWN;
        if is_piece && is_lost(after, piece) && !is_lost(&before.after_null(), piece) {
            found.push((Motif::Trapped { piece }, true));
        }
    }
}

/// Whether no move of the side to move saves its piece.
fn is_lost(position: &Position, piece: Square) -> bool {
    threat(position, piece) > 0
        && position.legal_moves().iter().all(|&mv| {
            let stands = if mv.from() == piece { mv.to() } else { piece };
            winnings(&position.after(mv), stands) > taken(position, mv)
        })
}
