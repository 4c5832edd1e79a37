//! Opening moves of the person that cost points: by the position they are played in, whatever order of moves led
//! there, with what was scored and a better move from a search that is long enough to stand.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::judged::{JudgedGame, Played};
use super::reviews::{Order, ReviewError};
use crate::analysis::{PositionAnalysis, moves_text};
use crate::library::{Finding, Library, LibraryError};
use engine::board::{Move, Position};

/// The least games and the least mean loss of a move that is named, and the most of them.
const LEAST_GAMES: usize = 3;
const COSTLY: f64 = 0.05;
const MOST: usize = 5;

/// How much longer than a review a better move is looked for: 5 million nodes, so that it stands.
const LONGER: u64 = 250;

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

impl OpeningMove {
    /// The move in UCI notation.
    fn word(&self) -> &str {
        self.played.split(' ').next().unwrap_or_default()
    }
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

/// What a long search found.
#[derive(Serialize, Deserialize)]
struct Checked {
    better: String,
    loss: f64,
}

/// Takes what long searches found. Moves that cost nothing then are no longer named.
pub fn take_checked(library: &Library, moves: &mut Vec<OpeningMove>) -> Result<(), LibraryError> {
    for it in moves.iter_mut() {
        if let Some(Checked { better, loss }) = library.checked(it.position.key(), it.word())? {
            (it.better, it.loss, it.is_checked) = (better, loss, true);
        }
    }
    moves.retain(|it| !it.is_checked || it.loss >= COSTLY);
    Ok(())
}

/// Looks for better moves for long, where that was not done.
pub fn check(
    library: &Library,
    moves: &[OpeningMove],
    order: &Order,
    stop: &AtomicBool,
) -> Result<(), ReviewError> {
    // Such a search does not end when somebody plays, so it leaves the other cores alone.
    let order = Order { threads: 1, ..order.clone() };
    for it in moves.iter().filter(|it| !it.is_checked) {
        let both = [it.position, it.position.after(it.mv)];
        let [before, after] = &order.look(&both, LONGER, 1, stop)?[..] else { return Ok(()) };
        if stop.load(Relaxed) {
            return Ok(());
        }
        let chance = |found: &PositionAnalysis| found.white_score.win_percent(it.position.side());
        let is_best = before.pv.first() == Some(&it.mv);
        let loss = if is_best { 0.0 } else { (chance(before) - chance(after)).max(0.0) / 100.0 };
        let better = moves_text(&it.position, before.pv.iter().take(LINE));
        let (position, mv) = (it.position.key(), it.word().to_string());
        let found = json!(Checked { better, loss });
        library.keep(Finding::Opening { position, mv, found })?;
    }
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
