//! Move ordering.
//!
//! Moves are generated a stage at a time and sorted only as far as they are asked for: a node that
//! fails high early pays for no more than it needs.

use super::history::{History, QuietContext};
use super::quiet_scores::QuietScores;
use super::scored_moves::ScoredMoves;
use super::tunables::Tunables;
use crate::board::{Checks, Move, MoveList, PieceType, Position, Stage, see_value};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
}

/// The moves of a node, the most promising first: the TT move, noisy moves that lose nothing by SEE,
/// quiet moves, other noisy moves.
pub struct MovePicker {
    step: Step,
    tunables: Tunables,
    tt_move: Option<Move>,
    with_quiets: bool,
    moves: ScoredMoves,
    bad_noisy: MoveList,
    next_bad: usize,
}

impl MovePicker {
    /// All moves, which in check are the evasions. The TT move must be legal.
    pub fn all(tt_move: Option<Move>, tunables: Tunables) -> MovePicker {
        MovePicker::new(tt_move, tunables, true)
    }

    /// Noisy moves that lose nothing by SEE, and the TT move, which must be legal.
    pub fn good_noisy(tt_move: Option<Move>, tunables: Tunables) -> MovePicker {
        MovePicker::new(tt_move, tunables, false)
    }

    fn new(tt_move: Option<Move>, tunables: Tunables, with_quiets: bool) -> MovePicker {
        let step = if tt_move.is_some() { Step::TtMove } else { Step::GenerateNoisy };
        MovePicker {
            step,
            tunables,
            tt_move,
            with_quiets,
            moves: ScoredMoves::new(),
            bad_noisy: MoveList::new(),
            next_bad: 0,
        }
    }

    /// No quiet moves are picked from now on.
    pub fn skip_quiets(&mut self) {
        self.with_quiets = false;
        if self.step == Step::Quiet {
            self.step = Step::BadNoisy;
        }
    }

    /// Of the quiet moves only those that give check are picked from now on.
    pub fn skip_quiets_but_checks(&mut self, position: &Position) {
        if self.step == Step::Quiet {
            let checks = Checks::of(position);
            self.moves.retain(|mv| checks.has(mv));
        }
    }

    /// The next move and its history, 0 for the TT move. `context` is asked for only when quiet
    /// moves are to be scored; if it is none, only checks are picked, in any order.
    pub fn next<'a>(
        &mut self,
        position: &Position,
        history: &History,
        context: impl FnOnce() -> Option<QuietContext<'a>>,
    ) -> Option<(Move, i32)> {
        loop {
            match self.step {
                Step::TtMove => {
                    self.step = Step::GenerateNoisy;
                    return self.tt_move.map(|mv| (mv, 0));
                }
                Step::GenerateNoisy => {
                    self.generate_noisy(position, history);
                    self.step = Step::GoodNoisy;
                }
                Step::GoodNoisy => match self.best() {
                    Some((mv, _)) if position.see_ge(mv, 0) => {
                        return Some((mv, history.capture(position, mv)));
                    }
                    Some((mv, _)) if self.with_quiets => self.bad_noisy.push(mv),
                    Some(_) => {}
                    None => self.step = Step::GenerateQuiet,
                },
                Step::GenerateQuiet => {
                    self.step = Step::BadNoisy;
                    if self.with_quiets {
                        self.step = Step::Quiet;
                        match context() {
                            Some(context) => self.generate_quiets(position, history, &context),
                            None => {
                                self.generate(position, Stage::Quiet, |_| 0);
                                self.skip_quiets_but_checks(position);
                            }
                        }
                        return self.best().or_else(|| self.next_bad_noisy(position, history));
                    }
                }
                Step::Quiet => {
                    return self.best().or_else(|| self.next_bad_noisy(position, history));
                }
                Step::BadNoisy => return self.next_bad_noisy(position, history),
            }
        }
    }

    /// What probably comes after the move that was picked last, to be prefetched.
    #[inline(always)]
    pub fn upcoming(&self) -> Option<Move> {
        self.moves.best()
    }

    fn next_bad_noisy(&mut self, position: &Position, history: &History) -> Option<(Move, i32)> {
        self.step = Step::BadNoisy;
        let mv = *self.bad_noisy.get(self.next_bad)?;
        self.next_bad += 1;
        Some((mv, history.capture(position, mv)))
    }

    // Two functions that are never inlined: a copy in every search would not fit the instruction
    // cache.

    #[inline(never)]
    fn generate_noisy(&mut self, position: &Position, history: &History) {
        let mvv = self.tunables.mvv();
        self.generate(position, Stage::Noisy, |mv| noisy_score(position, history, mv, mvv));
    }

    #[inline(never)]
    fn generate_quiets(&mut self, position: &Position, history: &History, context: &QuietContext) {
        let scores = QuietScores::new(position, &context.attacks, self.tunables);
        let history = history.quiet(context, self.tunables);
        let score = |mv| history.score(mv) + scores.score(mv);
        self.generate(position, Stage::Quiet, score);
    }

    fn generate(&mut self, position: &Position, stage: Stage, score: impl Fn(Move) -> i32) {
        self.moves.fill(|moves| position.generate(stage, moves), score);
    }

    /// The best of the moves that are left, other than the TT move, and its score.
    fn best(&mut self) -> Option<(Move, i32)> {
        loop {
            let picked = self.moves.take_best()?;
            if Some(picked.0) != self.tt_move {
                return Some(picked);
            }
        }
    }
}

/// MVV and capture history: the most valuable victim first, and of equal ones what was good before.
/// Underpromotions come last.
fn noisy_score(position: &Position, history: &History, mv: Move, mvv: i32) -> i32 {
    let victim = position.captured(mv).map_or(0, |piece| see_value(piece.kind()));
    let promotion = match mv.promoted() {
        Some(PieceType::Queen) => see_value(PieceType::Queen),
        Some(_) => -see_value(PieceType::Queen),
        None => 0,
    };
    mvv * (victim + promotion) + history.capture(position, mv)
}
