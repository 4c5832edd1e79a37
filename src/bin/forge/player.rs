//! Plays and adjudicates self-play games.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use zebu::board::{self, Color, Ending, Position};
use zebu::eval::Evaluator;
use zebu::search::{Limits, SingleThread, TableError, Task, ThreadResult};

use crate::games::{GameOutcome, GameRecord, ScoredPly};

/// Hard node limit, in soft limits.
const HARD_LIMIT: u64 = 8;

/// Plies for which both sides must agree on the winner.
const WIN_PLIES: u32 = 6;

/// A draw takes a game of this many plies, the last of them with scores close to zero.
const DRAW_MIN_PLIES: usize = 90;
const DRAW_PLIES: u32 = 12;
const DRAW_SCORE: i32 = 8;

/// Openings are searched with this many soft limits, and refused beyond this score.
const OPENING_LIMIT: u64 = 10;
const OPENING_SCORE: i32 = 300;

/// One thread's player, both sides at once.
pub struct Player {
    search: SingleThread,
    evaluator: Evaluator,
    nodes: u64,
    /// Nodes of all searches so far.
    pub searched: u64,
}

impl Player {
    pub fn new(evaluator: Evaluator, nodes: u64, megabytes: usize) -> Result<Player, TableError> {
        Ok(Player { search: SingleThread::new(megabytes)?, evaluator, nodes, searched: 0 })
    }

    /// Forgets earlier games: table and histories.
    pub fn clear(&mut self) {
        self.search.clear();
    }

    /// Whether a deeper search finds neither side far ahead.
    pub fn is_balanced(&mut self, start: Position) -> bool {
        let game = board::Game::new(start);
        self.search_with(&game, OPENING_LIMIT * self.nodes)
            .is_some_and(|found| found.score.abs() <= OPENING_SCORE)
    }

    /// A game to the end, unless `stop` is set meanwhile. `win_score` adjudicates a win.
    pub fn play(
        &mut self,
        start: Position,
        win_score: i32,
        stop: &AtomicBool,
    ) -> Option<GameRecord> {
        let mut game = board::Game::new(start);
        let mut plies = Vec::new();
        let mut adjudicator = Adjudicator::new(win_score);
        let outcome = loop {
            if let Some(ending) = game.ending() {
                break outcome_of(ending);
            }
            let found = self.search(&game).filter(|_| !stop.load(Relaxed))?;
            let mv = *found.line.moves.first()?;
            plies.push(ScoredPly { mv, score: found.score as i16 });
            let side = game.position().side();
            if let Some(outcome) = adjudicator.after(plies.len(), side, found.score) {
                break outcome;
            }
            game.play(mv);
        };
        Some(GameRecord { start, outcome, plies })
    }

    pub fn search(&mut self, game: &board::Game) -> Option<ThreadResult> {
        self.search_with(game, self.nodes)
    }

    fn search_with(&mut self, game: &board::Game, nodes: u64) -> Option<ThreadResult> {
        let limits = Limits {
            soft_nodes: Some(nodes),
            nodes: Some(HARD_LIMIT * nodes),
            ..Limits::default()
        };
        let key_history = game.repeatable_keys().collect();
        let evaluator = self.evaluator.clone();
        let task = Task { key_history, evaluator, ..Task::new(*game.position(), limits) };
        let found = self.search.search(task)?;
        self.searched += found.line.nodes;
        Some(found)
    }
}

fn outcome_of(ending: Ending) -> GameOutcome {
    match ending {
        Ending::Checkmate { winner } => GameOutcome::win(winner),
        _ => GameOutcome::Draw,
    }
}

/// Ends games whose result both sides have agreed on for several plies.
struct Adjudicator {
    win_score: i32,
    /// The side that is winning, since how many plies.
    winner: Option<Color>,
    win_plies: u32,
    draw_plies: u32,
}

impl Adjudicator {
    fn new(win_score: i32) -> Adjudicator {
        Adjudicator { win_score, winner: None, win_plies: 0, draw_plies: 0 }
    }

    /// The outcome, if it is clear, after `plies` of which `side` gave the last one this score.
    fn after(&mut self, plies: usize, side: Color, score: i32) -> Option<GameOutcome> {
        let ahead = if score > 0 { side } else { !side };
        let winner = (score.abs() >= self.win_score).then_some(ahead);
        self.win_plies = if winner == self.winner { self.win_plies + 1 } else { 1 };
        self.winner = winner;
        self.draw_plies = if score.abs() <= DRAW_SCORE { self.draw_plies + 1 } else { 0 };
        match winner {
            Some(winner) if self.win_plies >= WIN_PLIES => Some(GameOutcome::win(winner)),
            None if plies >= DRAW_MIN_PLIES && self.draw_plies >= DRAW_PLIES => {
                Some(GameOutcome::Draw)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The outcome of scores of White and Black in turn, and the ply that decided.
    fn adjudicated(scores: impl IntoIterator<Item = i32>) -> Option<(usize, GameOutcome)> {
        let mut adjudicator = Adjudicator::new(2000);
        (1..).zip(scores).find_map(|(plies, score)| {
            let side = Color::BOTH[(plies - 1) % 2];
            adjudicator.after(plies, side, score).map(|outcome| (plies, outcome))
        })
    }

    #[test]
    fn a_win_takes_both_sides_for_several_plies() {
        let plies = WIN_PLIES as usize;
        let sure = |i: i32| if i % 2 == 0 { 2500 } else { -2500 };
        assert_eq!(adjudicated((0..99).map(sure)), Some((plies, GameOutcome::WhiteWins)));
        assert_eq!(adjudicated((1..99).map(sure)), Some((plies, GameOutcome::BlackWins)));
        assert_eq!(adjudicated([2500; 99]), None);
        let noise = |i: i32| if i % 5 == 0 { 1999 } else { sure(i) };
        assert_eq!(adjudicated((0..99).map(noise)), None);
    }

    #[test]
    fn a_draw_is_late_and_takes_silence() {
        assert_eq!(adjudicated([0; 200]), Some((DRAW_MIN_PLIES, GameOutcome::Draw)));
        let late = (0..200).map(|i| if i == 100 { 50 } else { 3 });
        assert_eq!(adjudicated(late.clone()), Some((DRAW_MIN_PLIES, GameOutcome::Draw)));
        assert_eq!(adjudicated(late.skip(20)), Some((81 + DRAW_PLIES as usize, GameOutcome::Draw)));
        assert_eq!(adjudicated([20; 200]), None);
    }
}
