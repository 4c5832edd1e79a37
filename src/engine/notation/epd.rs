//! EPD lines: a position and operations.

use crate::board::{FenError, Position};

/// The number of fields of the position.
const FIELDS: usize = 4;

/// A line of EPD, or a FEN, whose two counters come before the operations.
pub struct EpdLine {
    pub position: Position,
    /// The position as it was written.
    fields: String,
    operations: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EpdError {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("a quote in its operations is never closed")]
    OpenQuote,
}

impl EpdLine {
    pub fn parse(line: &str) -> Result<EpdLine, EpdError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |word: &&&str| {
            let digits = word.strip_suffix(';').unwrap_or(word);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        let counters = words.iter().skip(FIELDS).take(2).take_while(number).count();
        let fields = words[..words.len().min(FIELDS + counters)].join(" ");
        let fields = fields.trim_end_matches(';').to_string();
        let mut rest = line;
        for _ in 0..FIELDS + counters {
            rest = rest.trim_start();
            rest = &rest[rest.find(char::is_whitespace).unwrap_or(rest.len())..];
        }
        let operations = operations(rest)?;
        // The counters may also be operations.
        let counter = |name: &str, default: &str| {
            let operand = |text: &String| text.strip_prefix(name)?.trim().parse::<u16>().ok();
            operations.iter().find_map(operand).map_or(default.to_string(), |n| n.to_string())
        };
        let position = match counters {
            0 => format!("{fields} {} {}", counter("hmvc ", "0"), counter("fmvn ", "1")).parse()?,
            _ => fields.parse()?,
        };
        Ok(EpdLine { position, fields, operations })
    }

    /// The operand of an operation.
    pub fn operand(&self, name: &str) -> Option<&str> {
        self.operations.iter().find_map(|text| text.strip_prefix(name)?.strip_prefix(' '))
    }

    /// The line with these operations; existing ones with the names in `replaced` are dropped.
    pub fn with_operations(&self, mut operations: Vec<String>, replaced: &[&str]) -> String {
        let kept = self.operations.iter().filter(|text| {
            let name = text.split_whitespace().next().unwrap_or_default();
            !replaced.contains(&name)
        });
        operations.extend(kept.cloned());
        format!("{} {};", self.fields, operations.join("; "))
    }
}

/// The positions of a file, or the first error with its line number.
pub fn epd_positions(text: &str) -> Result<Vec<Position>, (usize, EpdError)> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| match EpdLine::parse(line) {
            Ok(line) => Ok(line.position),
            Err(error) => Err((number, error)),
        })
        .collect()
}

/// Splits at semicolons outside quotes.
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
