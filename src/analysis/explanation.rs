//! What a move did, as the end of a sentence that begins with it: "lets 20... Qf2 fork the king and the
//! rook on d1, and loses the exchange".

use super::analyser::PositionAnalysis;
use super::motifs::{Found, Line, Motif, PAWN, Turn, find, list, named, phrase, winnings};
use super::white_score::WhiteScore;
use crate::board::{Color, Move, PieceType, Position};

/// Pawns, minor pieces, rooks and queens of a side, less those of the other.
type Balance = [i32; 4];

/// What each of them is worth.
const PAWNS: Balance = [1, 3, 5, 9];

/// The plies of a line in which material is counted.
const HORIZON: usize = 8;

/// The most plies that are told before the move with a motif.
const LEADING: usize = 4;

/// What a move did, of which the positions before and after were analysed.
pub fn explanation(
    position: &Position,
    mv: Move,
    before: &PositionAnalysis,
    after: &PositionAnalysis,
) -> String {
    let mover = position.side();
    let missed = Line::new(position, &before.pv, 0);
    let allowed = Line::new(position, &[&[mv], &after.pv[..]].concat(), 1);
    if let Some(moves) = mates_in(after.white_score, !mover)
        && mates_in(before.white_score, !mover).is_none()
    {
        return format!("allows {}", mate(&allowed, moves));
    }
    if let Some(moves) = mates_in(before.white_score, mover) {
        return format!("misses {}", mate(&missed, moves));
    }
    let [could, can] = [&missed, &allowed].map(main_motif);
    let now = balance(position, mover);
    let [best, played] = [&missed, &allowed].map(|line| settled(line, mover));
    if worth(best) > worth(played) && worth(now) > worth(played) {
        let loss = minus(now, played);
        return match can.filter(|found| found.pays) {
            Some(found) if is_all(&allowed, found, loss) => lets(&allowed, found),
            Some(found) => format!("{}, and loses {}", lets(&allowed, found), name(loss)),
            None => format!("loses {}: {}", name(loss), winning(&allowed)),
        };
    } else if worth(best) > worth(played) && worth(best) > worth(now) {
        let win = minus(best, now);
        return match could.filter(|found| found.pays) {
            Some(found) if is_all(&missed, found, win) => misses(&missed, found),
            Some(found) => format!("{} and wins {}", misses(&missed, found), name(win)),
            None => format!("misses {}: {}", name(win), winning(&missed)),
        };
    }
    let [was, is] = [before, after].map(|found| standing(found.white_score.win_percent(mover)));
    let turn = if was == is {
        format!("makes {is} position worse")
    } else {
        format!("turns {was} position into {is} one")
    };
    let can = can.filter(|found| found.ply == 1 && !found.motif.is_quiet());
    let could = could.filter(|found| found.ply == 0);
    match (can, could) {
        (Some(found), could) if found.pays || could.is_none_or(|it| it.motif.is_quiet()) => {
            format!("{}, and {turn}", lets(&allowed, found))
        }
        (_, Some(found)) => format!("{}, and {turn}", misses(&missed, found)),
        _ => format!("{turn}: {}", leading(&allowed, 3)),
    }
}

/// What to look for instead of a bad move.
pub fn hint(position: &Position, before: &PositionAnalysis) -> Option<String> {
    let mate = mates_in(before.white_score, position.side());
    let motif = || main_motif(&Line::new(position, &before.pv, 0))?.motif.name();
    mate.map(|moves| format!("mate in {moves}")).or_else(|| motif().map(str::to_string))
}

/// What is to be praised in the best move of a position, if anything: what it wins by a motif, that it
/// gives up material, or that nothing else was good.
pub fn praise(position: &Position, mv: Move, before: &PositionAnalysis) -> Option<String> {
    let mover = position.side();
    let chance = before.white_score.win_percent(mover);
    if before.pv.first() != Some(&mv) || chance < FAIR {
        return None;
    }
    let line = Line::new(position, &before.pv, 0);
    let [now, then] = [balance(position, mover), settled(&line, mover)];
    if worth(now) - worth(then) >= SACRIFICE {
        return Some(format!("gives up {}, and is the best move", name(minus(now, then))));
    }
    let does = main_motif(&line).filter(|found| {
        let is_plain = matches!(found.motif, Motif::Hanging { .. } | Motif::Attack { .. });
        found.pays && found.ply == 0 && !is_plain && worth(then) > worth(now)
    });
    let does = does.map(|found| third_person(&phrase(&line, &found)));
    let other = before.others.first().map(|other| other.white_score.win_percent(mover));
    let is_only = other.is_some_and(|other| chance - other >= ONLY);
    match does {
        Some(does) if is_only => Some(format!("{does}, and is the only good move")),
        None if is_only && position.captured(mv).is_none() => {
            Some("is the only good move".to_string())
        }
        does => does,
    }
}

/// The least chance to win, in percent, that a praised move leaves.
const FAIR: f64 = 45.0;

/// The least material that is a sacrifice, in pawns.
const SACRIFICE: i32 = 2;

/// What the second best move loses, in percent of the chance to win, when the best is the only good one.
const ONLY: f64 = 20.0;

/// The motif of a line that says most: the first that wins something, or one of the first move.
fn main_motif(line: &Line) -> Option<Found> {
    let is_told = |found: &Found| match found.ply - line.first {
        0 => true,
        plies => found.pays && plies <= LEADING,
    };
    find(line).into_iter().filter(is_told).min_by_key(|found| (!found.pays, found.ply))
}

