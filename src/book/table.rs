//! A book's moves for a position, as a table for people.

use super::BookMove;
use crate::board::Position;

/// A line for each move, with its share of all weight.
pub fn table(position: &Position, moves: &[BookMove]) -> String {
    if moves.is_empty() {
        return "The book has no move for this position.".to_string();
    }
    let sum: u64 = moves.iter().map(|book| u64::from(book.weight)).sum();
    let mut text = "move     uci    weight   share".to_string();
    for &BookMove { mv, weight } in moves {
        let share = 100.0 * f64::from(weight) / sum.max(1) as f64;
        let (san, uci) = (position.san(mv), position.uci(mv, false));
        text += &format!("\n{san:<8} {uci:<6} {weight:>6} {share:>6.1}%");
    }
    text
}
