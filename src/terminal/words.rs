//! What is said of a move after it, and hints that tell more and more.

use std::collections::VecDeque;

use crate::analysis::{PositionAnalysis, hint, move_note};
use crate::board::{Move, Position};
use crate::search::Line;

/// A move that is judged by its position and the next, which are analysed one after the other.
pub struct Judged {
    position: Position,
    mv: Move,
    before: Option<PositionAnalysis>,
    after: Option<PositionAnalysis>,
}

impl Judged {
    pub fn new(position: Position, mv: Move) -> Judged {
        Judged { position, mv, before: None, after: None }
    }

    pub fn hear(&mut self, found: Line) {
        let side = self.position.side();
        if self.before.is_none() {
            self.before = Some(PositionAnalysis::of(found, side));
        } else {
            self.after = Some(PositionAnalysis::of(found, !side));
        }
    }

    pub fn is_complete(&self) -> bool {
        self.after.is_some()
    }

    /// "20. Nd5? lets 20... Qf2 fork the king and the rook on d1; Nf3 was best."
    pub fn said(&self) -> Option<String> {
        let (before, after) = self.before.as_ref().zip(self.after.as_ref())?;
        let note = move_note(&self.position, self.mv, before, after);
        let name = format!("{} {}", self.position.san_number(), self.position.san(self.mv));
        let judged = note.sign.zip(note.reason());
        let told = judged.map(|(sign, reason)| format!("{name}{sign} {reason}."));
        told.or_else(|| note.praise.map(|praise| format!("{name} {praise}.")))
    }
}

/// What is still to be told of a position's best move.
pub struct Hints {
    position: Position,
    left: VecDeque<String>,
}

impl Hints {
    /// First what to look for, then the piece, then the move.
    pub fn new(position: Position, best: Move, found: Option<Line>) -> Hints {
        let analysis = found.map(|line| PositionAnalysis::of(line, position.side()));
        let motif = analysis.and_then(|analysis| hint(&position, &analysis));
        let piece = position.piece_at(best.from()).map_or("piece", |piece| piece.kind().name());
        let mut left: VecDeque<String> = VecDeque::from([
            format!("Move the {piece} on {}.", best.from()),
            format!("{} {} is good.", position.san_number(), position.san(best)),
        ]);
        motif.iter().for_each(|motif| left.push_front(format!("Look for {motif}.")));
        Hints { position, left }
    }

    /// The next one, while the position is on the board.
    pub fn next(&mut self, position: &Position) -> Option<String> {
        self.left.pop_front().filter(|_| self.position == *position)
    }
}
