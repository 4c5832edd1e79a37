//! An analysed game: what each move lost, and how accurately each side played.

use std::cell::OnceCell;
use std::iter;

use super::analyser::PositionAnalysis;
use super::judgement::{Judgement, MoveAnalysis};
use super::note::{Note, move_note};
use super::white_score::WhiteScore;
use engine::board::{Color, PieceType, Position};
use engine::notation::PgnGame;

/// The parts of a game.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Opening,
    Middlegame,
    Endgame,
}

impl Phase {
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    /// Decides by the pieces other than kings and pawns. The opening ends at `LAST_PLY` at the latest.
    pub fn of(position: &Position, ply: usize) -> Phase {
        const LAST_PLY: usize = 30;
        let is_piece = |kind| !matches!(kind, PieceType::King | PieceType::Pawn);
        match position.pieces().filter(|(_, piece)| is_piece(piece.kind())).count() {
            ..=6 => Phase::Endgame,
            11.. if ply < LAST_PLY => Phase::Opening,
            _ => Phase::Middlegame,
        }
    }
}

pub struct GameAnalysis {
    pub game: PgnGame,
    /// The start position, and the position after each move.
    pub positions: Vec<Position>,
    /// One for each position, as far as the analysis got.
    pub analyses: Vec<PositionAnalysis>,
    pub moves: Vec<MoveAnalysis>,
    notes: OnceCell<Vec<Note>>,
}

impl GameAnalysis {
    pub fn new(game: PgnGame, mut analyses: Vec<PositionAnalysis>) -> GameAnalysis {
        let positions = game.positions();
        for i in (1..analyses.len()).rev() {
            let (before, after) = analyses.split_at_mut(i);
            before[i - 1].back_up(game.moves[i - 1].mv, &after[0], positions[i - 1].side());
        }
        let moves = game.moves.iter().zip(&positions).zip(analyses.windows(2));
        let moves = moves
            .map(|((played, position), pair)| {
                MoveAnalysis::new(played.mv, position.side(), &pair[0], &pair[1])
            })
            .collect();
        GameAnalysis { game, positions, analyses, moves, notes: OnceCell::new() }
    }

    pub fn judgement(&self, index: usize) -> Option<&'static Judgement> {
        self.moves.get(index)?.judgement()
    }

    /// The notes on the analysed moves, computed at the first call.
    pub fn notes(&self) -> &[Note] {
        self.notes.get_or_init(|| {
            let moves = self.game.moves.iter().zip(&self.positions);
            let notes = moves.zip(self.analyses.windows(2)).map(|((played, position), pair)| {
                move_note(position, played.mv, &pair[0], &pair[1])
            });
            notes.collect()
        })
    }

    pub fn count(&self, color: Color, judgement: &Judgement) -> usize {
        let own = self.moves.iter().filter(|mv| mv.color == color);
        let judgements = own.filter_map(MoveAnalysis::judgement);
        judgements.filter(|other| other.nag == judgement.nag).count()
    }

    /// A side's accuracy from 0 to 100, if any of its moves was analysed. The formula is lichess's:
    /// the mean of two means, one weighted by how much the game swings around each move, and a
    /// harmonic one, which bad moves dominate. The start counts as 15 centipawns.
    pub fn accuracy(&self, color: Color) -> Option<f64> {
        self.accuracy_of(|_, mv| mv.color == color)
    }

    /// A side's accuracy in one phase of the game.
    pub fn accuracy_in(&self, color: Color, phase: Phase) -> Option<f64> {
        let is_part = |i: usize| Phase::of(&self.positions[i], i) == phase;
        self.accuracy_of(|i, mv| mv.color == color && is_part(i))
    }

    fn accuracy_of(&self, counts: impl Fn(usize, &MoveAnalysis) -> bool) -> Option<f64> {
        let start = WhiteScore::Centipawns(15);
        let scores = self.analyses.iter().skip(1).map(|analysis| analysis.white_score);
        let win_percents: Vec<f64> =
            iter::once(start).chain(scores).map(|score| score.win_percent(Color::White)).collect();
        let window = (self.moves.len() / 10).clamp(2, 8);
        let (mut sum, mut weights, mut inverse, mut count) = (0.0, 0.0, 0.0, 0);
        for (i, mv) in self.moves.iter().enumerate() {
            if !counts(i, mv) {
                continue;
            }
            let start = (i + 2).saturating_sub(window);
            let around = &win_percents[start..(start + window).min(win_percents.len())];
            let weight = standard_deviation(around).clamp(0.5, 12.0);
            let gain = win_percents[i + 1] - win_percents[i];
            let accuracy = accuracy(if mv.color == Color::White { -gain } else { gain });
            sum += weight * accuracy;
            weights += weight;
            inverse += 1.0 / accuracy.max(1.0);
            count += 1;
        }
        (count > 0).then(|| (sum / weights + f64::from(count) / inverse) / 2.0)
    }
}

/// The accuracy of a move from 0 to 100 by its loss. One point is added for the uncertainty of the
/// analysis.
fn accuracy(loss: f64) -> f64 {
    const BONUS: f64 = 1.0;
    let decay = (-0.043_544_153_867_539_51 * loss.max(0.0)).exp();
    (103.166_810_071_164_9 * decay - 3.166_924_740_191_411 + BONUS).clamp(0.0, 100.0)
}

fn standard_deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}
