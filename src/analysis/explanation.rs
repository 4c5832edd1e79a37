//! Explains a move in words that follow its name: "lets 20... Qf2 fork the king and the rook on d1, and loses
//! the exchange".

use super::analyser::PositionAnalysis;
use super::material::Material;
use super::motifs::{
    Line, Motif, PAWN, captures, find, is_piece, kind_at, most, taken, value_at, winnings,
};
use super::story::Story;
use super::white_score::WhiteScore;
use engine::board::{Color, Move, PieceType, Position, Square};

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
    let [best, answered] = [0, 1].map(|first| Line::new(position, &before.pv, first));
    // A mate that nobody would see explains nothing.
    let [allows, misses] =
        [mates_in(after.white_score, !mover), mates_in(before.white_score, mover)]
            .map(|moves| moves.filter(|&moves| moves <= SEEN));
    let missed = Story::new(best, Some(&own), misses.is_some());
    // Ignores what the best move also allows.
    let is_common = is_lost_anyway(&allowed, &answered);
    let is_same = is_common || allowed.moves.get(1) == answered.moves.get(1);
    let allowed = Story::new(allowed, Some(&answered).filter(|_| is_same), allows.is_some());
    if let Some(moves) = allows
        && mates_in(before.white_score, !mover).is_none()
    {
        return format!("allows {}", allowed.mate(moves));
    }
    if let Some(moves) = misses {
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
    let [had, left] = [before, after].map(|found| found.white_score.win_percent(mover));
    let is = Standing::of(left);
    if before.white_score == WhiteScore::Centipawns(0)
        && best.worth() < 0
        && matches!(is, Standing::Lost | Standing::Worse)
    {
        return format!("misses the draw: {}", missed.moves(0, 4));
    }
    // What both moves take is not missed: the point is what comes back.
    let kept = Material::after(&allowed.line, 1, mover);
    let is_other = |best: &Move| best.to() == mv.to() && best.from() != mv.from();
    let takes_too = missed.line.moves.first().is_some_and(is_other);
    if takes_too
        && kept.worth() > now.worth()
        && counts(kept - played)
        && let Some(told) = allowed.loses(kept - played)
    {
        return told;
    }
    // The replies of a line are not forced: it wins no more than its score says.
    let is_borne_out = match before.white_score {
        WhiteScore::Centipawns(score) => {
            let score = if mover == Color::White { score } else { -score };
            best.worth() - PAWN * 5 / 2 <= score
        }
        _ => true,
    };
    // The point is what the best move takes for what is lost anyway.
    if is_common && missed.pays() && is_borne_out {
        return format!("{}, and {}", missed.misses(None), turn(mover, had, left));
    }
    let turn = turn(mover, had, left);
    // What is taken at once is nearer than what would have been won later.
    let takes =
        allowed.line.moves.get(1).map_or(0, |&reply| taken(&allowed.line.positions[1], reply));
    let is_nearer = !missed.is_direct() || takes >= failed.worth() + 2 * PAWN;
    let is_taken = allowed.pays() && allowed.is_direct() && is_nearer;
    if best.worth() > played.worth() && !is_common {
        let loses = || allowed.loses(lost).filter(|_| counts(lost));
        let told = (lost.worth() >= failed.worth()).then(loses).flatten();
        let wins = || missed.would_win(failed).filter(|_| counts(failed));
        let is_won = failed.worth() > 0 && is_borne_out && !is_taken;
        if let Some(told) = told.or_else(|| is_won.then(wins).flatten()) {
            return told;
        }
    }
    if takes_too && kept.worth() > now.worth() && !allowed.pays() {
        return format!("takes with the wrong piece, and {turn}");
    }
    let is_castling = |mv: Option<&Move>| mv.is_some_and(|mv| mv.is_castling());
    if mv.is_castling() && is_castling(missed.line.moves.first()) && !allowed.pays() {
        return format!("castles to the wrong side, and {turn}");
    }
    // Of two reasons that win nothing at once, what the move allows is the nearer one, unless a greater piece could
    // have been attacked.
    let attacks_more = (1..missed.attacked()).contains(&allowed.attacked());
    let is_missed = is_borne_out && (missed.pays() || !missed.is_idle() && attacks_more);
    let is_lets = allowed.is_direct() || !missed.is_direct() || missed.is_idle();
    if allowed.pays() || !allowed.is_quiet() && is_lets && !is_missed {
        format!("{}, and {turn}", allowed.lets())
    } else if !missed.is_idle() && is_borne_out {
        format!("{}, and {turn}", missed.misses(None))
    } else if gives_bishop(position, mv, after) {
        format!("gives the bishop for a knight, and {turn}")
    } else {
        format!("{turn}: {}", allowed.moves(1, 3))
    }
}

