//! The level at which Zebu plays against a person.

use std::fmt;

use engine::NAME;
use engine::player::{Options, Player, UciOption};
use engine::search::{FULL_SKILL, MAX_ELO, MIN_ELO, elo_of_skill, title};
use engine::system::text::shortened;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Elo(u32),
    /// A step of the option Skill Level.
    Skill(u32),
    /// Full strength.
    Full,
}

/// The levels that have names.
pub const LEVELS: [(&str, Level); 4] = [
    ("easy", Level::Elo(MIN_ELO)),
    ("medium", Level::Elo(1500)),
    ("hard", Level::Elo(2000)),
    ("full", Level::Full),
];

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "A level is an Elo from {MIN_ELO} to {MAX_ELO}, or easy, medium, hard, full, not '{}'.", shortened(.0)
)]
pub struct LevelError(String);

impl Level {
    /// An Elo, or a name.
    pub fn parse(text: &str) -> Result<Level, LevelError> {
        let named = LEVELS.into_iter().find(|(name, _)| *name == text).map(|(_, level)| level);
        let elo = || text.parse().ok().filter(|elo| (MIN_ELO..=MAX_ELO).contains(elo));
        named.or_else(|| elo().map(Level::Elo)).ok_or_else(|| LevelError(text.to_string()))
    }

    /// The level of a player with these options.
    pub fn of(options: &Options) -> Level {
        match (options.limit_strength, options.skill_level) {
            (true, _) => Level::Elo(options.elo),
            (false, FULL_SKILL) => Level::Full,
            (false, level) => Level::Skill(level),
        }
    }

    /// Makes a player play at this level.
    pub fn set(self, player: &mut Player) {
        let (elo, skill) = match self {
            Level::Elo(elo) => (Some(elo), FULL_SKILL),
            Level::Skill(level) => (None, level),
            Level::Full => (None, FULL_SKILL),
        };
        let values = [
            ("UCI_LimitStrength", Some(elo.is_some().to_string())),
            ("UCI_Elo", elo.map(|elo| elo.to_string())),
            ("Skill Level", Some(skill.to_string())),
        ];
        for (name, value) in values {
            if let (Ok(option), Some(value)) = (UciOption::named(name), value) {
                // A level is always in the range of its option.
                player.set(option, Some(&value)).ok();
            }
        }
    }

    /// Zebu's name in the tags of a game.
    pub fn player_name(self) -> String {
        match self {
            Level::Elo(elo) => format!("{NAME}, level {elo}"),
            Level::Skill(level) => format!("{NAME}, skill level {level}"),
            Level::Full => NAME.to_string(),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Level::Elo(elo) => write!(f, "Zebu plays at {elo} Elo: {}.", title(elo)),
            Level::Skill(level) => {
                let elo = elo_of_skill(level);
                let title = title(elo);
                write!(f, "Zebu plays at Skill Level {level} of {FULL_SKILL}, {elo} Elo: {title}.")
            }
            Level::Full => f.write_str("Zebu plays as well as it can."),
        }
    }
}
