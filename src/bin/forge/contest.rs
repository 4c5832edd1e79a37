//! A game of the engine against itself, and when to call it over.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use zebu::board::{self, Color, Ending, Position};
use zebu::eval::Evaluator;
use zebu::search::{Limits, SingleThread, TableError, Task, ThreadResult};

use crate::games::{Game, Outcome, Ply};

/// So many times the soft limit of nodes is the hard one.
const HARD: u64 = 8;

/// A game is won when for so many plies both sides say so.
const WIN_PLIES: u32 = 6;

/// A game is drawn when it is so old and for so many plies both sides see nothing in it.
const DRAW_AGE: usize = 90;
const DRAW_PLIES: u32 = 12;
const DRAW_SCORE: i32 = 8;

/// A start is looked at with so many times the nodes of a move, and refused if one side is so far
/// ahead.
const LOOK: u64 = 10;
const UNEVEN: i32 = 300;

/// One thread's player, both sides at once.
pub struct Player {
    search: SingleThread,
    evaluator: Evaluator,
    nodes: u64,
    /// The nodes that all searches took.
    pub spent: u64,
}

impl Player {
    pub fn new(evaluator: Evaluator, nodes: u64, megabytes: usize) -> Result<Player, TableError> {
        Ok(Player { search: SingleThread::new(megabytes)?, evaluator, nodes, spent: 0 })
    }

    pub fn forget(&mut self) {
        self.search.clear();
    }

    /// Whether a deeper look says that both sides have their chances.
    pub fn is_even(&mut self, start: Position) -> bool {
        let game = board::Game::new(start);
        self.look(&game, LOOK * self.nodes).is_some_and(|found| found.score.abs() <= UNEVEN)
    }

    /// Plays to the end, unless `stop` is set meanwhile. The game is won when both sides see such a
    /// score.
    pub fn play(&mut self, start: Position, win: i32, stop: &AtomicBool) -> Option<Game> {
        let mut game = board::Game::new(start);
        let mut plies = Vec::new();
        let mut verdict = Verdict::default();
        let outcome = loop {
            if let Some(ending) = game.ending() {
                break outcome_of(ending);
            }
            let found = self.search(&game).filter(|_| !stop.load(Relaxed))?;
            let mv = *found.line.moves.first()?;
            plies.push(Ply { mv, score: found.score as i16 });
            let side = game.position().side();
            if let Some(outcome) = verdict.after(plies.len(), side, found.score, win) {
                break outcome;
            }
            game.play(mv);
        };
        Some(Game { start, outcome, plies })
    }

    /// What the player thinks of the position on the board.
    pub fn search(&mut self, game: &board::Game) -> Option<ThreadResult> {
        self.look(game, self.nodes)
    }

    fn look(&mut self, game: &board::Game, nodes: u64) -> Option<ThreadResult> {
        let limits =
            Limits { soft_nodes: Some(nodes), nodes: Some(HARD * nodes), ..Limits::default() };
        let key_history = game.repeatable_keys().collect();
        let evaluator = self.evaluator.clone();
        let task = Task { key_history, evaluator, ..Task::new(*game.position(), limits) };
        let found = self.search.search(task)?;
        self.spent += found.line.nodes;
        Some(found)
    }
}

fn outcome_of(ending: Ending) -> Outcome {
    match ending {
        Ending::Checkmate { winner } => Outcome::win(winner),
        _ => Outcome::Draw,
    }
}

/// For how many plies the scores have agreed.
#[derive(Default)]
struct Verdict {
    leader: Option<Color>,
    won: u32,
    drawn: u32,
}

impl Verdict {
    /// How the game is over, if it is, after a ply that this side gave this score.
    fn after(&mut self, plies: usize, side: Color, score: i32, win: i32) -> Option<Outcome> {
        let ahead = if score > 0 { side } else { !side };
        let leader = (score.abs() >= win).then_some(ahead);
        self.won = if leader == self.leader { self.won + 1 } else { 1 };
        self.leader = leader;
        self.drawn = if score.abs() <= DRAW_SCORE { self.drawn + 1 } else { 0 };
        match leader {
            Some(winner) if self.won >= WIN_PLIES => Some(Outcome::win(winner)),
            None if plies >= DRAW_AGE && self.drawn >= DRAW_PLIES => Some(Outcome::Draw),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The outcome after these scores by turns, White's first, and the ply that decided.
    fn judged(scores: impl IntoIterator<Item = i32>) -> Option<(usize, Outcome)> {
        let mut verdict = Verdict::default();
        (1..).zip(scores).find_map(|(plies, score)| {
            let side = Color::BOTH[(plies - 1) % 2];
            verdict.after(plies, side, score, 2000).map(|outcome| (plies, outcome))
        })
    }

    #[test]
    fn a_win_takes_both_sides_for_several_plies() {
        let plies = WIN_PLIES as usize;
        let sure = |i: i32| if i % 2 == 0 { 2500 } else { -2500 };
        assert_eq!(judged((0..99).map(sure)), Some((plies, Outcome::WhiteWins)));
        assert_eq!(judged((1..99).map(sure)), Some((plies, Outcome::BlackWins)));
        assert_eq!(judged([2500; 99]), None);
        let noise = |i: i32| if i % 5 == 0 { 1999 } else { sure(i) };
        assert_eq!(judged((0..99).map(noise)), None);
    }

    #[test]
    fn a_draw_is_late_and_takes_silence() {
        assert_eq!(judged([0; 200]), Some((DRAW_AGE, Outcome::Draw)));
        let late = (0..200).map(|i| if i == 100 { 50 } else { 3 });
        assert_eq!(judged(late.clone()), Some((DRAW_AGE, Outcome::Draw)));
        assert_eq!(judged(late.skip(20)), Some((81 + DRAW_PLIES as usize, Outcome::Draw)));
        assert_eq!(judged([20; 200]), None);
    }
}
