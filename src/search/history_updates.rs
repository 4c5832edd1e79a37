//! Which results teach which histories.

use super::history::{CONTINUATION_PLIES, MoveContext, OwnHistory, PieceTo};
use super::tunables::Tunables;
use super::worker::Worker;
use crate::board::Move;

/// A bonus, or a malus if negative, for each history of a quiet move.
#[derive(Clone, Copy)]
struct QuietBonus {
    butterfly: i32,
    pawn: i32,
    continuation: i32,
}

impl QuietBonus {
    fn of_best(tunables: Tunables, depth: i32) -> QuietBonus {
        let butterfly = by_depth(
            depth,
            tunables.butterfly_bonus(),
            tunables.butterfly_bonus_offset(),
            tunables.butterfly_bonus_limit(),
        );
        let continuation = by_depth(
            depth,
            tunables.continuation_bonus(),
            tunables.continuation_bonus_offset(),
            tunables.continuation_bonus_limit(),
        );
        QuietBonus { butterfly, pawn: butterfly * tunables.pawn_bonus_share() / 1024, continuation }
    }

    /// The malus of a move that was tried before the best one; the first one's is the greatest.
    fn of_tried(tunables: Tunables, depth: i32, place: usize) -> QuietBonus {
        let fade = 1024 + tunables.malus_fade() * place as i32;
        let faded = |malus: i32| -malus * 1024 / fade;
        let butterfly = faded(by_depth(
            depth,
            tunables.butterfly_malus(),
            tunables.butterfly_malus_offset(),
            tunables.butterfly_malus_limit(),
        ));
        let continuation = faded(by_depth(
            depth,
            tunables.continuation_malus(),
            tunables.continuation_malus_offset(),
            tunables.continuation_malus_limit(),
        ));
        QuietBonus { butterfly, pawn: butterfly * tunables.pawn_malus_share() / 1024, continuation }
    }
}

/// The form of every bonus and malus.
fn by_depth(depth: i32, factor: i32, offset: i32, limit: i32) -> i32 {
    (factor * depth + offset).min(limit)
}

impl Worker<'_> {
    /// A quiet move is best, by a search or by the transposition table.
    pub fn reward_quiet(&mut self, context: &MoveContext, mv: Move, depth: i32) {
        self.update_quiet(context, mv, QuietBonus::of_best(self.tunables, depth));
    }

    /// A move beats alpha: it gains, and those tried before it lose.
    pub fn reward_best_move(
        &mut self,
        context: &MoveContext,
        best: Move,
        quiets: &[Move],
        noisies: &[Move],
        depth: i32,
    ) {
        let tunables = self.tunables;
        let position = context.position;
        if position.is_noisy(best) {
            let bonus = by_depth(
                depth,
                tunables.capture_bonus(),
                tunables.capture_bonus_offset(),
                tunables.capture_bonus_limit(),
            );
            self.history.update_capture(context.capture_index(best), bonus);
        } else {
            self.reward_quiet(context, best, depth);
            for (place, &quiet) in quiets.iter().enumerate() {
                let malus = QuietBonus::of_tried(tunables, depth, place);
                self.update_quiet(context, quiet, malus);
            }
        }
        let malus = by_depth(
            depth,
            tunables.capture_malus(),
            tunables.capture_malus_offset(),
            tunables.capture_malus_limit(),
        );
        for &noisy in noisies {
            self.history.update_capture(context.capture_index(noisy), -malus);
        }
        let malus = by_depth(
            depth,
            tunables.refuted_malus(),
            tunables.refuted_malus_offset(),
            tunables.refuted_malus_limit(),
        );
        self.refute_last_move(1, malus);
    }

    /// The opponent's last quiet move is refuted, if it was among the first so many of its node.
    pub fn refute_last_move(&mut self, moves: i32, malus: i32) {
        let last = self.stack(-1);
        if matches!(last.moved.own, Some(OwnHistory::Quiet(_))) && last.move_count <= moves {
            self.update_continuation(1, last.moved.piece_to(), -malus);
        }
    }

    /// A quiet move failed high after its reduced search had, too.
    pub fn reward_researched_move(&mut self, context: &MoveContext, mv: Move, depth: i32) {
        let tunables = self.tunables;
        let bonus = by_depth(
            depth,
            tunables.research_bonus(),
            tunables.research_bonus_offset(),
            tunables.research_bonus_limit(),
        );
        self.update_continuation(0, PieceTo::of(context.position, mv), bonus);
    }

    /// All moves failed low: the opponent's last move was good; a quiet one the more the later it
    /// came and the worse the node turned out.
    /// `static_eval` is the node's, where it is known.
    pub fn reward_last_move(&mut self, depth: i32, score: i32, static_eval: Option<i32>) {
        let tunables = self.tunables;
        let last = *self.stack(-1);
        let butterfly = match last.moved.own {
            Some(OwnHistory::Quiet(index)) => index,
            Some(OwnHistory::Noisy(index)) => {
                let bonus = tunables.last_noisy_bonus() * depth;
                self.history.update_capture(index, bonus.min(tunables.last_noisy_bonus_limit()));
                return;
            }
            None => return,
        };
        let margin = tunables.last_move_margin();
        let is_worse = static_eval.is_some_and(|eval| score <= eval - margin);
        let is_better_for_it = last.static_eval.is_some_and(|eval| score <= -eval - margin);
        let share = tunables.last_move_base()
            + (tunables.last_move_count() * last.move_count).min(tunables.last_move_count_limit())
            + i32::from(last.is_tt_move) * tunables.last_move_tt_move()
            + i32::from(is_worse) * tunables.last_move_worse()
            + i32::from(is_better_for_it) * tunables.last_move_better();
        let bonus = QuietBonus::of_best(tunables, depth);
        self.history.update_butterfly(butterfly, bonus.butterfly * share / 1024);
        let before = self.stack(-2).moved;
        let continuation = bonus.continuation * share / 1024;
        self.history.update_continuation(before, last.moved.piece_to(), continuation);
    }

    /// The opponent's last quiet move is judged by how the static evaluation has changed, which rose
    /// by so much for the side to move.
    pub fn reward_last_move_by_eval(&mut self, rise: i32) {
        let Some(OwnHistory::Quiet(butterfly)) = self.stack(-1).moved.own else { return };
        let tunables = self.tunables;
        let bonus = (-rise * tunables.eval_history_rate())
            .clamp(-tunables.eval_history_malus_limit(), tunables.eval_history_bonus_limit());
        self.history.update_butterfly(butterfly, bonus);
    }

    fn update_quiet(&mut self, context: &MoveContext, mv: Move, bonus: QuietBonus) {
        self.history.update_butterfly(context.butterfly_index(mv), bonus.butterfly);
        let low_ply = bonus.butterfly * self.tunables.low_ply_share() / 1024;
        self.history.update_low_ply(context.ply, mv, low_ply);
        self.history.update_pawn(context.position, mv, bonus.pawn);
        self.update_continuation(0, PieceTo::of(context.position, mv), bonus.continuation);
    }

    /// A move's continuation histories, seen from some plies before the present one.
    fn update_continuation(&mut self, back: isize, moved: PieceTo, bonus: i32) {
        for plies in CONTINUATION_PLIES {
            let before = self.stack(-(back + plies)).moved;
            self.history.update_continuation(before, moved, bonus);
        }
    }
}
