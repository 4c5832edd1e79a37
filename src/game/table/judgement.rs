//! Judges a person's move by searches of the positions before and after it.

use std::fmt;

use crate::analysis::{ERROR, Note, PositionAnalysis, move_note};
use engine::board::{Game, Move, UciMove};
use engine::search::Line;

/// A judgement in the making.
pub struct Judgement {
    before: Game,
    mv: Move,
    /// The best line before the move, and the best one without the move if that turned out worse than expected.
    lines: Vec<Line>,
    /// The best line after the move.
    reply: Option<Line>,
}

/// The judgement of a move, in words.
#[derive(Debug)]
pub struct Judged {
    /// The number of moves of the game up to this one.
    pub ply: usize,
    pub note: Note,
    /// "20. Nd5?"
    pub name: String,
    /// "lets 20... Qf2 fork the king and the rook on d1; Nf3 was best."
    pub words: String,
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}", self.name, self.words)
    }
}

impl Judgement {
    pub fn new(before: Game, mv: Move) -> Judgement {
        Judgement { before, mv, lines: Vec::new(), reply: None }
    }

    /// The position to search next, and its root moves, all if none are given. `None`: all is known.
    pub fn wanted(&self) -> Option<(Game, Vec<UciMove>)> {
        if self.lines.is_empty() {
            return Some((self.before.clone(), Vec::new()));
        }
        let Some([before, after]) = self.analyses() else {
            let mut after = self.before.clone();
            after.play(self.mv);
            return Some((after, Vec::new()));
        };
        // If the search overrated the move, it may have underrated the others.
        let position = self.before.position();
        let error = before.error(self.mv, &after, position.side());
        let others = position.legal_moves().into_iter().filter(|&mv| mv != self.mv);
        let others: Vec<UciMove> = others.map(UciMove::from).collect();
        let is_left = before.others.is_empty() && !others.is_empty();
        (is_left && error <= -ERROR).then(|| (self.before.clone(), others))
    }

    /// Takes the best line of the search that was wanted.
    pub fn heard(&mut self, line: Line) {
        if self.lines.len() == 1 && self.reply.is_none() {
            self.reply = Some(line);
        } else {
            self.lines.push(line);
        }
    }

    fn analyses(&self) -> Option<[PositionAnalysis; 2]> {
        let side = self.before.position().side();
        let before = PositionAnalysis::of(self.lines.iter().cloned(), side);
        let after = PositionAnalysis::of(self.reply.clone(), !side);
        Some([before?, after?])
    }

    pub fn judged(&self) -> Option<Judged> {
        let [before, after] = self.analyses()?;
        let position = self.before.position();
        let note = move_note(position, self.mv, &before, &after);
        let (sign, words) = match (note.sign.zip(note.reason()), &note.praise) {
            (Some((sign, reason)), _) => (sign, format!("{reason}.")),
            (None, Some(praise)) => ("!", format!("{praise}.")),
            (None, None) => ("", "is a good move.".to_string()),
        };
        let name = format!("{} {}{sign}", position.san_number(), position.san(self.mv));
        Some(Judged { ply: self.before.moves().len() + 1, note, name, words })
    }
}
