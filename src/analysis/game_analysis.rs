//! An analysed game: what each move lost, and how accurately each side played.

use super::analyser::PositionAnalysis;
use super::pgn_game::PgnGame;
use crate::board::{Color, Move, Position};

/// The judgement of a bad move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Judgement {
    pub const ALL: [Judgement; 3] = [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder];

    /// By the loss in percent of the chance to win.
    fn of(loss: f64) -> Option<Judgement> {
        match loss {
            15.0.. => Some(Judgement::Blunder),
            10.0.. => Some(Judgement::Mistake),
            5.0.. => Some(Judgement::Inaccuracy),
            _ => None,
        }
    }

    pub fn sign(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
        }
    }

    /// The numeric annotation glyph of the sign.
    pub fn nag(self) -> u8 {
        match self {
            Judgement::Inaccuracy => 6,
            Judgement::Mistake => 2,
            Judgement::Blunder => 4,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }
}

/// A move whose positions before and after were analysed.
pub struct MoveAnalysis {
    pub color: Color,
    /// In percent of the chance to win.
    pub loss: f64,
    pub judgement: Option<Judgement>,
}

pub struct GameAnalysis {
    pub game: PgnGame,
    /// The start and the position after each move.
    pub positions: Vec<Position>,
    /// Of the positions, until the analysis was stopped.
    pub analyses: Vec<PositionAnalysis>,
    pub moves: Vec<MoveAnalysis>,
}

impl GameAnalysis {
    pub fn new(game: PgnGame, analyses: Vec<PositionAnalysis>) -> GameAnalysis {
        let positions = game.positions();
        let moves = game.moves.iter().zip(&positions).zip(analyses.windows(2));
        let moves = moves
            .map(|((played, position), pair)| {
                move_analysis(played.mv, position.side(), &pair[0], &pair[1])
            })
            .collect();
        GameAnalysis { game, positions, analyses, moves }
    }

    pub fn judgement(&self, index: usize) -> Option<Judgement> {
        self.moves.get(index)?.judgement
    }

    pub fn count(&self, color: Color, judgement: Judgement) -> usize {
        let matches = |mv: &&MoveAnalysis| mv.color == color && mv.judgement == Some(judgement);
        self.moves.iter().filter(matches).count()
    }

    /// A side's accuracy from 0 to 100, if any of its moves was analysed. The formula is lichess's:
    /// the mean of two means, one weighted by how much the game swings around each move, and a
    /// harmonic one, which bad moves dominate.
    pub fn accuracy(&self, color: Color) -> Option<f64> {
        let win_percents: Vec<f64> = self
            .analyses
            .iter()
            .map(|analysis| analysis.white_score.win_percent(Color::White))
            .collect();
        let window = (win_percents.len() / 10).clamp(2, 8);
        let (mut sum, mut weights, mut inverse, mut count) = (0.0, 0.0, 0.0, 0);
        for (i, mv) in self.moves.iter().enumerate() {
            if mv.color != color {
                continue;
            }
            let start = (i + 2).saturating_sub(window);
            let weight = standard_deviation(&win_percents[start..i + 2]).clamp(0.5, 12.0);
            let accuracy = accuracy(mv.loss);
            sum += weight * accuracy;
            weights += weight;
            inverse += 1.0 / accuracy.max(1.0);
            count += 1;
        }
        (count > 0).then(|| (sum / weights + f64::from(count) / inverse) / 2.0)
    }

    /// The worst moves, by their index, in the order of the game.
    pub fn critical(&self) -> Vec<usize> {
        const MAX: usize = 6;
        let mut moves: Vec<usize> =
            (0..self.moves.len()).filter(|&i| self.judgement(i).is_some()).collect();
        moves.sort_by(|&a, &b| self.moves[b].loss.total_cmp(&self.moves[a].loss));
        moves.truncate(MAX);
        moves.sort_unstable();
        moves
    }
}

fn move_analysis(
    played: Move,
    color: Color,
    before: &PositionAnalysis,
    after: &PositionAnalysis,
) -> MoveAnalysis {
    let loss = if before.pv.first() == Some(&played) {
        0.0
    } else {
        let drop = before.white_score.win_percent(color) - after.white_score.win_percent(color);
        drop.max(0.0)
    };
    MoveAnalysis { color, loss, judgement: Judgement::of(loss) }
}

/// The accuracy of a move from 0 to 100.
fn accuracy(loss: f64) -> f64 {
    (103.1668 * (-0.04354 * loss).exp() - 3.1669).clamp(0.0, 100.0)
}

fn standard_deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}