/// Whether a bishop takes a knight and is taken.
fn gives_bishop(position: &Position, mv: Move, after: &PositionAnalysis) -> bool {
    kind_at(position, mv.from()) == Some(PieceType::Bishop)
        && kind_at(position, mv.to()) == Some(PieceType::Knight)
        && after.pv.first().is_some_and(|reply| reply.to() == mv.to())
}

/// Whether what the reply to a move takes is taken after the best move too, at once or a little later.
fn is_lost_anyway(allowed: &Line, answered: &Line) -> bool {
    let takes = |line: &Line, ply: usize| {
        let reply = *line.moves.get(ply)?;
        line.positions[ply].captured(reply).map(|piece| (piece, reply.to()))
    };
    let taken = takes(allowed, 1);
    // A pawn may fall a little later.
    let is_pawn = taken.is_some_and(|(piece, _)| piece.is(PieceType::Pawn));
    let plies = if is_pawn { &[1, 3, 5][..] } else { &[1] };
    taken.is_some() && plies.iter().any(|&ply| takes(answered, ply) == taken)
}

/// How a bad move changes the state of the game.
fn turn(mover: Color, had: f64, left: f64) -> String {
    let other = !mover;
    // Half of an advantage is most of what it was worth.
    let is_most = had - left > (had - 50.0) / 2.0;
    match (Standing::of(had), Standing::of(left)) {
        (Standing::Lost, Standing::Lost) => format!("makes it easier for {other}"),
        (_, Standing::Lost) => format!("leaves {other} winning"),
        (Standing::Worse, Standing::Worse) => format!("adds to the advantage of {other}"),
        (_, Standing::Worse) => format!("leaves {other} better"),
        (Standing::Won, Standing::Equal) => "throws the win away".to_string(),
        (Standing::Better, Standing::Equal) => "gives the advantage away".to_string(),
        (_, Standing::Equal) => format!("gives {other} the easier game"),
        (_, Standing::Better) if is_most => "gives back most of the advantage".to_string(),
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
    let mates_at_last = mates_in(before.white_score, mover);
    let mates = mates_at_last.filter(|&moves| moves <= SEEN);
    let others = before.others.first();
    let other = others.map(|other| other.white_score.win_percent(mover));
    let is_won = other.is_none_or(|other| Standing::of(other) == Standing::Won);
    // A mate in a game that is won anyway deserves no praise.
    if mates.is_some() && is_won && position.captured(mv).is_some() {
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
    // A pawn is a poor aim.
    let is_pawn = (1..=PAWN).contains(&story.attacked());
    let is_plain = story.told.first().is_none_or(|found| {
        let is_simple = matches!(found.motif, Motif::Hanging { .. } | Motif::Attack { .. });
        found.ply > 0 || is_simple || is_pawn
    });
    let wins = story.pays() && then.worth() >= now.worth() + SACRIFICE;
    // A long mate wins more than any motif.
    let is_telling = wins && !is_plain && mates == mates_at_last;
    let does = is_telling.then(|| story.does());
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

/// The greatest piece that the first move of a line leaves to be taken, though another move could have kept it,
/// and that is not just exchanged, on its square or elsewhere.
fn offered(line: &Line) -> Option<PieceType> {
    let &mv = line.moves.first()?;
    let [before, after] = [&line.positions[0], &line.positions[1]];
    let keeps = |&mv: &Move| most(&before.after(mv)) - taken(before, mv) < SACRIFICE;
    if !before.legal_moves().iter().any(keeps) {
        return None;
    }
    let loss = |&square: &Square| {
        let captures = captures(after, square).into_iter();
        let by = captures.min_by_key(|mv| value_at(after, mv.from()));
        by.is_some_and(|by| {
            let regained = most(&after.after(by));
            value_at(after, square) - taken(before, mv) - regained >= SACRIFICE
        })
    };
    let pieces = after.occupied_by(before.side()).into_iter();
    // A new queen was a pawn.
    let is_old = |square: Square| mv.promoted().is_none() || square != mv.to();
    let pieces = pieces.filter(|&at| is_piece(after, at) && is_old(at)).filter(loss);
    let square = pieces.max_by_key(|&square| value_at(after, square))?;
    kind_at(after, square)
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
            75.0.. => Standing::Won,
            58.0..75.0 => Standing::Better,
            42.0..58.0 => Standing::Equal,
            25.0..42.0 => Standing::Worse,
            _ => Standing::Lost,
        }
    }
}
