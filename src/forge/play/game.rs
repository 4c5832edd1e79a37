//! Playing a game from its opening to its end, and adjudication.

use engine::board::{Color, Ending, Game, Position};
use engine::search::ThreadResult;

use crate::games::{GameOutcome, GameRecord, ScoredPly};

/// Plays the best move of each search until the rules or the adjudicator end the game. `None` if a search
/// finds nothing.
pub fn play_game(
    start: Position,
    mut adjudicator: Option<Adjudicator>,
    mut search: impl FnMut(&Game) -> Option<ThreadResult>,
) -> Option<GameRecord> {
    let mut game = Game::new(start);
    let mut plies = Vec::new();
    let outcome = loop {
        match game.ending() {
            Some(Ending::Checkmate { winner }) => break GameOutcome::win(winner),
            Some(_) => break GameOutcome::Draw,
            None => {}
        }
        let found = search(&game)?;
        let mv = *found.line.moves.first()?;
        plies.push(ScoredPly { mv, score: found.score as i16 });
        let side = game.position().side();
        let adjudicator = adjudicator.as_mut();
        if let Some(outcome) = adjudicator.and_then(|by| by.after(plies.len(), side, found.score)) {
            break outcome;
        }
        game.play(mv);
    };
    Some(GameRecord { start, outcome, plies })
}

/// Plies for which both sides must agree on the winner.
const WIN_PLIES: u32 = 6;

/// A draw is adjudicated after this many plies, if the last ones had scores close to zero.
const DRAW_MIN_PLIES: usize = 70;
const DRAW_PLIES: u32 = 12;
const DRAW_SCORE: i32 = 10;

/// Ends games on whose result both sides have agreed for several plies.
pub struct Adjudicator {
    win_score: i32,
    /// The side that is winning, and for how many plies.
    winner: Option<Color>,
    win_plies: u32,
    draw_plies: u32,
}

impl Adjudicator {
    pub fn new(win_score: i32) -> Adjudicator {
        Adjudicator { win_score, winner: None, win_plies: 0, draw_plies: 0 }
    }

    /// The outcome, if it is clear after `plies` plies, the last of which `side` gave this score.
    pub fn after(&mut self, plies: usize, side: Color, score: i32) -> Option<GameOutcome> {
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

    /// The outcome of alternating scores of White and Black, and the ply that decided.
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
        assert_eq!(adjudicated(late.skip(40)), Some((61 + DRAW_PLIES as usize, GameOutcome::Draw)));
        assert_eq!(adjudicated([20; 200]), None);
    }
}
