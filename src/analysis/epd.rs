//! Positions in lines of EPD, and what was seen in them as operations.

use super::analyst::Sight;
use crate::board::{FenError, Position};
use crate::search::Score;

/// A mate counts so much less one for each ply until it is on the board.
const MATE: i32 = 32_767;

/// The operations that an analysis writes.
const OURS: [&str; 4] = ["bm", "ce", "acd", "pv"];

/// The fields that say what the position is.
const FIELDS: usize = 4;

/// A line of EPD, or of FEN, which has counters before the operations.
pub struct Problem {
    pub position: Position,
    /// The fields as they were written.
    fields: String,
    operations: Vec<String>,
}

/// Why a line is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EpdError {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("a quote in its operations is never closed")]
    OpenQuote,
}

impl Problem {
    pub fn read(line: &str) -> Result<Problem, EpdError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_number = |word: &&&str| word.bytes().all(|byte| byte.is_ascii_digit());
        let counters = words.iter().skip(FIELDS).take(2).take_while(is_number).count();
        let fields = words[..words.len().min(FIELDS + counters)].join(" ");
        let position = fields.parse()?;
        let mut rest = line;
        for _ in 0..FIELDS + counters {
            rest = rest.trim_start();
            rest = &rest[rest.find(char::is_whitespace).unwrap_or(rest.len())..];
        }
        Ok(Problem { position, fields, operations: operations(rest)? })
    }

    /// The line with what was seen in the position in place of what was said of it before.
    pub fn answered(&self, sight: &Sight) -> String {
        let mut operations: Vec<String> = Vec::new();
        let san = |mv| self.position.san(mv);
        operations.extend(sight.line.first().map(|&best| format!("bm {}", san(best))));
        operations.push(format!("ce {}", centipawns(sight.score)));
        operations.push(format!("acd {}", sight.depth));
        if !sight.line.is_empty() {
            let mut position = self.position;
            let moves = sight.line.iter().map(|&mv| {
                let san = position.san(mv);
                position = position.after(mv);
                san
            });
            operations.push(format!("pv {}", moves.collect::<Vec<_>>().join(" ")));
        }
        let kept = self.operations.iter().filter(|text| {
            let name = text.split_whitespace().next().unwrap_or_default();
            !OURS.contains(&name)
        });
        operations.extend(kept.cloned());
        format!("{} {};", self.fields, operations.join("; "))
    }
}

/// What stands between semicolons that are not in quotes.
fn operations(text: &str) -> Result<Vec<String>, EpdError> {
    let mut quoted = false;
    let parts = text.split(|letter| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    });
    let parts: Vec<&str> = parts.map(str::trim).collect();
    if quoted {
        return Err(EpdError::OpenQuote);
    }
    Ok(parts.into_iter().filter(|part| !part.is_empty()).map(str::to_string).collect())
}

/// For the side to move.
fn centipawns(score: Score) -> i32 {
    match score {
        Score::Centipawns(value) => value,
        Score::Mate(moves @ 1..) => MATE - (2 * moves - 1),
        Score::Mate(moves) => -MATE - 2 * moves,
    }
}
