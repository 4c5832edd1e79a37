//! The effects of quiet moves, for moves without any other motif.

use super::ends::is_passed;
use super::geometry::{attacks, kind_at, threat_of, value_at, winnings};
use super::line::Turn;
use super::mates::mates;
use super::motif::{Motif, Seen};
use engine::board::{PieceType, Position, Square};

pub fn find(turn: Turn, found: &mut Vec<Seen>) {
    let deeds = [
        parry, safety, castling, doubled, capture, check, lever, blockade, file, develops, support,
        king, way,
    ];
    found.extend(deeds.iter().filter_map(|deed| deed(turn)).map(|motif| (motif, false)));
}

/// The move parries a threat of mate.
fn parry(turn: Turn) -> Option<Motif> {
    let (before, after) = (turn.before(), turn.after());
    if before.in_check() || mates(after).next().is_some() {
        return None;
    }
    mates(&before.after_null()).next().map(|mate| Motif::Parry { mate })
}

/// The move saves a piece that could have been captured with gain, other than by giving check.
fn safety(turn: Turn) -> Option<Motif> {
    let (before, after, from) = (turn.before(), turn.after(), turn.mv().from());
    if before.in_check() || after.in_check() || turn.mv().is_castling() {
        return None;
    }
    let enemy_to_move = before.after_null();
    let was_lost = |&square: &Square| winnings(&enemy_to_move, square) > 0;
    let now = |square: Square| if square == from { turn.to() } else { square };
    let own = before.occupied_by(turn.hero()).into_iter();
    let saved = own.filter(was_lost).filter(|&square| winnings(after, now(square)) == 0);
    let piece = now(saved.max_by_key(|&square| value_at(before, square))?);
    Some(Motif::Safety { piece, guards: attacks(after, turn.to()).contains(piece) })
}

fn capture(turn: Turn) -> Option<Motif> {
    (turn.taken() > 0).then_some(Motif::Capture { taken: turn.mv().to() })
}

fn castling(turn: Turn) -> Option<Motif> {
    turn.mv().is_castling().then_some(Motif::Castling)
}

fn check(turn: Turn) -> Option<Motif> {
    turn.after().in_check().then_some(Motif::Check)
}

/// The move attacks a pawn, which could be captured with gain or by a pawn.
fn lever(turn: Turn) -> Option<Motif> {
    let (after, by) = (turn.after(), turn.to());
    let pawns = attacks(after, by) & after.squares_of(PieceType::Pawn.of(!turn.hero()));
    let is_pawn = kind_at(after, by) == Some(PieceType::Pawn);
    let is_target = |&pawn: &Square| is_pawn || threat_of(after, by, pawn) > 0;
    let target = pawns.into_iter().find(is_target)?;
    (!after.in_check() && winnings(after, by) == 0).then_some(Motif::Attack { target })
}

fn blockade(turn: Turn) -> Option<Motif> {
    let pawn = turn.to().step(turn.hero().forward())?;
    let is_pawn = turn.after().piece_at(pawn) == Some(PieceType::Pawn.of(!turn.hero()));
    (is_pawn && is_passed(turn.after(), pawn, !turn.hero())).then_some(Motif::Blockade { pawn })
}

/// The enemy recaptures with a pawn, and gets doubled pawns.
fn doubled(turn: Turn) -> Option<Motif> {
    let (reply, next) = (turn.reply()?, turn.line.positions.get(turn.ply + 2)?);
    let pawns = next.squares_of(PieceType::Pawn.of(!turn.hero())).into_iter();
    let is_doubled = pawns.filter(|pawn| pawn.file() == reply.to().file()).count() > 1;
    let takes_back = turn.taken() > 0 && reply.to() == turn.to();
    let by_pawn = kind_at(turn.after(), reply.from()) == Some(PieceType::Pawn);
    (takes_back && by_pawn && is_doubled).then_some(Motif::DoubledPawns { file: reply.to() })
}

/// An attacked piece or pawn gets another defender.
fn support(turn: Turn) -> Option<Motif> {
    let (before, after, to) = (turn.before(), turn.after(), turn.to());
    let supported = attacks(after, to) & after.occupied_by(turn.hero());
    let is_new = |&square: &Square| !attacks(before, turn.mv().from()).contains(square);
    let is_attacked = |&square: &Square| after.is_attacked(square, !turn.hero());
    let piece = supported.into_iter().filter(is_new).find(is_attacked)?;
    (piece != after.king(turn.hero())).then_some(Motif::Support { piece })
}

/// A rook moves to an open or half-open file.
fn file(turn: Turn) -> Option<Motif> {
    let (after, mv) = (turn.after(), turn.mv());
    let is_rook = kind_at(after, mv.to()) == Some(PieceType::Rook);
    let has_pawn = |color| {
        let mut pawns = after.squares_of(PieceType::Pawn.of(color)).into_iter();
        pawns.any(|pawn| pawn.file() == mv.to().file())
    };
    let is_other = mv.from().file() != mv.to().file();
    (is_rook && is_other && !has_pawn(turn.hero()))
        .then(|| Motif::File { is_open: !has_pawn(!turn.hero()) })
}

fn develops(turn: Turn) -> Option<Motif> {
    let from = turn.mv().from();
    let files: &[u8] = match kind_at(turn.before(), from)? {
        PieceType::Knight => &[1, 6],
        PieceType::Bishop => &[2, 5],
        _ => return None,
    };
    let is_home = files.contains(&from.file()) && from.rank_for(turn.hero()) == 0;
    (is_home && turn.before().move_number() <= 20).then_some(Motif::Development)
}

/// In an endgame, the king moves towards the centre.
fn king(turn: Turn) -> Option<Motif> {
    let pieces = |position: &Position| {
        position.pieces().filter(|(_, piece)| !piece.is(PieceType::Pawn)).count()
    };
    let from_middle = |square: Square| {
        let off = |at: u8| at.abs_diff(3).min(at.abs_diff(4));
        off(square.file()).max(off(square.rank()))
    };
    let is_king = kind_at(turn.after(), turn.to()) == Some(PieceType::King);
    let nears = from_middle(turn.to()) < from_middle(turn.mv().from());
    (is_king && nears && pieces(turn.after()) <= 6).then_some(Motif::KingWalk)
}

/// A line of another own piece is opened.
fn way(turn: Turn) -> Option<Motif> {
    let (before, after) = (turn.before(), turn.after());
    let sliders = after.occupied_by(turn.hero()) & before.occupied_by(turn.hero());
    let more = |&square: &Square| seen(after, square).saturating_sub(seen(before, square));
    let piece = sliders.into_iter().max_by_key(more).filter(|square| more(square) > 1)?;
    (piece != turn.to()).then_some(Motif::Way { piece })
}

/// The squares that a piece attacks, except those of its own side.
fn seen(position: &Position, from: Square) -> u32 {
    let own = position.piece_at(from).map(|piece| position.occupied_by(piece.color()));
    (attacks(position, from) & !own.unwrap_or_default()).len()
}
