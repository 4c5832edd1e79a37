//! A mistake as the page shows it.

use serde::Serialize;

use crate::analysis::{GameAnalysis, move_note, moves_text};
use crate::library::Head;
use engine::board::Color;

/// The longest line shown, in moves.
const LINE: usize = 10;

#[derive(Debug, Serialize)]
pub struct Spot {
    /// Players, result and date.
    pub game: String,
    pub fen: String,
    /// The person is Black.
    pub turned: bool,
    /// The move before, played and best line, each move as UCI and SAN.
    pub before: String,
    pub number: String,
    /// Empty where time ran out.
    pub played: String,
    pub best: String,
    pub loss: f64,
    /// The explanation in words.
    pub why: String,
}

impl Spot {
    /// Before a move of a game, or at its end, where time ran out.
    pub fn of(analysis: &GameAnalysis, head: &Head, ply: usize) -> Option<Spot> {
        let GameAnalysis { game, positions, analyses, moves, .. } = analysis;
        let (position, before) = (positions.get(ply)?, analyses.get(ply)?);
        let played = game.moves.get(ply).zip(analyses.get(ply + 1));
        let (text, loss, why) = match played {
            Some((played, after)) => {
                let note = move_note(position, played.mv, before, after);
                let text = moves_text(position, [played.mv].iter());
                (text, moves[ply].loss, note.text().unwrap_or_default())
            }
            None => {
                let loss = before.white_score.win_percent(position.side());
                (String::new(), loss, String::new())
            }
        };
        let earlier = ply.checked_sub(1);
        Some(Spot {
            game: title(head),
            fen: position.fen().to_string(),
            turned: position.side() == Color::Black,
            before: earlier.map_or(String::new(), |earlier| {
                moves_text(&positions[earlier], [game.moves[earlier].mv].iter())
            }),
            number: position.san_number(),
            played: text,
            best: moves_text(position, before.pv.iter().take(LINE)),
            loss: loss / 100.0,
            why,
        })
    }
}

/// "Ann (1500) – Bob (1480), 1-0, 2026.03.01".
pub fn title(head: &Head) -> String {
    let [white, black] = [0, 1].map(|side: usize| match head.ratings[side] {
        Some(rating) => format!("{} ({rating})", head.players[side]),
        None => head.players[side].clone(),
    });
    let day = head.date.split(' ').next().unwrap_or_default();
    let day = if day.starts_with("0000") { String::new() } else { format!(", {day}") };
    format!("{white} – {black}, {}{day}", head.result)
}
