//! Opening moves of the person that cost points: by the position they are played in, whatever order of moves led
//! there, with what was scored and a better move from a search that is long enough to stand.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use super::judged::{JudgedGame, Played};
use super::reviews::Order;
use crate::analysis::moves_text;
use engine::board::{Move, Position};
use engine::search::EngineError;

/// The least games and the least mean loss of a move that is named, and the most of them.
const LEAST_GAMES: usize = 3;
const COSTLY: f64 = 0.05;
const MOST: usize = 5;

/// The nodes by which a better move is found.
const NODES: u64 = 5_000_000;

/// The length of a line, in moves.
const LINE: usize = 8;

#[derive(Clone, Debug, Serialize)]
pub struct OpeningMove {
    pub fen: String,
    /// "4." or "4...".
    pub number: String,
    /// The move, and the line of the better one, each as UCI and SAN.
    pub played: String,
    pub better: String,
    /// The better move is from a search of millions of nodes.
    pub is_checked: bool,
    pub games: usize,
    /// The person's points in games with a result.
    pub points: f64,
    pub results: usize,
    /// The mean loss, in points.
    pub loss: f64,
    #[serde(skip)]
    position: Position,
    #[serde(skip)]
    mv: Move,
}

/// The moves that cost most in all their games together.
pub fn opening_moves(games: &[JudgedGame]) -> Vec<OpeningMove> {
    let mut found: BTreeMap<(u64, String), OpeningMove> = BTreeMap::new();
    for game in games {
        let result = game.swings[0].result;
        for Played { position, mv, loss, best } in &game.opening {
            let of_move = found.entry((position.key(), position.uci(*mv, true)));
            let it = of_move.or_insert_with(|| OpeningMove {
                fen: position.fen().to_string(),
                number: position.san_number(),
                played: moves_text(position, [mv].into_iter()),
                better: moves_text(position, best.iter().take(LINE)),
                is_checked: false,
                games: 0,
                points: 0.0,
                results: 0,
                loss: 0.0,
                position: *position,
                mv: *mv,
            });
            it.games += 1;
            it.loss += loss;
            it.points += result.unwrap_or_default();
            it.results += usize::from(result.is_some());
        }
    }
    let mean = |it: OpeningMove| OpeningMove { loss: it.loss / it.games as f64, ..it };
    let is_named = |it: &OpeningMove| it.games >= LEAST_GAMES && it.loss >= COSTLY;
    let mut named: Vec<OpeningMove> = found.into_values().map(mean).filter(is_named).collect();
    let cost = |it: &OpeningMove| it.loss * it.games as f64;
    named.sort_by(|one, other| cost(other).total_cmp(&cost(one)));
    named.truncate(MOST);
    named
}

/// Looks for the better moves for long. Moves that cost nothing then are no longer named; after a stop, the rest
/// stays as it is.
pub fn check(
    moves: &mut Vec<OpeningMove>,
    order: &Order,
    stop: &AtomicBool,
) -> Result<(), EngineError> {
    let long = Order { nodes: NODES, ..order.clone() };
    let both = moves.iter().flat_map(|it| [it.position, it.position.after(it.mv)]);
    let found = long.look(&both.collect::<Vec<_>>(), 1, 1, stop)?;
    for (it, found) in moves.iter_mut().zip(found.chunks_exact(2)) {
        let chance = |at: usize| found[at].white_score.win_percent(it.position.side()) / 100.0;
        it.better = moves_text(&it.position, found[0].pv.iter().take(LINE));
        it.loss = match found[0].pv.first() {
            Some(&best) if best == it.mv => 0.0,
            _ => (chance(0) - chance(1)).max(0.0),
        };
        it.is_checked = true;
    }
    moves.retain(|it| !it.is_checked || it.loss >= COSTLY);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::judged::Swing;

    /// A game that begins with these moves, of which the last is White's and costs something.
    fn game(words: &str, result: f64) -> JudgedGame {
        let (mut position, mut opening) = (Position::start(), Vec::new());
        let words: Vec<&str> = words.split(' ').collect();
        for (ply, word) in words.iter().enumerate() {
            let mv = position.parse_san(word).expect(word);
            let loss = if ply + 1 == words.len() { 0.2 } else { 0.0 };
            opening.push(Played { position, mv, loss, best: vec![mv] });
            position = position.after(mv);
        }
        let swings = [Swing { result: Some(result), ..Swing::default() }; 2];
        JudgedGame { id: 0, moves: Vec::new(), swings, month: None, ratings: [None; 2], opening }
    }

    #[test]
    fn orders_of_moves_that_meet_are_one_position() {
        let games = [
            game("d4 Nf6 c4 e6 Nc3 d5 h4", 0.0),
            game("c4 e6 d4 d5 Nc3 Nf6 h4", 0.5),
            game("d4 d5 c4 e6 Nc3 Nf6 h4", 0.0),
            game("d4 d5 c4 e6 Nc3 Nf6 a4", 0.0),
        ];
        let [named] = &opening_moves(&games)[..] else { panic!("one move was played three times") };
        assert_eq!((named.played.as_str(), named.games, named.points), ("h2h4 h4", 3, 0.5));
        assert!((named.loss - 0.2).abs() < 1e-9 && !named.is_checked);
    }
}
