//! An evaluation explained: what each piece counts for, drawn as a board, and what each output says.

use crate::board::{Position, Square};
use crate::eval::{Breakdown, Network};
use crate::search::centipawns;

const LINE: &str = "  +-------+-------+-------+-------+-------+-------+-------+-------+\n";

/// All values are White's, in pawns.
pub fn explained(network: &Network, position: &Position) -> String {
    let explanation = Breakdown::new(network, position);
    let pawns = |score: i32| format!("{:+.2}", f64::from(centipawns(score, position)) / 100.0);
    let mut text = LINE.to_string();
    for rank in (0..8).rev() {
        let (mut letters, mut values) = (format!("{} ", rank + 1), "  ".to_string());
        for square in (0..8).filter_map(|file| Square::new(file, rank)) {
            let here = explanation.pieces.iter().find(|(place, ..)| *place == square);
            let letter = here.map_or(' ', |(_, piece, _)| piece.letter());
            let value = here.and_then(|&(.., value)| value).map_or(String::new(), pawns);
            letters += &format!("|   {letter}   ");
            values += &format!("|{value:>6} ");
        }
        text += &format!("{letters}|\n{values}|\n{LINE}");
    }
    text += "      a       b       c       d       e       f       g       h\n\n";
    for (output, &score) in explanation.outputs.iter().enumerate() {
        let (least, most) = Breakdown::pieces_of(output);
        let mark = if output == explanation.used { "  counts here" } else { "" };
        text += &format!("{least:>2} to {most:>2} pieces: {:>6}{mark}\n", pawns(score));
    }
    text.trim_end().to_string()
}
