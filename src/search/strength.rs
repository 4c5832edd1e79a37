//! Limited strength: fewer nodes, and noise in the evaluation.

/// The limits of a weaker player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    pub nodes: u64,
    /// The standard deviation of the noise in its evaluation, in centipawns.
    pub spread: i32,
}

/// A measured strength.
struct Rung {
    elo: u32,
    strength: Strength,
}

const fn rung(elo: u32, nodes: u64, spread: i32) -> Rung {
    Rung { elo, strength: Strength { nodes, spread } }
}

/// From the weakest to the strongest.
const LADDER: [Rung; 12] = [
    rung(1000, 40, 300),
    rung(1200, 72, 235),
    rung(1400, 132, 176),
    rung(1600, 280, 121),
    rung(1800, 660, 76),
    rung(2000, 2_900, 31),
    rung(2200, 16_000, 10),
    rung(2400, 27_000, 7),
    rung(2600, 38_000, 4),
    rung(2800, 52_000, 2),
    rung(3000, 70_000, 1),
    rung(3200, 95_000, 0),
];

pub const MIN_ELO: u32 = LADDER[0].elo;
pub const MAX_ELO: u32 = LADDER[LADDER.len() - 1].elo;

/// The skill level at which nothing is held back.
pub const FULL_SKILL: u32 = 20;

impl Strength {
    /// The strength of a player with this rating. Nodes grow by equal factors, spreads by equal
    /// differences.
    pub fn of_elo(elo: u32) -> Strength {
        let elo = elo.clamp(MIN_ELO, MAX_ELO);
        let above = LADDER.iter().position(|rung| rung.elo >= elo).unwrap_or(0).max(1);
        let [low, high] = [&LADDER[above - 1], &LADDER[above]];
        let share = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
        let between = |low: f64, high: f64| low + share * (high - low);
        let [few, many] = [low, high].map(|rung| (rung.strength.nodes as f64).ln());
        let [narrow, wide] = [low, high].map(|rung| f64::from(rung.strength.spread));
        Strength {
            nodes: between(few, many).exp().round() as u64,
            spread: between(narrow, wide).round() as i32,
        }
    }

    /// The strength of a skill level; none is held back at the highest. The levels divide the
    /// scale of ratings into equal steps.
    pub fn of_skill(level: u32) -> Option<Strength> {
        let elo = MIN_ELO + (MAX_ELO - MIN_ELO) * level / FULL_SKILL;
        (level < FULL_SKILL).then(|| Strength::of_elo(elo))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rating_is_as_strong_as_the_one_below_or_stronger() {
        for rung in &LADDER {
            assert_eq!(Strength::of_elo(rung.elo), rung.strength);
        }
        for elo in MIN_ELO..MAX_ELO {
            let [low, high] = [elo, elo + 1].map(Strength::of_elo);
            assert!(low.nodes <= high.nodes && low.spread >= high.spread, "{elo}");
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
