//! What lists show of a game.

use serde::{Deserialize, Serialize};

use engine::board::Color;
use engine::notation::{PgnGame, Tags};
use engine::system::text;

/// The head of a game, for lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    pub players: [String; 2],
    pub ratings: [Option<u32>; 2],
    /// Day and time as in the file, with zeros for what is unknown, so that dates sort.
    pub date: String,
    pub result: String,
    pub plies: usize,
}

impl Head {
    pub fn of(game: &PgnGame) -> Head {
        let tag = |names: &[&str]| {
            let known = names.iter().filter_map(|name| game.tags.get(name));
            known.map(|value| value.replace('?', "0")).next().unwrap_or_default()
        };
        let date = format!("{} {}", tag(&["UTCDate", "Date"]), tag(&["UTCTime", "StartTime"]));
        Head {
            players: Color::BOTH.map(|color| game.tags.player(color).to_string()),
            ratings: Color::BOTH.map(|color| rating(&game.tags, color)),
            date: date.trim().to_string(),
            result: game.result.to_string(),
            plies: game.moves.len(),
        }
    }

    /// The side of a person with these names: White, if both players have one.
    pub fn side_of(&self, names: &[String]) -> Option<Color> {
        let is_me = |player: &str| names.iter().any(|name| same_name(name, player));
        Color::BOTH.into_iter().find(|color| is_me(&self.players[color.index()]))
    }
}

fn same_name(one: &str, other: &str) -> bool {
    one.trim().to_lowercase() == other.trim().to_lowercase()
}

/// The rating of a side, if the file has it.
pub fn rating(tags: &Tags, color: Color) -> Option<u32> {
    let name = if color == Color::White { "WhiteElo" } else { "BlackElo" };
    tags.get(name)?.trim().parse().ok().filter(|&rating| rating > 0)
}

/// A fingerprint of players, date, start and moves.
pub fn fingerprint(game: &PgnGame, head: &Head) -> u64 {
    let players = head.players.iter().map(|player| player.trim().to_lowercase());
    let date = head.date.split(' ').next().unwrap_or_default().to_string();
    let mut bytes = Vec::new();
    for part in players.chain([date, game.start.fen().to_string()]) {
        bytes.extend(part.bytes().chain([0]));
    }
    for mv in game.moves.iter().map(|played| played.mv) {
        let promoted = mv.promoted().map_or(0, |kind| kind.letter() as u8);
        bytes.extend([mv.from().index(), mv.to().index(), promoted, 0]);
    }
    text::fingerprint(bytes)
}
