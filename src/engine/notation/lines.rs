//! The lines of a text that others wrote.

use std::io::{self, BufRead};

use crate::system::lines::ByteLines;

/// What no game has, and no line: more is none.
pub const MOST_BYTES: u64 = 16 << 20;

pub struct Lines<R>(ByteLines<R>);

pub struct TextLine {
    pub text: String,
    /// It has a rest that was left out.
    pub is_cut: bool,
}

impl<R: BufRead> Lines<R> {
    pub fn new(input: R) -> Lines<R> {
        Lines(ByteLines::new(input))
    }

    /// Keeps lines as long as a game may be.
    pub fn long(input: R) -> Lines<R> {
        Lines(ByteLines::with_longest(input, MOST_BYTES as usize))
    }

    /// The bytes read.
    pub fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    /// The number of the last line, from 1.
    pub fn number(&self) -> usize {
        self.0.number()
    }

    /// The next line. Old files are Latin-1.
    pub fn next_line(&mut self) -> io::Result<Option<TextLine>> {
        /// Where a file that is no text shows it.
        const START: usize = 1024;
        if self.bytes() == 0 {
            let start = self.0.peek()?;
            if matches!(start, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
                return Err(io::Error::other("it is in UTF-16; save it as UTF-8"));
            }
            if start.iter().take(START).any(|&byte| byte == 0) {
                return Err(io::Error::other("it is not text"));
            }
        }
        let Some(line) = self.0.next_line()? else { return Ok(None) };
        self.0.skip_rest(MOST_BYTES)?;
        let text = String::from_utf8(line.bytes).unwrap_or_else(|error| {
            error.as_bytes().iter().map(|&byte| char::from(byte)).collect()
        });
        let text = text.trim_start_matches('\u{feff}').to_string();
        Ok(Some(TextLine { text, is_cut: line.is_cut }))
    }
}
