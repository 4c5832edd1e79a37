//! Positions drawn as text: the answers to `d` and `eval`.

use crate::board::{Position, Square};
use crate::eval::{Breakdown, Network};
use crate::search::centipawns;
use crate::tablebase::Tablebase;

const LINE: &str = " +---+---+---+---+---+---+---+---+\n";
const WIDE_LINE: &str = "  +-------+-------+-------+-------+-------+-------+-------+-------+\n";

pub fn board(position: &Position) -> String {
    let mut text = LINE.to_string();
    for rank in (0..8).rev() {
        for square in squares(rank) {
            text += &format!(" | {}", letter_at(position, square));
        }
        text += &format!(" | {}\n{LINE}", rank + 1);
    }
    text + "   a   b   c   d   e   f   g   h\n"
}

/// The squares of a rank, from the a-file.
pub fn squares(rank: u8) -> impl Iterator<Item = Square> {
    (0..8).filter_map(move |file| Square::new(file, rank))
}

/// The letter of the piece on a square, or a space.
pub fn letter_at(position: &Position, square: Square) -> char {
    position.piece_at(square).map_or(' ', |piece| piece.letter())
}

/// FEN, key and checkers, and what endgame tables say.
pub fn facts(position: &Position, tablebase: Option<&Tablebase>) -> String {
    let checkers: Vec<String> =
        position.checkers().into_iter().map(|square| square.to_string()).collect();
    let mut text = format!(
        "Fen: {}\nKey: {:016X}\nCheckers: {}",
        position.fen(),
        position.key(),
        checkers.join(" ")
    );
    if let Some(wdl) = tablebase.and_then(|tablebase| tablebase.probe_wdl(position)) {
        text += &format!("\nTablebase: WDL {}", i32::from(wdl));
    }
    if let Some(dtz) = tablebase.and_then(|tablebase| tablebase.probe_dtz(position)) {
        text += &format!(", DTZ {dtz}");
    }
    text.trim_end().to_string()
}

/// What each piece is worth to the network, and what each of its outputs says: White's view, in
/// pawns. Where there is no room, the outputs alone.
pub fn evaluation(network: &Network, position: &Position, wide: bool) -> String {
    let breakdown = Breakdown::new(network, position);
    let pawns = |score: i32| format!("{:+.2}", f64::from(centipawns(score, position)) / 100.0);
    let mut text = if wide { WIDE_LINE.to_string() } else { String::new() };
    for rank in (0..8).rev().filter(|_| wide) {
        let (mut letters, mut values) = (format!("{} ", rank + 1), "  ".to_string());
        for square in squares(rank) {
            let here = breakdown.pieces.iter().find(|(place, ..)| *place == square);
            let letter = letter_at(position, square);
            let value = here.and_then(|&(.., value)| value).map_or(String::new(), pawns);
            letters += &format!("|   {letter}   ");
            values += &format!("|{value:>6} ");
        }
        text += &format!("{letters}|\n{values}|\n{WIDE_LINE}");
    }
    if wide {
        text += "      a       b       c       d       e       f       g       h\n\n";
    }
    for (output, &score) in breakdown.outputs.iter().enumerate() {
        let (least, most) = Breakdown::pieces_of(output);
        let mark = if output == breakdown.used { "  counts here" } else { "" };
        text += &format!("{least:>2} to {most:>2} pieces: {:>6}{mark}\n", pawns(score));
    }
    text.trim_end().to_string()
}
