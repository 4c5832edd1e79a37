//! Exercises: positions in which the person erred and one or a few moves were clearly better. Each is first
//! searched for longer, so that its answer stands and no good move is refused.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::judged::main_motif;
use super::library::Head;
use super::reviews::Order;
use super::schedule::Memory;
use super::spots::title;
use crate::analysis::motifs::Line;
use crate::analysis::{
    GameAnalysis, Phase, PositionAnalysis, WhiteScore, hint, move_note, moves_text,
};
use engine::board::{Color, Move, Position};
use engine::search::EngineError;

/// The loss of winning chance, in percent, up to which a move is right.
pub const GOOD_ENOUGH: f64 = 3.0;

/// The largest loss of a right move that was not foreseen. Another search judges it, and may be as much wrong.
const ACCEPTED: f64 = 6.0;

/// The least loss of the move played, in the review and in the longer searches.
const MISTAKE: f64 = 10.0;
const STILL_A_MISTAKE: f64 = 8.0;

/// A position with more good moves is no exercise.
const MOST_GOOD: usize = 3;

/// The lines of a longer search: one more than may be good.
pub const LINES: usize = MOST_GOOD + 1;

/// How many times the nodes of the review the two checks of an exercise take.
pub const LONGER: u64 = 5;
const LONGEST: u64 = 20;

/// The least winning chance after the best move.
const LEAST_CHANCE: f64 = 25.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExerciseKind {
    Mistake,
    /// A quiet position, where any sound move is right.
    Quiet,
    /// A move of the person's own opening line.
    Line,
    /// A reply to a move that leaves such a line.
    Reply,
}

/// A move in UCI notation and in SAN.
pub type Named<'a> = (&'a str, &'a str);

pub fn pairs(text: &str) -> Vec<Named<'_>> {
    let words: Vec<&str> = text.split(' ').collect();
    words.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Exercise {
    pub kind: ExerciseKind,
    pub game: String,
    pub fen: String,
    /// Each move as UCI and SAN: the move played, the good moves with the best first, the best line, and the
    /// game's moves before.
    pub played: String,
    pub good: String,
    pub line: String,
    pub before: String,
    /// The side to move, and its chance with the best move, in percent.
    pub chance: f64,
    /// The hints: the motif, if it is known, and the square of the piece.
    pub motif: Option<String>,
    pub hint: Option<String>,
    pub from: String,
    /// Why the move played was bad, in words.
    pub why: String,
    pub memory: Memory,
}

/// A position that may become an exercise.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    analysis: &'a GameAnalysis,
    ply: usize,
    kind: ExerciseKind,
}

impl Candidate<'_> {
    fn position(&self) -> &Position {
        &self.analysis.positions[self.ply]
    }

    fn after(&self) -> Position {
        self.analysis.positions[self.ply + 1]
    }

    /// Whether a move takes back what the opponent's last move took.
    fn takes_back(&self, mv: Move) -> bool {
        let last = self.ply.checked_sub(1);
        let last =
            last.map(|ply| (&self.analysis.positions[ply], self.analysis.game.moves[ply].mv));
        let is_same = last
            .is_some_and(|(before, last)| last.to() == mv.to() && before.captured(last).is_some());
        is_same && self.position().captured(mv).is_some()
    }
}

/// The exercises of the person's side of a reviewed game, by ply. After a stop, some are missing.
pub fn exercises(
    order: &Order,
    analysis: &GameAnalysis,
    head: &Head,
    me: Color,
    stop: &AtomicBool,
) -> Result<Vec<(usize, Exercise)>, EngineError> {
    let mut candidates = candidates(analysis, me);
    let mut made = Vec::new();
    // A second, still longer search must confirm the first.
    for longer in [LONGER, LONGEST] {
        let positions: Vec<Position> =
            candidates.iter().map(|candidate| *candidate.position()).collect();
        let found = order.look(&positions, longer, LINES, stop)?;
        let played: Vec<Position> = candidates.iter().map(Candidate::after).collect();
        let played = order.look(&played, longer, 1, stop)?;
        let found = found.into_iter().zip(played);
        let clear = candidates.into_iter().zip(found).filter_map(|(candidate, (found, after))| {
            let exercise = candidate.exercise(found, &after, head)?;
            Some((candidate, (candidate.ply, exercise)))
        });
        (candidates, made) = clear.unzip();
    }
    Ok(made)
}

/// All mistakes, and the first quiet position of the middlegame.
fn candidates(analysis: &GameAnalysis, me: Color) -> Vec<Candidate<'_>> {
    let mine = analysis.moves.iter().enumerate().filter(|(_, judged)| judged.color == me);
    let mut quiet = None;
    let mut candidates = Vec::new();
    for (ply, judged) in mine {
        let candidate = |kind| Candidate { analysis, ply, kind };
        let chance = analysis.analyses[ply].white_score.win_percent(me);
        if judged.loss >= MISTAKE && chance >= LEAST_CHANCE {
            candidates.push(candidate(ExerciseKind::Mistake));
        } else if quiet.is_none() && is_quiet(analysis, ply) {
            quiet = Some(candidate(ExerciseKind::Quiet));
        }
    }
    candidates.extend(quiet);
    candidates
}

