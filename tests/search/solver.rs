//! Finds mates exhaustively: no evaluation, no unsafe pruning.

use std::collections::HashMap;

use engine::board::{Move, Position};

/// The moves within which the side to move mates, and those within which it surely does not.
#[derive(Clone, Copy)]
struct Known {
    mates: u32,
    not: u32,
}

const NOTHING: Known = Known { mates: u32::MAX, not: 0 };

#[derive(Default)]
pub struct Solver {
    known: HashMap<u64, Known>,
    /// The reply that last refuted an attack with this many moves left.
    refutations: HashMap<u32, Move>,
}

impl Solver {
    /// The number of moves in which the side to move mates against any defence, up to `most`.
    pub fn distance(&mut self, position: &Position, most: u32) -> Option<u32> {
        (1..=most).find(|&moves| self.mates(position, moves))
    }

    /// Whether the side to move mates within this many moves by starting with this one.
    pub fn mates_by(&mut self, position: &Position, mv: Move, moves: u32) -> bool {
        self.is_lost(&position.after(mv), moves - 1)
    }

    fn mates(&mut self, position: &Position, moves: u32) -> bool {
        let known = self.known.get(&position.key()).copied().unwrap_or(NOTHING);
        if known.mates <= moves || known.not >= moves {
            return known.mates <= moves;
        }
        let mut nexts: Vec<Position> =
            position.legal_moves().iter().map(|&mv| position.after(mv)).collect();
        if moves == 1 {
            nexts.retain(Position::in_check);
        }
        // Checks, and moves that leave few replies, are most likely to mate.
        nexts.sort_by_cached_key(|next| (!next.in_check(), next.legal_moves().len()));
        let mates = nexts.iter().any(|next| self.is_lost(next, moves - 1));
        let known = self.known.entry(position.key()).or_insert(NOTHING);
        if mates {
            known.mates = known.mates.min(moves);
        } else {
            known.not = known.not.max(moves);
        }
        mates
    }

    /// Whether the side to move is mated within this many moves, whatever it plays.
    pub fn is_lost(&mut self, position: &Position, moves: u32) -> bool {
        let mut replies = position.legal_moves();
        if replies.is_empty() {
            return position.in_check();
        }
        if moves == 0 || position.is_insufficient() {
            return false;
        }
        if let Some(refutation) = self.refutations.get(&moves)
            && let Some(place) = replies.iter().position(|mv| mv == refutation)
        {
            replies.swap(0, place);
        }
        let refutation = replies.iter().find(|&&mv| !self.mates(&position.after(mv), moves));
        if let Some(&mv) = refutation {
            self.refutations.insert(moves, mv);
        }
        refutation.is_none()
    }
}
