//! Defenders that are removed, overloaded, deflected or decoyed, and moves in between.

use super::geometry::{attacks, captures, gain, kind_at, winnings};
use super::line::Turn;
use super::motif::{Motif, Seen};
use super::pieces::targets;
use engine::board::PieceType;

pub fn find(turn: Turn, found: &mut Vec<Seen>) {
    let motifs = [removed(turn), drawn_away(turn), drawn_in(turn), between(turn)];
    found.extend(motifs.into_iter().flatten().map(|motif| (motif, true)));
}

fn removed(turn: Turn) -> Option<Motif> {
    let (before, next) = (turn.before(), turn.next()?);
    let (defender, target) = (turn.mv().to(), next.mv().to());
    before.captured(turn.mv())?;
    let was_guarded = attacks(before, defender).contains(target) && winnings(before, target) == 0;
    let is_same = before.piece_at(target) == next.before().piece_at(target);
    let is_exchange = gain(before, turn.mv()) <= 0;
    (target != defender && was_guarded && is_same && is_exchange && next.succeeds())
        .then_some(Motif::RemovedDefender { defender, target })
}

fn drawn_away(turn: Turn) -> Option<Motif> {
    let (after, reply, next) = (turn.after(), turn.reply()?, turn.next()?);
    let (guard, target, to) = (reply.from(), next.mv().to(), turn.mv().to());
    let takes = reply.to() == to;
    let is_drawn = (takes || after.in_check())
        && ![to, reply.to()].contains(&target)
        && attacks(after, guard).contains(target)
        && !attacks(next.before(), reply.to()).contains(target);
    if !is_drawn || !next.succeeds() {
        None
    } else if takes && turn.taken() > 0 && !turn.is_sacrifice() {
        Some(Motif::Overload { guard, first: to, second: target })
    } else {
        turn.is_sacrifice().then_some(Motif::Deflection { guard, target })
    }
}

fn drawn_in(turn: Turn) -> Option<Motif> {
    let (reply, next, to) = (turn.reply()?, turn.next()?, turn.mv().to());
    let kind = kind_at(next.before(), to)?;
    let is_struck = match kind {
        PieceType::King => next.after().in_check(),
        PieceType::Queen | PieceType::Rook => {
            let attacked = attacks(next.after(), next.to()).contains(to);
            attacked && next.next().is_some_and(|last| last.mv().to() == to)
        }
        _ => false,
    };
    (reply.to() == to && turn.is_sacrifice() && is_struck).then_some(Motif::Attraction { to })
}

fn between(turn: Turn) -> Option<Motif> {
    let ((position, last), next) = (turn.previous()?, turn.next()?);
    let then = last.to();
    let could_retake = !captures(turn.before(), then).is_empty();
    let waits = position.captured(last).is_some() && turn.mv().to() != then;
    let retakes = next.mv().to() == then && turn.reply().is_some_and(|reply| reply.from() != then);
    let forces = turn.after().in_check() || turn.taken() > 0 || !targets(turn).is_empty();
    (waits && could_retake && forces && retakes).then_some(Motif::Zwischenzug { then })
}
