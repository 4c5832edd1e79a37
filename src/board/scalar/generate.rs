//! The generator that goes from square to square.

use super::squares::{CheckSquares, is_attacked, occupied_by, sees_past};
use crate::board::generate::{PawnSteps, push_castling, push_pawn_moves};
use crate::board::lanes::{between, step_between};
use crate::board::square::{EAST, JUMPS, RAYS, WEST};
use crate::board::{Color, Move, MoveList, Position, Square, SquareSet, Stage};

pub struct SquareGenerator<'a> {
    position: &'a Position,
    us: Color,
    king: Square,
    check: CheckSquares,
    own: SquareSet,
    enemies: SquareSet,
    /// Where the stage lets pieces go.
    wanted: SquareSet,
    /// Where a check lets pieces other than the king go: to the checker or between.
    check_mask: SquareSet,
    /// Both.
    targets: SquareSet,
}

impl<'a> SquareGenerator<'a> {
    #[inline(always)]
    pub fn new(position: &'a Position, stage: Stage) -> SquareGenerator<'a> {
        let us = position.side();
        let king = position.king(us);
        let (own, enemies) = (occupied_by(position, us), occupied_by(position, !us));
        let check = CheckSquares::of(position, us, enemies);
        let wanted = match stage {
            Stage::Noisy => enemies,
            Stage::Quiet => !(own | enemies),
            Stage::All => !own,
        };
        let check_mask = match check.checkers.into_iter().next() {
            Some(checker) => {
                between(king, checker).collect::<SquareSet>() | SquareSet::one(checker)
            }
            None => SquareSet::ALL,
        };
        let targets = wanted & check_mask;
        SquareGenerator { position, us, king, check, own, enemies, wanted, check_mask, targets }
    }

    #[inline(always)]
    pub fn run(&self, stage: Stage, list: &mut MoveList) {
        self.king_steps(list);
        if self.check.checkers.has_several() {
            return;
        }
        if stage.quiet() && self.check.checkers.is_empty() {
            let is_pinned = |rook| self.check.pinned.contains(rook);
            let is_safe = |square| !is_attacked(self.position, square, !self.us);
            let occupied = self.own | self.enemies;
            push_castling(self.position, self.us, occupied, is_pinned, is_safe, list);
        }
        let mut pawns = SquareSet::NONE;
        for from in self.own {
            match self.position.byte_at(from) & 0xF {
                1 => pawns.insert(from),
                2 => self.jumps(from, list),
                4 => self.slides(from, [RAYS[1], RAYS[3], RAYS[4], RAYS[6]], list),
                8 => self.slides(from, [RAYS[0], RAYS[2], RAYS[5], RAYS[7]], list),
                12 => self.slides(from, RAYS, list),
                _ => {}
            }
        }
        self.pawn_moves(stage, pawns, list);
    }

    fn king_steps(&self, list: &mut MoveList) {
        for to in RAYS.iter().filter_map(|&step| self.king.step(step)) {
            // A king that steps away does not hide the square behind it.
            let attacks =
                |from| sees_past(self.position, self.position.byte_at(from), from, to, self.king);
            if self.wanted.contains(to) && !self.enemies.into_iter().any(attacks) {
                list.push(Move::normal(self.king, to));
            }
        }
    }

    #[inline(always)]
    fn jumps(&self, from: Square, list: &mut MoveList) {
        if self.check.pinned.contains(from) {
            return;
        }
        for to in JUMPS.iter().filter_map(|&jump| from.step(jump)) {
            if self.targets.contains(to) {
                list.push(Move::normal(from, to));
            }
        }
    }

    #[inline(always)]
    fn slides<const N: usize>(&self, from: Square, steps: [i8; N], list: &mut MoveList) {
        let pin = match self.check.pinned.contains(from) {
            true => step_between(self.king, from),
            false => None,
        };
        for step in steps {
            if pin.is_some_and(|pin| pin != step && pin != -step) {
                continue;
            }
            let mut at = from;
            while let Some(to) = at.step(step) {
                if self.targets.contains(to) {
                    list.push(Move::normal(from, to));
                }
                if !self.position.is_empty(to) {
                    break;
                }
                at = to;
            }
        }
    }

    #[inline(always)]
    fn pawn_moves(&self, stage: Stage, pawns: SquareSet, list: &mut MoveList) {
        let forward = self.us.forward();
        let mut free = [pawns; 3];
        for from in pawns & self.check.pinned {
            let pin = step_between(self.king, from);
            for (free, step) in free.iter_mut().zip([forward + WEST, forward + EAST, forward]) {
                if pin.is_some_and(|pin| pin != step && pin != -step) {
                    *free = *free & !SquareSet::one(from);
                }
            }
        }
        let empty = !(self.own | self.enemies);
        let steps = PawnSteps::new(self.us, stage, free, empty, self.enemies, self.check_mask);
        push_pawn_moves(steps, list, |step, destinations, list| {
            for to in destinations {
                let from = Square::from_dense(to.dense().wrapping_add_signed(-step));
                list.push(Move::normal(from, to));
            }
        });
    }
}
