//! The lines of a stream that others write, whatever is in it. LF, CR or both end a line, and only so much of
//! a line is kept.

use std::io::{self, BufRead, ErrorKind};
use std::mem;

/// What is kept of a line, unless more is wanted.
pub const LONGEST: usize = 1 << 20;

pub struct ByteLines<R> {
    input: R,
    /// What is kept of a line.
    longest: usize,
    bytes: u64,
    number: usize,
    /// The last line ended with CR: a LF is part of that end.
    after_cr: bool,
    /// The rest of the last line is left out.
    skips: bool,
}

pub struct ByteLine {
    pub bytes: Vec<u8>,
    /// It has a rest that is left out.
    pub is_cut: bool,
}

impl<R: BufRead> ByteLines<R> {
    pub fn new(input: R) -> ByteLines<R> {
        ByteLines::with_longest(input, LONGEST)
    }

    /// Keeps so many bytes of a line.
    pub fn with_longest(input: R, longest: usize) -> ByteLines<R> {
        ByteLines { input, longest, bytes: 0, number: 0, after_cr: false, skips: false }
    }

    /// The bytes read.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of the last line, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// What comes next, without reading it; nothing at the end.
    pub fn peek(&mut self) -> io::Result<&[u8]> {
        while let Err(error) = self.input.fill_buf() {
            if error.kind() != ErrorKind::Interrupted {
                return Err(error);
            }
        }
        self.input.fill_buf()
    }

    /// The next line. One that is too long comes as soon as that is known, without its rest.
    pub fn next_line(&mut self) -> io::Result<Option<ByteLine>> {
        self.skip_rest(u64::MAX)?;
        let mut line = Vec::new();
        let mut is_begun = false;
        loop {
            let after_cr = mem::take(&mut self.after_cr);
            let longest = self.longest;
            let bytes = self.peek()?;
            let Some(&first) = bytes.first() else {
                self.number += usize::from(is_begun);
                return Ok(is_begun.then_some(ByteLine { bytes: line, is_cut: false }));
            };
            if after_cr && first == b'\n' {
                self.consume(1);
                continue;
            }
            let (part, end) = split(bytes);
            let (length, room) = (part.len(), longest - line.len());
            line.extend_from_slice(&part[..length.min(room)]);
            is_begun = true;
            self.take(length, end);
            let is_cut = length > room;
            if is_cut || end.is_some() {
                self.number += 1;
                self.skips = end.is_none();
                return Ok(Some(ByteLine { bytes: line, is_cut }));
            }
        }
    }

    /// Skips the rest of a line that was too long, unless the line has more than so many bytes.
    pub fn skip_rest(&mut self, most: u64) -> io::Result<()> {
        let mut length = self.longest as u64;
        while self.skips {
            let (part, end) = split(self.peek()?);
            let taken = part.len();
            length += taken as u64;
            self.skips = end.is_none() && taken > 0;
            self.take(taken, end);
            if length > most {
                let (number, most) = (self.number, most >> 20);
                return Err(io::Error::other(format!("line {number} has more than {most} MB")));
            }
        }
        Ok(())
    }

    /// Consumes a part of a line and the byte that ends it, if one does.
    fn take(&mut self, length: usize, end: Option<u8>) {
        self.after_cr = end == Some(b'\r');
        self.consume(length + usize::from(end.is_some()));
    }

    fn consume(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
        self.input.consume(bytes);
    }
}

/// What bytes have of a line, and the byte that ends it.
fn split(bytes: &[u8]) -> (&[u8], Option<u8>) {
    let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    (&bytes[..end.unwrap_or(bytes.len())], end.map(|end| bytes[end]))
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    /// The lines of a text with their numbers, read so many bytes at a time.
    fn lines(text: &[u8], capacity: usize) -> Vec<(usize, usize, bool)> {
        let mut lines = ByteLines::new(BufReader::with_capacity(capacity, text));
        std::iter::from_fn(|| {
            let line = lines.next_line().expect("nothing goes wrong")?;
            Some((lines.number(), line.bytes.len(), line.is_cut))
        })
        .collect()
    }

    #[test]
    fn any_end_of_a_line() {
        for capacity in [1, 2, 3, 64] {
            let found = lines(b"a\r\nbc\n\ndef\r\rg", capacity);
            let lengths = [1, 2, 0, 3, 0, 1];
            let wanted = (1..).zip(lengths).map(|(number, length)| (number, length, false));
            assert_eq!(found, wanted.collect::<Vec<_>>(), "{capacity}");
        }
    }

    #[test]
    fn a_long_line_is_cut_and_a_longer_one_is_an_error() {
        let mut text = vec![b'a'; LONGEST];
        text.extend(b"\nb\n");
        assert_eq!(lines(&text, 1000), [(1, LONGEST, false), (2, 1, false)]);
        for more in [1, 5000] {
            text.splice(0..0, vec![b'a'; more]);
            assert_eq!(lines(&text, 1000), [(1, LONGEST, true), (2, 1, false)]);
        }
        for (most, is_read) in [(5001, true), (4000, false)] {
            let mut lines = ByteLines::new(BufReader::with_capacity(1000, &text[..]));
            assert!(lines.next_line().is_ok_and(|line| line.is_some_and(|line| line.is_cut)));
            assert_eq!(lines.skip_rest(LONGEST as u64 + most).is_ok(), is_read);
        }
    }
}
