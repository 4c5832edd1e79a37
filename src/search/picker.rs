//! The order in which moves are tried.
//!
//! Moves are generated a stage at a time and sorted only as far as they are asked for, so that a
//! node that is soon refuted pays for no more than it needs.

use super::history::{Context, History};
use super::outlook::Outlook;
use super::ranking::Ranking;
use crate::board::attacks::{Native, see_value};
use crate::board::{Checks, Move, MoveList, PieceType, Position, Stage};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    TableMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
}

/// Moves of a node, the most promising first: the table's move, captures that win, quiet moves,
/// captures that lose.
pub struct Picker {
    step: Step,
    table_move: Option<Move>,
    with_quiet: bool,
    ranking: Ranking,
    bad: MoveList,
    next_bad: usize,
}

impl Picker {
    /// All moves, which in check are the answers to it.
    pub fn all(table_move: Option<Move>) -> Picker {
        Picker::new(table_move, true)
    }

    /// Captures and promotions that lose nothing in exchanges.
    pub fn winning(table_move: Option<Move>) -> Picker {
        Picker::new(table_move, false)
    }

    /// The table's move must be legal, and one that is asked for.
    fn new(table_move: Option<Move>, with_quiet: bool) -> Picker {
        let step = if table_move.is_some() { Step::TableMove } else { Step::GenerateNoisy };
        Picker {
            step,
            table_move,
            with_quiet,
            ranking: Ranking::new(),
            bad: MoveList::new(),
            next_bad: 0,
        }
    }

    /// No quiet move will be asked for any more.
    pub fn skip_quiet(&mut self) {
        self.with_quiet = false;
        if self.step == Step::Quiet {
            self.step = Step::BadNoisy;
        }
    }

    /// Of the quiet moves only those that give check will be asked for any more.
    pub fn skip_quiet_but_checks(&mut self, position: &Position) {
        if self.step == Step::Quiet {
            let checks = Checks::of::<Native>(position);
            self.ranking.retain(|mv| checks.has::<Native>(mv));
        }
    }

    /// The next move and its history, which is 0 for the table's: nobody asks what the first move
    /// did before. `context` is asked for only where quiet moves are to be judged; if it is none,
    /// only checks are asked for, in any order.
    pub fn pick<'a>(
        &mut self,
        position: &Position,
        history: &History,
        context: impl FnOnce() -> Option<Context<'a>>,
    ) -> Option<(Move, i32)> {
        loop {
            match self.step {
                Step::TableMove => {
                    self.step = Step::GenerateNoisy;
                    return self.table_move.map(|mv| (mv, 0));
                }
                Step::GenerateNoisy => {
                    self.generate_noisy(position, history);
                    self.step = Step::GoodNoisy;
                }
                Step::GoodNoisy => match self.best() {
                    Some((mv, _)) if position.see_ge(mv, 0) => {
                        return Some((mv, history.of_noisy(position, mv)));
                    }
                    Some((mv, _)) if self.with_quiet => self.bad.push(mv),
                    Some(_) => {}
                    None => self.step = Step::GenerateQuiet,
                },
                Step::GenerateQuiet => {
                    self.step = Step::BadNoisy;
                    if self.with_quiet {
                        self.step = Step::Quiet;
                        match context() {
                            Some(context) => {
                                self.generate_quiet(position, history, &context);
                            }
                            None => {
                                self.generate(position, Stage::Quiet, |_| 0);
                                self.skip_quiet_but_checks(position);
                            }
                        }
                        return self.best().or_else(|| self.next_bad(position, history));
                    }
                }
                Step::Quiet => return self.best().or_else(|| self.next_bad(position, history)),
                Step::BadNoisy => return self.next_bad(position, history),
            }
        }
    }

    fn next_bad(&mut self, position: &Position, history: &History) -> Option<(Move, i32)> {
        self.step = Step::BadNoisy;
        let mv = *self.bad.get(self.next_bad)?;
        self.next_bad += 1;
        Some((mv, history.of_noisy(position, mv)))
    }

    // Two functions that exist once: a copy in every search would be more code than the processor
    // keeps at hand.

    #[inline(never)]
    fn generate_noisy(&mut self, position: &Position, history: &History) {
        self.generate(position, Stage::Noisy, |mv| noisy_rank(position, history, mv));
    }

    #[inline(never)]
    fn generate_quiet(&mut self, position: &Position, history: &History, context: &Context) {
        let outlook = Outlook::of(position, &context.attacks);
        let history = history.of_quiet(context);
        self.generate(position, Stage::Quiet, |mv| history.rank(mv) + outlook.rank(mv));
    }

    fn generate(&mut self, position: &Position, stage: Stage, rank: impl Fn(Move) -> i32) {
        self.ranking.fill(|moves| position.generate(stage, moves), rank);
    }

    /// The best of the moves that are left, other than the table's, and its rank.
    fn best(&mut self) -> Option<(Move, i32)> {
        loop {
            let picked = self.ranking.take_best()?;
            if Some(picked.0) != self.table_move {
                return Some(picked);
            }
        }
    }
}

/// The most valuable victim first, then what did well before; a pawn becomes a queen or waits.
fn noisy_rank(position: &Position, history: &History, mv: Move) -> i32 {
    let victim = position.captured(mv).map_or(0, |piece| see_value(piece.kind()));
    let becomes = match mv.promoted() {
        Some(PieceType::Queen) => see_value(PieceType::Queen),
        Some(_) => -see_value(PieceType::Queen),
        None => 0,
    };
    32 * (victim + becomes) + history.of_noisy(position, mv)
}
