//! Motifs along lines: pins, skewers, discovered attacks and checks.

use super::geometry::{
    PAWN, Ray, attackers, attacks, captures, rays, threat, threat_of, value_at, winnings,
};
use super::line::Turn;
use super::motif::{Motif, Seen};
use engine::board::{PieceType, Position, SquareSet};

pub fn find(turn: Turn, found: &mut Vec<Seen>) {
    discovered(turn, found);
    let old = rays(turn.before(), turn.hero());
    for ray in rays(turn.after(), turn.hero()) {
        let is_new = !old.contains(&ray);
        found.extend(pin(turn, ray, is_new));
        found.extend(skewer(turn, ray, is_new));
    }
}

fn is_enemy(turn: Turn, ray: Ray) -> bool {
    let enemies = turn.after().occupied_by(!turn.hero());
    enemies.contains(ray.front) && enemies.contains(ray.behind)
}

/// Whether the second piece on a ray could be captured with gain if the first were gone.
fn is_prey(position: &Position, ray: Ray) -> bool {
    let value = value_at(position, ray.behind);
    let enemy = position.side();
    let defenders = attackers(position, ray.behind, enemy).into_iter();
    value > value_at(position, ray.slider)
        || value > PAWN && defenders.filter(|&square| square != ray.front).count() == 0
}

fn pin(turn: Turn, ray: Ray, is_new: bool) -> Option<Seen> {
    let (after, Ray { slider: by, front: pinned, behind }) = (turn.after(), ray);
    let is_absolute = behind == after.king(!turn.hero());
    let worth = value_at(after, behind) > value_at(after, pinned) && is_prey(after, ray);
    if !is_enemy(turn, ray) || !(is_absolute || worth) {
        return None;
    }
    // A piece that the pinned one attacks and would win without the pin.
    let to = turn.to();
    let is_target = value_at(after, to) > value_at(after, pinned)
        || attackers(after, to, turn.hero()) == SquareSet::NONE;
    let cannot_take = is_absolute
        && to != by
        && is_target
        && attacks(after, pinned).contains(to)
        && captures(after, to).iter().all(|mv| mv.from() != pinned);
    if cannot_take {
        let pays = turn.taken() > 0 || turn.leads_on();
        return Some((Motif::PinUsed { by, pinned, behind, cannot_take }, pays));
    }
    let is_attacked =
        is_absolute && attacks(after, to).contains(pinned) && threat(after, pinned) > 0;
    // The pinned piece is captured, or captures and is recaptured.
    let trades = turn.reply().is_some_and(|reply| (reply.from(), reply.to()) == (pinned, by))
        && turn.next().is_some_and(|next| next.mv().to() == by && next.succeeds());
    let is_taken = |by| turn.takes(by, SquareSet::one(pinned));
    let pays = is_taken(by) || is_taken(to) || trades;
    if is_new {
        let stands = winnings(after, by) == 0;
        let is_pawn = after.piece_at(pinned).is_some_and(|piece| piece.is(PieceType::Pawn));
        return (stands && !is_pawn).then_some((Motif::Pin { by, pinned, behind }, pays));
    }
    is_attacked.then_some((Motif::PinUsed { by, pinned, behind, cannot_take }, pays))
}

fn skewer(turn: Turn, ray: Ray, is_new: bool) -> Option<Seen> {
    let (after, Ray { slider: by, front, behind }) = (turn.after(), ray);
    let [first, second] = [front, behind].map(|square| value_at(after, square));
    let is_king = front == after.king(!turn.hero());
    if !is_enemy(turn, ray) || !is_new || first < second || winnings(after, by) > 0 {
        return None;
    }
    let must_leave = is_king || first > value_at(after, by) && threat_of(after, by, front) > 0;
    let pays = turn.takes(by, SquareSet::one(behind));
    (must_leave && is_prey(after, ray)).then_some((Motif::Skewer { by, front, behind }, pays))
}

fn discovered(turn: Turn, found: &mut Vec<Seen>) {
    let (before, after, king) = (turn.before(), turn.after(), turn.after().king(!turn.hero()));
    if after.checkers().len() == 2 {
        found.push((Motif::DoubleCheck, turn.leads_on()));
    }
    let from = turn.mv().from();
    for Ray { slider: by, behind: target, .. } in
        rays(before, turn.hero()).into_iter().filter(|ray| ray.front == from)
    {
        let is_opened = attacks(after, by).contains(target)
            && before.occupied_by(!turn.hero()).contains(target)
            && after.piece_at(target) == before.piece_at(target);
        if is_opened && target == king {
            found.push((Motif::DiscoveredCheck { by }, turn.leads_on()));
        } else if is_opened && threat_of(after, by, target) > 0 {
            let pays = turn.takes(by, SquareSet::one(target));
            found.push((Motif::DiscoveredAttack { by, target }, pays));
        }
    }
}
