//! A game, from its opening to its end.

use zebu::board::{Ending, Game, Position};
use zebu::search::ThreadResult;

use super::adjudicator::Adjudicator;
use crate::games::{GameOutcome, GameRecord, ScoredPly};

/// Plays what the search of each position finds, until the rules or the adjudicator end the game.
/// `None` if the search finds nothing.
pub fn play_game(
    start: Position,
    mut adjudicator: Option<Adjudicator>,
    mut search: impl FnMut(&Game) -> Option<ThreadResult>,
) -> Option<GameRecord> {
    let mut game = Game::new(start);
    let mut plies = Vec::new();
    let outcome = loop {
        if let Some(ending) = game.ending() {
            break outcome_of(ending);
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

/// What the rules say of a game that is over.
fn outcome_of(ending: Ending) -> GameOutcome {
    match ending {
        Ending::Checkmate { winner } => GameOutcome::win(winner),
        _ => GameOutcome::Draw,
    }
}
