//! Explains a move in words that follow its name: "lets 20... Qf2 fork the king and the rook on d1, and loses
//! the exchange".

use super::analyser::PositionAnalysis;
use super::material::Material;
use super::motifs::{Line, Motif, PAWN, find, most, taken, winnings};
use super::story::Story;
use super::white_score::WhiteScore;
use crate::board::{Color, Move, PieceType, Position};

/// Explains a bad move by the analyses of the positions before and after it.
pub fn explanation(
    position: &Position,
    mv: Move,
    before: &PositionAnalysis,
    after: &PositionAnalysis,
) -> String {
    let mover = position.side();
    let played = [&[mv], &after.pv[..]].concat();
    let [own, allowed] = [0, 1].map(|first| Line::new(position, &played, first));
    let [allows, misses] =
        [mates_in(after.white_score, !mover), mates_in(before.white_score, mover)];
    let missed = Story::new(Line::new(position, &before.pv, 0), Some(&own), misses.is_some());
    let allowed = Story::new(allowed, None, allows.is_some());
    if let Some(moves) = allows.filter(|&moves| moves <= SEEN)
        && mates_in(before.white_score, !mover).is_none()
    {
        return format!("allows {}", allowed.mate(moves));
    }
    if let Some(moves) = misses.filter(|&moves| moves <= SEEN) {
        return format!("misses {}", missed.mate(moves));
    }
    let now = Material::after(&missed.line, 0, mover);
    let [best, played] = [&missed, &allowed].map(|story| Material::settled(&story.line, mover));
    let (lost, failed) = (now - played, best - now);
    // Material explains a loss only if it is about as large as the difference of the scores.
    let counts = |material: Material| match (before.white_score, after.white_score) {
        (WhiteScore::Centipawns(was), WhiteScore::Centipawns(is)) => {
            (3 * material.worth() / 4..=4 * material.worth()).contains(&(was - is).abs())
        }
        _ => true,
    };
    let [was, is] = [before, after].map(|found| Standing::of(found.white_score.win_percent(mover)));
    if before.white_score == WhiteScore::Centipawns(0)
        && best.worth() < 0
        && matches!(is, Standing::Lost | Standing::Worse)
    {
        return format!("misses the draw: {}", missed.moves(0, 4));
    }
    // What both moves take is not missed: the point is what comes back.
    let taken = Material::after(&allowed.line, 1, mover);
    let takes_too = missed.line.moves.first().is_some_and(|best| best.to() == mv.to());
    if takes_too && taken.worth() > now.worth() && counts(taken - played) {
        return allowed.loses(taken - played);
    }
    // The replies of a line are not forced: it wins no more than its score says.
    let is_borne_out = match before.white_score {
        WhiteScore::Centipawns(score) => {
            let score = if mover == Color::White { score } else { -score };
            best.worth() - PAWN * 5 / 2 <= score
        }
        _ => true,
    };
    if best.worth() > played.worth() {
        if lost.worth() >= failed.worth() && counts(lost) {
            return allowed.loses(lost);
        } else if lost.worth() < failed.worth() && counts(failed) && is_borne_out {
            return missed.would_win(failed);
        }
    }
    let turn = turn(mover, was, is);
    if allowed.pays() || !allowed.is_quiet() && missed.is_idle() {
        format!("{}, and {turn}", allowed.lets())
    } else if !missed.is_idle() && is_borne_out {
        format!("{}, and {turn}", missed.misses(None))
    } else {
        format!("{turn}: {}", allowed.moves(1, 3))
    }
}

/// How a bad move changes the state of the game.
fn turn(mover: Color, was: Standing, is: Standing) -> String {
    let other = !mover;
    match (was, is) {
        (Standing::Lost, Standing::Lost) => format!("makes it easier for {other}"),
        (_, Standing::Lost) => format!("leaves {other} winning"),
        (Standing::Worse, Standing::Worse) => format!("adds to the advantage of {other}"),
        (_, Standing::Worse) => format!("leaves {other} better"),
        (Standing::Won, Standing::Equal) => "throws the win away".to_string(),
        (Standing::Better, Standing::Equal) => "gives the advantage away".to_string(),
        (_, Standing::Equal) => format!("gives {other} the easier game"),
        (Standing::Won, Standing::Better) => "gives back most of the advantage".to_string(),
        (_, Standing::Better) => "gives back some of the advantage".to_string(),
        (_, Standing::Won) => "still wins, but less clearly".to_string(),
    }
}

/// The best move's main motif or mate, as a hint.
pub fn hint(position: &Position, before: &PositionAnalysis) -> Option<String> {
    if let Some(moves) = mates_in(before.white_score, position.side()) {
        return Some(format!("mate in {moves}"));
    }
    let found = find(&Line::new(position, &before.pv, 0)).into_iter();
    let main = found.filter(|found| found.ply == 0).min_by_key(|found| !found.pays)?;
    main.motif.name().map(str::to_string)
}

