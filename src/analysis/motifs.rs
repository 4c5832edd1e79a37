//! Finds the tactical motifs of a line. motifs/README.md defines each.

mod ends;
mod geometry;
mod guards;
mod line;
mod lines;
mod mates;
mod motif;
mod phrases;
mod pieces;
mod quiet;

pub use ends::balance;
pub use geometry::{PAWN, captures, gain, is_piece, kind_at, most, taken, value_at, winnings};
pub use line::{Line, Turn};
pub use mates::mates;
pub use motif::{Found, Guard, Motif};
pub use phrases::{list, named, phrase};

use motif::Seen;

/// Finds the motifs of one kind in a turn.
type Family = fn(Turn, &mut Vec<Seen>);

/// All motifs of the hero's moves in a line, for each move the more telling ones first.
pub fn find(line: &Line) -> Vec<Found> {
    const FAMILIES: [Family; 8] = [
        mates::find,
        pieces::fork,
        lines::find,
        pieces::trapped,
        guards::find,
        pieces::one,
        ends::find,
        quiet::find,
    ];
    let mut all = Vec::new();
    for turn in line.turns() {
        let mut found = Vec::new();
        FAMILIES.iter().for_each(|family| family(turn, &mut found));
        let ply = turn.ply;
        all.extend(found.into_iter().map(|(motif, pays)| Found { ply, motif, pays }));
    }
    all
}
