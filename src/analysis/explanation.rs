//! What a bad move did wrong, in a few words: "loses a piece".

use super::analyser::PositionAnalysis;
use super::white_score::WhiteScore;
use crate::board::{Color, Move, PieceType, Position};

/// Pawns, minor pieces, rooks and queens of a side, less those of the other.
type Balance = [i32; 4];

/// What each of them is worth.
const PAWNS: Balance = [1, 3, 5, 9];

/// The plies of a line in which material is counted.
const HORIZON: usize = 8;

/// What a move did, of which the positions before and after were analysed.
pub fn explanation(
    position: &Position,
    mv: Move,
    before: &PositionAnalysis,
    after: &PositionAnalysis,
) -> String {
    let mover = position.side();
    if let Some(moves) = mates_in(after.white_score, !mover)
        && mates_in(before.white_score, !mover).is_none()
    {
        return format!("allows mate in {moves}");
    }
    if let Some(moves) = mates_in(before.white_score, mover) {
        return format!("misses mate in {moves}");
    }
    let now = balance(position, mover);
    let played = settled(position, &[&[mv], &after.pv[..]].concat(), mover);
    let best = settled(position, &before.pv, mover);
    if worth(best) > worth(played) {
        if worth(now) > worth(played) {
            return format!("loses {}", name(minus(now, played)));
        } else if worth(best) > worth(now) {
            return format!("misses {}", name(minus(best, now)));
        }
    }
    let [was, is] = [before, after].map(|found| standing(found.white_score.win_percent(mover)));
    if was == is {
        format!("makes {is} position worse")
    } else {
        format!("turns {was} position into {is} one")
    }
}

/// What is to be praised in the best move of a position, if anything: that it gives up material, or that
/// nothing else was good.
pub fn praise(position: &Position, mv: Move, before: &PositionAnalysis) -> Option<String> {
    let mover = position.side();
    let chance = before.white_score.win_percent(mover);
    if before.pv.first() != Some(&mv) || chance < FAIR {
        return None;
    }
    let given = minus(balance(position, mover), settled(position, &before.pv, mover));
    if worth(given) >= SACRIFICE {
        return Some(format!("gives up {}, and is the best move", name(given)));
    }
    let other = before.others.first()?.white_score.win_percent(mover);
    let is_only = chance - other >= ONLY && position.captured(mv).is_none();
    is_only.then(|| "is the only good move".to_string())
}

/// The least chance to win, in percent, that a praised move leaves.
const FAIR: f64 = 45.0;

/// The least material that is a sacrifice, in pawns.
const SACRIFICE: i32 = 2;

/// What the second best move loses, in percent of the chance to win, when the best is the only good one.
const ONLY: f64 = 20.0;

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
fn settled(position: &Position, line: &[Move], side: Color) -> Balance {
    let mut positions = vec![*position];
    let mut quiet = 0;
    for (ply, &mv) in line.iter().take(HORIZON).enumerate() {
        let position = positions[ply];
        if position.captured(mv).is_none() {
            quiet = ply + 1;
        }
        positions.push(position.after(mv));
    }
    // Of a line of captures alone, what both sides took.
    let end = if quiet == 0 { positions.len() - 1 } else { quiet };
    balance(&positions[end], side)
}

fn worth(balance: Balance) -> i32 {
    balance.iter().zip(PAWNS).map(|(count, pawns)| count * pawns).sum()
}

fn minus(a: Balance, b: Balance) -> Balance {
    std::array::from_fn(|i| a[i] - b[i])
}

/// The name of a loss.
fn name(loss: Balance) -> String {
    let text = match loss {
        [1, 0, 0, 0] => "a pawn",
        [pawns, 0, 0, 0] => return format!("{pawns} pawns"),
        [0, 1, 0, 0] => "a piece",
        [-1, 1, 0, 0] => "a piece for a pawn",
        [_, 2, 0, 0] => "two pieces",
        [_, -1, 1, 0] => "the exchange",
        [_, 0, 1, 0] => "a rook",
        [_, 0, 0, 1] => "the queen",
        [_, 0, -1, 1] => "the queen for a rook",
        [_, -1, 0, 1] => "the queen for a piece",
        _ => "material",
    };
    text.to_string()
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
