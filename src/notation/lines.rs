//! The lines of a text that others wrote, whatever is in it.

use std::io::{self, BufRead, ErrorKind};
use std::mem;

/// What no game has, and no line: more is none.
pub const MOST_BYTES: u64 = 16 << 20;

/// What is kept of a line.
const LONGEST: usize = 1 << 20;

pub struct Lines<R> {
    input: R,
    bytes: u64,
    number: usize,
    /// The last line ended with CR: a LF is part of that end.
    after_cr: bool,
}

pub struct TextLine {
    pub text: String,
    /// It has a rest that was left out.
    pub is_cut: bool,
}

impl<R: BufRead> Lines<R> {
    pub fn new(input: R) -> Lines<R> {
        Lines { input, bytes: 0, number: 0, after_cr: false }
    }

    /// The bytes read.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of the last line, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The next line, which LF, CR or both end. Old files are Latin-1.
    pub fn next_line(&mut self) -> io::Result<Option<TextLine>> {
        /// Where a file that is no text shows it.
        const START: usize = 1024;
        let mut line = Vec::new();
        let mut length = 0;
        loop {
            let bytes = match self.input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            if self.bytes == 0 && bytes.iter().take(START).any(|&byte| byte == 0) {
                return Err(io::Error::other("it is not text"));
            }
            let Some(&first) = bytes.first() else {
                if length == 0 {
                    return Ok(None);
                }
                break;
            };
            if mem::take(&mut self.after_cr) && first == b'\n' {
                self.consume(1);
                continue;
            }
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let part = &bytes[..end.unwrap_or(bytes.len())];
            line.extend(part.iter().take(LONGEST - line.len()));
            self.after_cr = end.is_some_and(|end| bytes[end] == b'\r');
            let taken = part.len();
            length += taken;
            self.consume(taken + usize::from(end.is_some()));
            if end.is_some() {
                break;
            }
            if length as u64 > MOST_BYTES {
                let number = self.number + 1;
                return Err(io::Error::other(format!("line {number} has more than 16 MB")));
            }
        }
        self.number += 1;
        let is_cut = length > line.len();
        let text = String::from_utf8(line).unwrap_or_else(|error| {
            error.as_bytes().iter().map(|&byte| char::from(byte)).collect()
        });
        let text = text.trim_start_matches('\u{feff}').to_string();
        Ok(Some(TextLine { text, is_cut }))
    }

    fn consume(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
        self.input.consume(bytes);
    }
}
