//! Passed pawns on the run, saved draws, and trades.

use super::geometry::{kind_at, value_at};
use super::line::Turn;
use super::motif::{Motif, Seen};
use engine::board::{Color, PieceType, Position, Square};

pub fn find(turn: Turn, found: &mut Vec<Seen>) {
    if let Some(to) = turn.mv().promoted() {
        let stays = turn.reply().is_none_or(|reply| reply.to() != turn.to());
        found.push((Motif::Promotion { to }, stays));
    }
    found.extend(passed(turn));
    let draws = [stalemate(turn), perpetual(turn)];
    found.extend(draws.into_iter().flatten().map(|motif| (motif, true)));
    found.extend(trade(turn).map(|motif| (motif, false)));
}

/// Whether a pawn is passed.
pub fn is_passed(position: &Position, pawn: Square, side: Color) -> bool {
    position.squares_of(PieceType::Pawn.of(!side)).into_iter().all(|enemy| {
        enemy.file().abs_diff(pawn.file()) > 1 || enemy.rank_for(side) <= pawn.rank_for(side)
    })
}

fn passed(turn: Turn) -> Option<Seen> {
    let (mv, side) = (turn.mv(), turn.hero());
    let is_pawn = kind_at(turn.after(), mv.to()) == Some(PieceType::Pawn);
    let is_new = !is_passed(turn.before(), mv.from(), side);
    let is_far = mv.to().rank_for(side) >= 5;
    (is_pawn && is_passed(turn.after(), mv.to(), side) && (is_new || is_far))
        .then_some((Motif::PassedPawn { is_new }, false))
}

/// The material balance of a side.
pub fn balance(position: &Position, side: Color) -> i32 {
    let pieces = position.pieces().filter(|(_, piece)| !piece.is(PieceType::King));
    pieces.map(|(square, piece)| if piece.color() == side { 1 } else { -1 } * value_at(position, square)).sum()
}

/// Stalemate saves the side that is behind.
fn stalemate(turn: Turn) -> Option<Motif> {
    let end = turn.line.end();
    let is_last = turn.ply + 2 >= turn.line.moves.len();
    let saves = end.side() == turn.hero() && balance(turn.before(), turn.hero()) < 0;
    (is_last && saves && !end.in_check() && end.legal_moves().is_empty())
        .then_some(Motif::Stalemate)
}

/// Perpetual check begins: checks go on until a position repeats.
fn perpetual(turn: Turn) -> Option<Motif> {
    let positions = &turn.line.positions[turn.ply..];
    let keys: Vec<u64> = positions.iter().map(Position::key).collect();
    let end = (1..keys.len()).find(|&end| keys[..end].contains(&keys[end]))?;
    let checks = positions[1..=end].iter().step_by(2).all(Position::in_check);
    (checks && turn.ply == turn.line.first).then_some(Motif::Perpetual)
}

/// Equal pieces are exchanged, which helps the side that is ahead.
fn trade(turn: Turn) -> Option<Motif> {
    let kind = kind_at(turn.before(), turn.mv().to())?;
    let is_even = kind != PieceType::Pawn
        && kind_at(turn.before(), turn.mv().from()) == Some(kind)
        && turn.reply()?.to() == turn.mv().to();
    (is_even && balance(turn.before(), turn.hero()) >= 200).then_some(Motif::Trade { kind })
}
