//! A line of moves, and one turn of it.

use super::geometry::{PAWN, gain, is_mate, taken, threat, value_at};
use engine::board::{Color, Move, Position, Square, SquareSet};

/// A line from a position. The hero, whose motifs are looked for, makes the move at index `first`.
pub struct Line {
    pub positions: Vec<Position>,
    pub moves: Vec<Move>,
    pub first: usize,
}

impl Line {
    pub fn new(start: &Position, moves: &[Move], first: usize) -> Line {
        let mut positions = vec![*start];
        for &mv in moves {
            positions.push(positions[positions.len() - 1].after(mv));
        }
        Line { positions, moves: moves.to_vec(), first }
    }

    /// The side whose motifs are looked for.
    pub fn hero(&self) -> Color {
        let side = self.positions[0].side();
        if self.first.is_multiple_of(2) { side } else { !side }
    }

    /// Whether the move at a ply captures something.
    pub fn takes(&self, ply: usize) -> bool {
        self.positions[ply].captured(self.moves[ply]).is_some()
    }

    /// Whether the move at a ply leaves little choice, or had little.
    pub fn forces(&self, ply: usize) -> bool {
        self.takes(ply) || self.positions[ply + 1].in_check() || self.positions[ply].in_check()
    }

    /// Whether the replies to the hero's moves before a ply are forced: out of check, to take back, or with a
    /// piece that would be won. A line with another reply proves nothing: it was one of many.
    pub fn is_forced_to(&self, ply: usize) -> bool {
        (self.first + 1..ply).step_by(2).all(|reply| {
            let takes_back = self.takes(reply - 1)
                && self.takes(reply)
                && self.moves[reply].to() == self.moves[reply - 1].to();
            let before = &self.positions[reply];
            let flees = || threat(before, self.moves[reply].from()) >= 2 * PAWN;
            before.in_check() || takes_back || flees()
        })
    }

    pub fn end(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    pub fn turns(&self) -> impl Iterator<Item = Turn<'_>> {
        (self.first..self.moves.len()).step_by(2).map(|ply| Turn { line: self, ply })
    }
}

/// A move of the hero, with the moves before and after it.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    pub line: &'a Line,
    pub ply: usize,
}

impl<'a> Turn<'a> {
    pub fn before(&self) -> &'a Position {
        &self.line.positions[self.ply]
    }

    pub fn mv(&self) -> Move {
        self.line.moves[self.ply]
    }

    pub fn after(&self) -> &'a Position {
        &self.line.positions[self.ply + 1]
    }

    /// The square of the moved piece, after castling that of the king.
    pub fn to(&self) -> Square {
        if self.mv().is_castling() { self.after().king(self.hero()) } else { self.mv().to() }
    }

    pub fn hero(&self) -> Color {
        self.line.hero()
    }

    /// The enemy's reply.
    pub fn reply(&self) -> Option<Move> {
        self.line.moves.get(self.ply + 1).copied()
    }

    /// The hero's next turn.
    pub fn next(&self) -> Option<Turn<'a>> {
        let ply = self.ply + 2;
        (ply < self.line.moves.len()).then_some(Turn { line: self.line, ply })
    }

    /// The enemy's previous move, and the position before it.
    pub fn previous(&self) -> Option<(&'a Position, Move)> {
        let ply = self.ply.checked_sub(1)?;
        Some((&self.line.positions[ply], self.line.moves[ply]))
    }

    pub fn taken(&self) -> i32 {
        taken(self.before(), self.mv())
    }

    /// Whether the move gives up more than it takes.
    pub fn is_sacrifice(&self) -> bool {
        self.taken() < value_at(self.before(), self.mv().from())
    }

    pub fn mates(&self) -> bool {
        is_mate(self.after())
    }

    /// Whether the move mates or wins material.
    pub fn succeeds(&self) -> bool {
        self.mates() || gain(self.before(), self.mv()) > 0
    }

    /// Whether the move or the next one of the hero succeeds.
    pub fn leads_on(&self) -> bool {
        self.mates() || self.next().is_some_and(|next| next.succeeds())
    }

    /// Whether the next move of the piece on `by` captures on one of these squares.
    pub fn takes(&self, by: Square, targets: SquareSet) -> bool {
        let mut later = std::iter::successors(self.next(), Turn::next);
        later.find(|turn| turn.mv().from() == by).is_some_and(|turn| {
            let to = turn.mv().to();
            targets.contains(to) && turn.before().piece_at(to) == self.after().piece_at(to)
        })
    }
}
