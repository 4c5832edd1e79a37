//! Lines of play as they are written down.

use crate::board::{Color, Move, Position};

/// `12.` or `12...`, whoever is to move.
pub fn number(position: &Position) -> String {
    let dots = if position.side() == Color::White { "." } else { "..." };
    format!("{}{dots}", position.move_number())
}

/// The first moves of a line, with their numbers.
pub fn line(start: &Position, moves: &[Move], most: usize) -> String {
    let mut position = *start;
    let mut words = Vec::new();
    for (i, &mv) in moves.iter().take(most).enumerate() {
        if i == 0 || position.side() == Color::White {
            words.push(number(&position));
        }
        words.push(position.san(mv));
        position = position.after(mv);
    }
    words.join(" ")
}
