//! What lists show of a game.

use serde::{Deserialize, Serialize};

use crate::analysis::opening_name;
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
    /// Its code and name.
    #[serde(default)]
    pub opening: String,
    /// Minutes, and seconds for each move: "3+2".
    #[serde(default)]
    pub clock: String,
}

/// How fast a game is, by lichess's bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speed {
    Bullet,
    Blitz,
    Rapid,
    Classical,
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
            opening: opening_name(game, &game.positions()),
            clock: clock(&game.tags),
        }
    }

    /// The time for 40 moves in seconds, if the file has the clock.
    pub fn seconds(&self) -> Option<f64> {
        let (minutes, increment) = self.clock.split_once('+')?;
        Some(60.0 * minutes.parse::<f64>().ok()? + 40.0 * increment.parse::<f64>().ok()?)
    }

    pub fn speed(&self) -> Option<Speed> {
        Some(match self.seconds()? {
            ..180.0 => Speed::Bullet,
            ..480.0 => Speed::Blitz,
            ..1500.0 => Speed::Rapid,
            _ => Speed::Classical,
        })
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

/// Minutes and seconds for each move, if the game had one clock for all moves.
fn clock(tags: &Tags) -> String {
    let control = tags.get("TimeControl").unwrap_or_default();
    let (base, increment) = control.split_once('+').unwrap_or((control, "0"));
    match (base.parse::<u32>(), increment.parse::<u32>()) {
        (Ok(base), Ok(increment)) => format!("{}+{increment}", f64::from(base) / 60.0),
        _ => String::new(),
    }
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