/// Praises the best move of a position if it wins something by a motif, sacrifices material, or is the only
/// good move.
pub fn praise(position: &Position, mv: Move, before: &PositionAnalysis) -> Option<String> {
    let mover = position.side();
    let chance = before.white_score.win_percent(mover);
    if before.pv.first() != Some(&mv) || chance < FAIR {
        return None;
    }
    // A mate in a game that is won anyway deserves no praise.
    let mates = mates_in(before.white_score, mover);
    let others = before.others.first();
    let other = others.map(|other| other.white_score.win_percent(mover));
    let is_won = other.is_none_or(|other| Standing::of(other) == Standing::Won);
    if mates.is_some_and(|moves| moves > SEEN || is_won && position.captured(mv).is_some()) {
        return None;
    }
    let mut story =
        Story::new(Line::new(position, &before.pv, 0), None, mates.is_some() && !is_won);
    story.told.truncate(1);
    let [now, then] =
        [Material::after(&story.line, 0, mover), Material::settled(&story.line, mover)];
    if now.worth() - then.worth() >= SACRIFICE && is_given(now - then, &story.line) {
        return Some(format!("gives up {}, and is the best move", (now - then).as_gain()));
    }
    // Where other moves win too, it is no more than a way to win.
    let is_easy = other.is_some_and(|other| Standing::of(other) == Standing::Won);
    if let Some(offered) = offered(&story.line).filter(|_| !is_easy) {
        return Some(format!("offers the {}, and is the best move", offered.name()));
    }
    let is_plain = story.told.first().is_none_or(|found| {
        found.ply > 0 || matches!(found.motif, Motif::Hanging { .. } | Motif::Attack { .. })
    });
    let wins = story.pays() && then.worth() > now.worth();
    let does = (wins && !is_plain).then(|| story.does());
    let is_only = other.is_some_and(|other| chance - other >= ONLY);
    match does {
        Some(does) if is_only => Some(format!("{does}, and is the only good move")),
        None if is_only && position.captured(mv).is_none() => {
            Some("is the only good move".to_string())
        }
        does => does,
    }
}

/// Whether the first move of a line sacrifices so much material: the reply takes it, and another move could
/// have kept it.
fn is_given(material: Material, line: &Line) -> bool {
    let [mv, reply, ..] = line.moves[..] else { return false };
    let [before, after] = [&line.positions[0], &line.positions[1]];
    let [wins, takes] = [winnings(after, reply.to()), taken(after, reply)];
    let [gains, given] = [wins, takes].map(|worth| worth - taken(before, mv));
    let keeps = |&mv: &Move| most(&before.after(mv)) - taken(before, mv) < SACRIFICE;
    gains >= SACRIFICE && given >= material.worth() && before.legal_moves().iter().any(keeps)
}

/// The piece that the first move of a line leaves to be taken, though another move could have kept it, and that
/// is not just exchanged: the one that the reply takes, or else the moved one.
fn offered(line: &Line) -> Option<PieceType> {
    let [mv, reply, next, ..] = line.moves[..] else { return None };
    let [before, after] = [&line.positions[0], &line.positions[1]];
    let square = if after.captured(reply).is_some() { reply.to() } else { mv.to() };
    let keeps = |&mv: &Move| most(&before.after(mv)) - taken(before, mv) < SACRIFICE;
    let is_offered = winnings(after, square) - taken(before, mv) >= SACRIFICE
        && next.to() != square
        && before.legal_moves().iter().any(keeps);
    let piece = after.piece_at(square).filter(|_| is_offered)?;
    (!piece.is(PieceType::Pawn)).then(|| piece.kind())
}

/// The longest mate, in moves, that a person can be expected to see.
const SEEN: i32 = 5;

/// The least winning chance, in percent, after a move that is praised.
const FAIR: f64 = 45.0;

/// The least material that counts as a sacrifice.
const SACRIFICE: i32 = 2 * PAWN;

/// The winning chance, in percent, that the second best move loses where the best is the only good one.
const ONLY: f64 = 20.0;

/// The number of moves in which a side mates.
fn mates_in(score: WhiteScore, side: Color) -> Option<i32> {
    match score {
        WhiteScore::Mate(moves) if (moves > 0) == (side == Color::White) => Some(moves.abs()),
        _ => None,
    }
}

/// How a side stands, by its winning chance.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Lost,
    Worse,
    Equal,
    Better,
    Won,
}

impl Standing {
    fn of(win_percent: f64) -> Standing {
        match win_percent {
            85.0.. => Standing::Won,
            60.0..85.0 => Standing::Better,
            40.0..60.0 => Standing::Equal,
            15.0..40.0 => Standing::Worse,
            _ => Standing::Lost,
        }
    }
}
