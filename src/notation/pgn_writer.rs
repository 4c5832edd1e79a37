//! Writes a game as PGN.

use super::pgn_game::PgnGame;
use crate::board::Color;

/// The width of lines, unless a token is longer.
const WIDTH: usize = 80;

/// The seven tag roster.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The game with its annotations, ending with an empty line.
pub fn to_pgn(game: &PgnGame) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text += &format!("[{name} \"{value}\"]\n");
    };
    for name in ROSTER {
        match name {
            "Result" => tag(name, &game.result.to_string()),
            "Date" => tag(name, game.tags.get(name).unwrap_or("????.??.??")),
            _ => tag(name, game.tags.get(name).unwrap_or("?")),
        }
    }
    for (name, value) in game.tags.iter().filter(|(name, _)| !ROSTER.contains(name)) {
        tag(name, value);
    }
    text + "\n" + &wrapped(&movetext(game)) + "\n\n"
}

/// The tokens, between which a line may end.
fn movetext(game: &PgnGame) -> Vec<String> {
    let comment = |text: &String| format!("{{ {text} }}");
    let mut words: Vec<String> = game.preface.iter().map(comment).collect();
    let mut needs_number = true;
    for (played, position) in game.moves.iter().zip(game.positions()) {
        if needs_number || position.side() == Color::White {
            words.push(position.san_number());
        }
        words.push(position.san(played.mv));
        words.extend(played.nags.iter().map(|nag| format!("${nag}")));
        words.extend(played.comments.iter().map(comment));
        words.extend(played.variations.iter().map(|text| format!("({text})")));
        needs_number = !played.comments.is_empty() || !played.variations.is_empty();
    }
    words.push(game.result.to_string());
    words
}

fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        let length = word.chars().count();
        if column > 0 {
            let fits = column + 1 + length <= WIDTH;
            text.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        text += word;
        column += length;
    }
    text
}
