//! Names of openings, with the codes of the Encyclopaedia of Chess Openings.

use std::collections::HashMap;
use std::sync::OnceLock;

use engine::board::Position;
use engine::notation::PgnGame;

/// One opening per line: code and name, a colon, and the moves.
const TABLE: &str = include_str!("openings.txt");

/// Code and name of the last position that has one. Positions are compared, not moves, so transpositions are
/// found.
pub fn opening(positions: &[Position]) -> Option<&'static str> {
    static NAMES: OnceLock<HashMap<u64, &str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| TABLE.lines().filter_map(entry).collect());
    positions.iter().rev().find_map(|position| names.get(&position.key())).copied()
}

/// The code and name of a game's opening: by its positions, or else by its tags.
pub fn opening_name(game: &PgnGame, positions: &[Position]) -> String {
    let tag = |name| game.tags.get(name).unwrap_or_default();
    let tagged = || ["ECO", "Opening", "Variation"].map(tag).join(" ");
    let named = opening(positions).map_or_else(tagged, str::to_string);
    named.trim().replace('?', "")
}

fn entry(line: &'static str) -> Option<(u64, &'static str)> {
    let (name, moves) = line.split_once(": ")?;
    let play = |position: Position, word| position.parse_san(word).map(|mv| position.after(mv));
    let position = moves.split_whitespace().try_fold(Position::start(), play).ok()?;
    Some((position.key(), name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_understood_and_its_own() {
        let entries: HashMap<u64, &str> = TABLE.lines().filter_map(entry).collect();
        assert_eq!(entries.len(), TABLE.lines().count());
    }
}