/// What the first move of a line allows.
fn lets(line: &Line, found: Found) -> String {
    let (leading, after) = (leading(line, found.ply), &line.positions[1]);
    match found.motif {
        Motif::Hanging { taken, .. } if taken == line.moves[0].to() => {
            format!("puts {} where {leading} takes it", named(after, taken))
        }
        Motif::Hanging { taken, is_defended } => {
            let how = if is_defended { "underdefended" } else { "undefended" };
            format!("leaves {} {how}: {leading}", named(after, taken))
        }
        _ => format!("lets {leading} {}", phrase(line, &found)),
    }
}

fn misses(line: &Line, found: Found) -> String {
    let does = third_person(&phrase(line, &found));
    format!("misses {}, which {does}", leading(line, found.ply))
}

/// "fork the king", as it is said of one piece.
fn third_person(phrase: &str) -> String {
    let verb = phrase.find(' ').unwrap_or(phrase.len());
    format!("{}s{}", &phrase[..verb], &phrase[verb..])
}

/// The moves of a line from the hero's first up to a ply.
fn leading(line: &Line, ply: usize) -> String {
    let end = line.moves.len().min(ply + 1);
    line.positions[line.first].san_line(&line.moves[line.first..end]).join(" ")
}

/// Whether all that a line wins is a piece that it takes at once.
fn is_all(line: &Line, found: Found, win: Balance) -> bool {
    let taken = line.turns().next().map_or(0, |turn| turn.taken());
    matches!(found.motif, Motif::Hanging { .. }) && PAWN * worth(win) == taken
}

/// The moves of a line until the hero has won what it wins.
fn winning(line: &Line) -> String {
    let end = worth(settled(line, line.hero()));
    let has_won = |turn: &Turn| {
        let after = turn.after();
        worth(balance(after, line.hero())) - winnings(after, turn.to()) / PAWN >= end
    };
    leading(line, line.turns().find(has_won).map_or(line.first, |turn| turn.ply))
}

/// A mate with its first moves and its pattern, if they are known.
fn mate(line: &Line, moves: i32) -> String {
    let mate = find(line).into_iter().find_map(|found| match found.motif {
        Motif::Mate { moves: count, pattern } if count as i32 == moves => Some(pattern),
        _ => None,
    });
    let Some(pattern) = mate else { return format!("mate in {moves}") };
    let pattern = pattern.map_or(String::new(), |name| format!(" ({name} mate)"));
    format!("mate in {moves}{pattern}: {}", leading(line, line.first + LEADING))
}

/// In how many moves a side mates.
fn mates_in(score: WhiteScore, side: Color) -> Option<i32> {
    match score {
        WhiteScore::Mate(moves) if (moves > 0) == (side == Color::White) => Some(moves.abs()),
        _ => None,
    }
}

fn balance(position: &Position, side: Color) -> Balance {
    let mut balance = Balance::default();
    for (_, piece) in position.pieces() {
        let index = match piece.kind() {
            PieceType::King => continue,
            PieceType::Pawn => 0,
            PieceType::Knight | PieceType::Bishop => 1,
            PieceType::Rook => 2,
            PieceType::Queen => 3,
        };
        balance[index] += if piece.color() == side { 1 } else { -1 };
    }
    balance
}

/// The balance behind a line, without a capture at its end that nothing answers.
fn settled(line: &Line, side: Color) -> Balance {
    let plies = line.moves.len().min(HORIZON);
    let is_quiet = |&ply: &usize| line.positions[ply].captured(line.moves[ply]).is_none();
    // Of a line of captures alone, what both sides took.
    let end = (0..plies).rev().find(is_quiet).map_or(plies, |ply| ply + 1);
    balance(&line.positions[end], side)
}

fn worth(balance: Balance) -> i32 {
    balance.iter().zip(PAWNS).map(|(count, pawns)| count * pawns).sum()
}

fn minus(a: Balance, b: Balance) -> Balance {
    std::array::from_fn(|i| a[i] - b[i])
}

/// The name of a loss: "a rook for a piece and 2 pawns", "the exchange".
fn name(loss: Balance) -> String {
    let (exchange, loss) = match loss {
        [pawns, -1, 1, queens] => (1, [pawns, 0, 0, queens]),
        [pawns, 1, -1, queens] => (-1, [pawns, 0, 0, queens]),
        _ => (0, loss),
    };
    let [lost, won] = [1, -1].map(|sign| {
        let names = ["pawn", "piece", "rook", "queen"].iter().zip(loss).rev();
        let names = names.filter_map(|(name, count)| match sign * count {
            ..=0 => None,
            1 => Some(format!("a {name}")),
            count => Some(format!("{count} {name}s")),
        });
        let exchange = (exchange == sign).then(|| "the exchange".to_string());
        list(&exchange.into_iter().chain(names).collect::<Vec<_>>())
    });
    if won.is_empty() { lost } else { format!("{lost} for {won}") }
}

/// How a side stands.
fn standing(win_percent: f64) -> &'static str {
    match win_percent {
        85.0.. => "a won",
        60.0..85.0 => "a better",
        40.0..60.0 => "an equal",
        15.0..40.0 => "a worse",
        _ => "a lost",
    }
}
