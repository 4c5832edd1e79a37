//! A game judged move by move: what each move gave away, and how well each side played.

use super::analyst::Sight;
use super::record::Record;
use crate::board::{Color, Move, Position};

/// What is said of a move that gave away a part of the chance to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Mark {
    pub const ALL: [Mark; 3] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

    /// For the loss of so many hundredths of the chance to win.
    fn of(loss: f64) -> Option<Mark> {
        match loss {
            15.0.. => Some(Mark::Blunder),
            10.0.. => Some(Mark::Mistake),
            5.0.. => Some(Mark::Inaccuracy),
            _ => None,
        }
    }

    pub fn sign(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// The numeric annotation that stands for the sign.
    pub fn nag(self) -> u8 {
        match self {
            Mark::Inaccuracy => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }
}

/// A move of the game that was looked at.
#[derive(Clone, Copy)]
pub struct Judgement {
    pub color: Color,
    /// Hundredths of the chance to win that the move gave away.
    pub loss: f64,
    pub mark: Option<Mark>,
}

/// A game and what was seen in it.
pub struct Review {
    pub record: Record,
    /// The first position and the one after each move.
    pub positions: Vec<Position>,
    /// What was seen in the positions, as far as the analysis went.
    pub sights: Vec<Sight>,
    /// The moves whose positions before and after were seen.
    pub judgements: Vec<Judgement>,
}

impl Review {
    pub fn new(record: Record, sights: Vec<Sight>) -> Review {
        let positions = record.positions();
        let judge = |((ply, position), sights): ((_, &Position), &[Sight])| match sights {
            [before, after] => Some(judged(ply, position.side(), before, after)),
            _ => None,
        };
        let moves = record.plies.iter().map(|ply| ply.mv);
        let judgements = moves.zip(&positions).zip(sights.windows(2)).filter_map(judge).collect();
        Review { record, positions, sights, judgements }
    }

    pub fn count(&self, color: Color, mark: Mark) -> usize {
        let fits = |one: &&Judgement| one.color == color && one.mark == Some(mark);
        self.judgements.iter().filter(fits).count()
    }

    /// How well a side played, from 0 to 100, or `None` if none of its moves was judged. The
    /// formula is lichess's: the mean of two means, one in which moves count more where the game
    /// swings, and a harmonic one in which bad moves count more.
    pub fn accuracy(&self, color: Color) -> Option<f64> {
        let chances: Vec<f64> =
            self.sights.iter().map(|sight| sight.worth.chance(Color::White)).collect();
        let window = (chances.len() / 10).clamp(2, 8);
        let (mut sum, mut weights, mut inverse, mut count) = (0.0, 0.0, 0.0, 0);
        for (i, judgement) in self.judgements.iter().enumerate() {
            if judgement.color != color {
                continue;
            }
            let start = (i + 2).saturating_sub(window);
            let weight = deviation(&chances[start..i + 2]).clamp(0.5, 12.0);
            let accuracy = accuracy(judgement.loss);
            sum += weight * accuracy;
            weights += weight;
            inverse += 1.0 / accuracy.max(1.0);
            count += 1;
        }
        (count > 0).then(|| (sum / weights + f64::from(count) / inverse) / 2.0)
    }

    /// The moves that decided most, by their index, in the order of the game.
    pub fn critical(&self) -> Vec<usize> {
        const MOST: usize = 6;
        let mut moves: Vec<usize> =
            (0..self.judgements.len()).filter(|&i| self.judgements[i].mark.is_some()).collect();
        moves.sort_by(|&a, &b| self.judgements[b].loss.total_cmp(&self.judgements[a].loss));
        moves.truncate(MOST);
        moves.sort_unstable();
        moves
    }
}

fn judged(played: Move, color: Color, before: &Sight, after: &Sight) -> Judgement {
    let loss = if before.line.first() == Some(&played) {
        0.0
    } else {
        (before.worth.chance(color) - after.worth.chance(color)).max(0.0)
    };
    Judgement { color, loss, mark: Mark::of(loss) }
}

/// How good a move is that gave away so much, from 0 to 100.
fn accuracy(loss: f64) -> f64 {
    (103.1668 * (-0.04354 * loss).exp() - 3.1669).clamp(0.0, 100.0)
}

fn deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}
