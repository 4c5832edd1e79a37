//! Limited strength: a player that overlooks moves, has a taste of its own, and searches few nodes.

use serde::{Deserialize, Serialize};

use crate::board::{Color, Position};

/// The handicaps of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    pub nodes: u64,
    /// The rating of its sight. `None` overlooks nothing.
    pub sight: Option<i32>,
    /// How much harder the opponent's moves are to see.
    pub selfishness: i32,
    /// The standard deviation of its taste for a piece on a square, in centipawns.
    pub spread: i32,
    /// The share of material and squares alone in its evaluation, in percent.
    pub simplicity: i32,
}

/// A player's sight. The moves overlooked in a position stay the same during a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sight {
    /// The player sees half of the moves that are this hard.
    pub rating: i32,
    /// How much harder the opponent's moves are to see.
    pub selfishness: i32,
    pub seed: u64,
}

/// A measured strength.
struct Rung {
    elo: u32,
    nodes: u64,
    sight: i32,
    selfishness: i32,
    spread: i32,
    simplicity: i32,
}

const fn rung(
    elo: u32,
    nodes: u64,
    sight: i32,
    selfishness: i32,
    spread: i32,
    simplicity: i32,
) -> Rung {
    Rung { elo, nodes, sight, selfishness, spread, simplicity }
}

/// From this sight on, a player sees every move.
const SEES_ALL: i32 = 4000;

/// Weakest to strongest: Elo, nodes, sight, selfishness, spread, simplicity.
const LADDER: [Rung; 15] = [
    rung(600, 42, -40, 1200, 28, 89),
    rung(800, 50, 110, 1200, 28, 79),
    rung(1000, 90, 300, 1200, 28, 64),
    rung(1200, 280, 560, 1200, 26, 40),
    rung(1400, 700, 780, 1000, 19, 27),
    rung(1600, 1_700, 1060, 660, 12, 6),
    rung(1800, 2_700, 1400, 580, 8, 6),
    rung(2000, 2_700, 1720, 0, 3, 0),
    rung(2200, 8_000, 2550, 0, 3, 0),
    rung(2300, 27_000, 3080, 0, 3, 0),
    rung(2400, 34_000, 3100, 0, 3, 0),
    rung(2600, 70_000, 3100, 0, 2, 0),
    rung(2800, 100_000, 3500, 0, 1, 0),
    rung(3000, 140_000, 3800, 0, 1, 0),
    rung(3200, 200_000, SEES_ALL, 0, 0, 0),
];

pub const MIN_ELO: u32 = LADDER[0].elo;
pub const MAX_ELO: u32 = LADDER[LADDER.len() - 1].elo;

/// The skill level without handicaps.
pub const FULL_SKILL: u32 = 20;

/// Enough nodes to mate a bare king, a technique that every player has learned.
const TECHNIQUE_NODES: u64 = 4_000;

pub const fn elo_of_skill(level: u32) -> u32 {
    MIN_ELO + (MAX_ELO - MIN_ELO) * level / FULL_SKILL
}

/// The usual name for players of a rating.
pub const fn title(elo: u32) -> &'static str {
    match elo {
        ..1200 => "beginner",
        1200..2000 => "club player",
        2000..2200 => "expert",
        _ => "master",
    }
}

impl Strength {
    /// The strength of a player with this rating, interpolated geometrically for nodes and linearly for the
    /// rest.
    pub fn of_elo(elo: u32) -> Strength {
        let elo = elo.clamp(MIN_ELO, MAX_ELO);
        let above = LADDER.iter().position(|rung| rung.elo >= elo).unwrap_or(0).max(1);
        let [low, high] = [&LADDER[above - 1], &LADDER[above]];
        let share = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
        let between = |low: f64, high: f64| low + share * (high - low);
        let rounded = |low: i32, high: i32| between(low.into(), high.into()).round() as i32;
        let [few, many] = [low, high].map(|rung| (rung.nodes as f64).ln());
        let sight = rounded(low.sight, high.sight);
        Strength {
            nodes: between(few, many).exp().round() as u64,
            sight: (sight < SEES_ALL).then_some(sight),
            selfishness: rounded(low.selfishness, high.selfishness),
            spread: rounded(low.spread, high.spread),
            simplicity: rounded(low.simplicity, high.simplicity),
        }
    }

    /// The strength of a skill level, or `None` for full strength. The levels divide the range of ratings
    /// equally.
    pub fn of_skill(level: u32) -> Option<Strength> {
        (level < FULL_SKILL).then(|| Strength::of_elo(elo_of_skill(level)))
    }

    /// The strength in a position. Against a bare king, technique overlooks nothing.
    pub fn in_position(self, position: &Position) -> Strength {
        if Color::BOTH.iter().all(|&color| position.occupied_by(color).len() > 1) {
            return self;
        }
        let nodes = self.nodes.max(TECHNIQUE_NODES);
        Strength { nodes, sight: None, selfishness: 0, spread: 0, simplicity: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rating_is_as_strong_as_the_one_below_or_stronger() {
        for elo in MIN_ELO..MAX_ELO {
            let [low, high] = [elo, elo + 1].map(Strength::of_elo);
            let [dim, keen] = [low, high].map(|strength| strength.sight.unwrap_or(SEES_ALL));
            assert!(low.nodes <= high.nodes && dim <= keen, "{elo}");
            assert!(low.selfishness >= high.selfishness && low.spread >= high.spread, "{elo}");
            assert!(low.simplicity >= high.simplicity, "{elo}");
        }
        assert_eq!(Strength::of_elo(0), Strength::of_elo(MIN_ELO));
        assert_eq!(Strength::of_elo(u32::MAX), Strength::of_elo(MAX_ELO));
    }

    #[test]
    fn skill_levels_are_ratings() {
        assert_eq!(Strength::of_skill(0), Some(Strength::of_elo(MIN_ELO)));
        assert_eq!(Strength::of_skill(10), Some(Strength::of_elo((MIN_ELO + MAX_ELO) / 2)));
        assert_eq!(Strength::of_skill(FULL_SKILL), None);
    }
}
