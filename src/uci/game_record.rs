//! Games of the terminal as PGN.

use std::io::BufReader;
use std::path::Path;

use crate::analysis::PgnReader;
use crate::board::{Color, Ending, Game, Position};
use crate::files;

/// The width of lines.
const WIDTH: usize = 80;

/// A game as PGN: of a person with this side against Zebu, or of two.
pub fn pgn(game: &Game, person: Option<Color>, resigned: Option<Color>) -> String {
    let name = |color| match person {
        Some(side) if side != color => concat!("Zebu ", env!("CARGO_PKG_VERSION")),
        _ => "Player",
    };
    let result = match (resigned, game.ending()) {
        (_, Some(Ending::Checkmate { winner })) => win(winner),
        (Some(loser), _) => win(!loser),
        (None, Some(_)) => "1/2-1/2",
        (None, None) => "*",
    };
    let mut tags = format!(
        "[Event \"At the terminal\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"-\"]\n\
        [White \"{}\"]\n[Black \"{}\"]\n[Result \"{result}\"]\n",
        name(Color::White),
        name(Color::Black)
    );
    if *game.start() != Position::start() {
        tags += &format!("[SetUp \"1\"]\n[FEN \"{}\"]\n", game.start().fen());
    }
    let mut words = game.start().san_line(game.moves());
    words.push(result.to_string());
    let mut lines = vec![String::new()];
    for word in words.iter().flat_map(|move_and_number| move_and_number.split(' ')) {
        let full = lines.last().is_some_and(|line| line.len() + 1 + word.len() > WIDTH);
        if full {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(word);
        }
    }
    format!("{tags}\n{}\n\n", lines.join("\n"))
}

fn win(winner: Color) -> &'static str {
    if winner == Color::White { "1-0" } else { "0-1" }
}

/// The first game of a file.
pub fn load(file: &str) -> Result<Game, String> {
    let input = files::open(Path::new(file)).map_err(|error| format!("{file}: {error}"))?;
    let first = PgnReader::new(BufReader::new(input)).next();
    let read = first.ok_or_else(|| format!("{file}: there is no game in it"))?;
    let read = read.map_err(|error| format!("{file}: {error}"))?;
    let mut game = Game::new(read.start);
    read.moves.iter().for_each(|played| game.play(played.mv));
    Ok(game)
}
