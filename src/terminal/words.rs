//! What is said of a move after it, and hints that tell more and more.

use std::collections::VecDeque;

use crate::analysis::{ERROR, PositionAnalysis, hint, move_note};
use crate::board::{Move, Position, UciMove};
use crate::search::Line;

/// A move that is judged by its position and the next, which are analysed one after the other.
pub struct Judged {
    position: Position,
    mv: Move,
    /// The best line, and the best without the move if that was worse than it seemed.
    before: Vec<Line>,
    after: Option<Line>,
}

/// What is to be searched for a judgement.
pub enum Part {
    /// The position before the move, for these moves; for all if there are none.
    Before(Vec<UciMove>),
    After,
}

impl Judged {
    pub fn new(position: Position, mv: Move) -> Judged {
        Judged { position, mv, before: Vec::new(), after: None }
    }

    pub fn hear(&mut self, found: Line) {
        if self.before.len() == 1 && self.after.is_none() {
            self.after = Some(found);
        } else {
            self.before.push(found);
        }
    }

    /// What is to be searched after the position before the move.
    pub fn wanted(&self) -> Option<Part> {
        let Some([before, after]) = self.analyses() else { return Some(Part::After) };
        let error = before.error(self.mv, &after, self.position.side());
        let others = self.position.legal_moves().into_iter().filter(|&mv| mv != self.mv);
        let others: Vec<UciMove> = others.map(UciMove::from).collect();
        let is_left = before.others.is_empty() && !others.is_empty();
        (is_left && error <= -ERROR).then_some(Part::Before(others))
    }

    fn analyses(&self) -> Option<[PositionAnalysis; 2]> {
        let side = self.position.side();
        let before = PositionAnalysis::of(self.before.iter().cloned(), side);
        let after = PositionAnalysis::of(self.after.clone(), !side);
        Some([before?, after?])
    }

    /// "20. Nd5? lets 20... Qf2 fork the king and the rook on d1; Nf3 was best."
    pub fn said(&self) -> Option<String> {
        let [before, after] = self.analyses()?;
        let note = move_note(&self.position, self.mv, &before, &after);
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
        let analysis = PositionAnalysis::of(found, position.side());
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