/// Whether a position is quiet: it is about level, and no move does anything special.
fn is_quiet(analysis: &GameAnalysis, ply: usize) -> bool {
    let (position, found) = (&analysis.positions[ply], &analysis.analyses[ply]);
    let chance = found.white_score.win_percent(position.side());
    Phase::of(position, ply) == Phase::Middlegame
        && (40.0..60.0).contains(&chance)
        && analysis.moves[ply].loss < 1.0
        && !position.in_check()
        && found.pv.first().is_some_and(|&best| position.captured(best).is_none())
        && main_motif(&Line::new(position, &found.pv, 0)).is_none()
}

/// The moves of the lines, with the loss of each in percent.
fn ranked(position: &Position, found: &PositionAnalysis) -> Vec<(Move, f64)> {
    let chance = |score: WhiteScore| score.win_percent(position.side());
    let best = found.pv.first().map(|&mv| (mv, found.white_score));
    let others = found.others.iter().map(|other| (other.pv[0], other.white_score));
    let all = best.into_iter().chain(others);
    all.map(|(mv, score)| (mv, chance(found.white_score) - chance(score))).collect()
}

/// The moves that are good enough, best first.
pub fn good_moves(position: &Position, found: &PositionAnalysis) -> Vec<Move> {
    let good = ranked(position, found).into_iter().filter(|(_, loss)| *loss <= GOOD_ENOUGH);
    good.map(|(mv, _)| mv).collect()
}

impl Candidate<'_> {
    /// Makes the exercise by longer searches of its position and of the one after the move played, if the
    /// answer is clear: few moves are right, and more than a recapture is to be seen.
    fn exercise(
        &self,
        found: PositionAnalysis,
        after: &PositionAnalysis,
        head: &Head,
    ) -> Option<Exercise> {
        let (position, analysis) = (self.position(), self.analysis);
        let side = position.side();
        let best = found.white_score.win_percent(side);
        let good = good_moves(position, &found);
        let first = *good.first()?;
        let played = analysis.game.moves[self.ply].mv;
        let is_clear = match self.kind {
            ExerciseKind::Mistake => {
                good.len() <= MOST_GOOD
                    && 2 * good.len() < position.legal_moves().len()
                    && !good.contains(&played)
                    && !self.takes_back(first)
                    && best - after.white_score.win_percent(side) >= STILL_A_MISTAKE
            }
            _ => good.len() == LINES,
        };
        if !is_clear || best < LEAST_CHANCE {
            return None;
        }
        let why = match self.kind {
            ExerciseKind::Mistake => move_note(position, played, &found, after).reason()?,
            _ => "there is nothing to find here: a sound move is enough".to_string(),
        };
        let begin = self.ply.saturating_sub(BEFORE);
        let before = analysis.game.moves[begin..self.ply].iter().map(|played| &played.mv);
        // Where any sound move is right, the one that was played is no mistake to ask for.
        let is_told = self.kind == ExerciseKind::Mistake;
        let words = good.iter().map(|mv| moves_text(position, [mv].into_iter()));
        Some(Exercise {
            kind: self.kind,
            game: title(head),
            fen: position.fen().to_string(),
            played: moves_text(position, [played].iter().filter(|_| is_told)),
            good: words.collect::<Vec<_>>().join(" "),
            line: moves_text(position, found.pv.iter().take(LINE)),
            before: moves_text(&analysis.positions[begin], before),
            chance: best,
            motif: main_motif(&Line::new(position, &found.pv, 0)).map(str::to_string),
            hint: hint(position, &found),
            from: first.from().to_string(),
            why,
            memory: Memory::default(),
        })
    }
}

/// The game's moves before an exercise, and the moves of its line.
const BEFORE: usize = 6;
const LINE: usize = 10;

/// Whether a move is right. An unforeseen one is searched for as long as the good ones were. After a stop it is
/// wrong.
pub fn is_right(
    order: &Order,
    exercise: &Exercise,
    position: &Position,
    mv: Move,
    stop: &AtomicBool,
) -> Result<bool, EngineError> {
    let word = position.uci(mv, true);
    let has = |moves: &str| pairs(moves).iter().any(|(uci, _)| *uci == word);
    if has(&exercise.good) {
        return Ok(true);
    }
    match exercise.kind {
        ExerciseKind::Line => Ok(false),
        _ if has(&exercise.played) => Ok(false),
        _ => {
            let found = order.look(&[position.after(mv)], LONGER, 1, stop)?;
            let chance = found.first().map(|found| found.white_score.win_percent(position.side()));
            Ok(chance.is_some_and(|chance| exercise.chance - chance <= ACCEPTED))
        }
    }
}
