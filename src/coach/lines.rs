//! Own opening lines and their exercises: the person's moves, above all where games left the line,
//! and replies where the opponent left it.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::exercises::{Exercise, ExerciseKind, LINES, LONGER, good_moves};
use super::overview::{MOST_IN_TREES, Reviewed};
use super::reviews::{Order, ReviewError};
use super::schedule::Memory;
use super::spots::title;
use crate::analysis::moves_text;
use crate::library::{Library, Place};
use engine::board::{Color, Move, Position};

/// The longest line, in plies.
pub const LONGEST: usize = 60;

/// The most exercises per line on positions where the opponent left it.
const MOST_REPLIES: usize = 6;

/// The number of moves shown before a question.
const BEFORE: usize = 6;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OwnLine {
    /// The person's side.
    pub is_white: bool,
    pub name: String,
    /// The moves as UCI and SAN, from the usual start.
    pub moves: String,
}

impl OwnLine {
    /// Parses a line in UCI notation. The moves must be legal, and one of them the person's.
    pub fn new(is_white: bool, name: String, moves: &[String]) -> Option<OwnLine> {
        let mut position = Position::start();
        let mut played = Vec::new();
        for word in moves.iter().take(LONGEST) {
            let mv = position.parse_uci(word).ok()?;
            played.push(mv);
            position = position.after(mv);
        }
        let has_own = played.len() > usize::from(!is_white);
        let moves = moves_text(&Position::start(), played.iter());
        has_own.then_some(OwnLine { is_white, name, moves })
    }

    fn color(&self) -> Color {
        if self.is_white { Color::White } else { Color::Black }
    }

    /// The positions and the moves between them. A damaged line gives fewer.
    fn played(&self) -> (Vec<Position>, Vec<Move>) {
        let (mut positions, mut moves) = (vec![Position::start()], Vec::new());
        for word in self.moves.split(' ').step_by(2) {
            let position = positions[positions.len() - 1];
            let Ok(mv) = position.parse_uci(word) else { break };
            moves.push(mv);
            positions.push(position.after(mv));
        }
        (positions, moves)
    }
}

/// The number of an exercise: replies have that of their position, the person's moves their ply.
const REPLIES: u64 = 1 << 63;

/// The place of a line's exercises among those of games.
pub fn places(id: u64) -> Range<Place> {
    const LINES: u64 = 1 << 63;
    (LINES | id, 0)..(LINES | (id + 1), 0)
}

/// The missing exercises of a line, by the continuations of the person's games.
pub fn line_exercises(
    library: &Library,
    order: &Order,
    (id, line): (u64, &OwnLine),
    mine: &[Reviewed],
    stop: &AtomicBool,
) -> Result<Vec<(Place, Exercise)>, ReviewError> {
    let (positions, moves) = line.played();
    let mut left: BTreeMap<usize, Vec<Move>> = BTreeMap::new();
    let mut replies = Vec::new();
    let mut seen = HashSet::new();
    for (game_id, head, side) in mine.iter().take(MOST_IN_TREES) {
        if *side != line.color() {
            continue;
        }
        let game = library.game(*game_id)?;
        if game.start.key() != positions[0].key() {
            continue;
        }
        let played = game.moves.iter().map(|played| played.mv);
        let same = played.clone().zip(&moves).take_while(|(one, other)| one == *other).count();
        let Some(other) = played.clone().nth(same).filter(|_| same < moves.len()) else { continue };
        if positions[same].side() == *side {
            left.entry(same).or_default().push(other);
        } else if let Some(reply) = played.clone().nth(same + 1) {
            let position = positions[same].after(other);
            let place = (places(id).start.0, REPLIES | position.key());
            let is_new = seen.len() < MOST_REPLIES && seen.insert(place);
            if is_new && library.exercise::<Exercise>(place)?.is_none() {
                replies.push((place, title(head), same, other, position, reply));
            }
        }
    }
    let mut made = Vec::new();
    for (ply, (position, &mv)) in positions.iter().zip(&moves).enumerate() {
        if position.side() == line.color() {
            let place = (places(id).start.0, ply as u64);
            let mine = left.get(&ply).map_or(&[][..], Vec::as_slice);
            if library.exercise::<Exercise>(place)?.is_none() {
                made.push((place, own_move(line, &positions, &moves, ply, mv, mine)));
            }
        }
    }
    let asked: Vec<Position> = replies.iter().map(|(.., position, _)| *position).collect();
    let found = order.look(&asked, LONGER, LINES, stop)?;
    for ((place, game, same, other, position, reply), found) in replies.into_iter().zip(found) {
        let good = good_moves(&position, &found);
        let Some(&best) = good.first() else { continue };
        let first = (same + 1).saturating_sub(BEFORE);
        let before = [&moves[first..same], &[other]].concat();
        let is_told = !good.contains(&reply);
        let played = if is_told { &[reply][..] } else { &[] };
        let words = good.iter().map(|mv| moves_text(&position, [mv].into_iter()));
        let exercise = Exercise {
            kind: ExerciseKind::Reply,
            game,
            fen: position.fen().to_string(),
            played: moves_text(&position, played.iter()),
            good: words.collect::<Vec<_>>().join(" "),
            line: moves_text(&position, found.pv.iter()),
            before: moves_text(&positions[first], before.iter()),
            chance: found.white_score.win_percent(position.side()),
            motif: None,
            hint: None,
            from: best.from().to_string(),
            why: "was not among the good answers".to_string(),
            memory: Memory::default(),
        };
        made.push((place, exercise));
    }
    Ok(made)
}

/// The exercise for a move of the line, with the moves of games that left it.
fn own_move(
    line: &OwnLine,
    positions: &[Position],
    moves: &[Move],
    ply: usize,
    mv: Move,
    left: &[Move],
) -> Exercise {
    let position = &positions[ply];
    let first = ply.saturating_sub(BEFORE);
    let why = match left.len() {
        0 => "is not the move of your line".to_string(),
        1 => "left your line, in one game".to_string(),
        _ => format!("left your line; you did so in {} games", left.len()),
    };
    Exercise {
        kind: ExerciseKind::Line,
        game: format!("Your line with {}: {}", line.color(), line.name),
        fen: position.fen().to_string(),
        played: moves_text(position, left.first().into_iter()),
        good: moves_text(position, [mv].iter()),
        line: moves_text(position, moves[ply..].iter()),
        before: moves_text(&positions[first], moves[first..ply].iter()),
        chance: 50.0,
        motif: None,
        hint: Some("the move of your line".to_string()),
        from: mv.from().to_string(),
        why,
        memory: Memory::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(is_white: bool, moves: &str) -> Option<OwnLine> {
        let moves: Vec<String> = moves.split(' ').map(str::to_string).collect();
        OwnLine::new(is_white, "Mine".to_string(), &moves)
    }

    #[test]
    fn a_line_has_a_move_of_mine_and_is_legal() {
        assert_eq!(line(true, "e2e4 e7e5").expect("a line").moves, "e2e4 e4 e7e5 e5");
        assert!(line(false, "e2e4").is_none());
        assert!(line(true, "e2e5").is_none());
        assert!(line(true, "").is_none());
    }
}
