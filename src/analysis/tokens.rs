//! The tokens of PGN, each with the line it stands on, read a line at a time.
//!
//! Nothing is passed over in silence: what is no token comes out as a fault. That, and the lines,
//! is what pgn-reader does not tell, which is why the games are not read by it.

use std::io::{self, BufRead, Read};

use super::record::{Fault, GameResult};

/// A line or a comment that is longer than this is not chess.
const LONGEST: usize = 1 << 20;

/// Signs that books put behind moves. They say nothing of what was played.
const ORNAMENTS: [&str; 22] = [
    "e.p.", "ep", "=", "+=", "=+", "+/=", "=/+", "+/-", "-/+", "+-", "-+", "⩲", "⩱", "±", "∓", "∞",
    "□", "⌓", "N", "TN", "D", "RR",
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Tag {
        name: String,
        value: String,
    },
    /// What should be a move.
    Word(String),
    /// A numeric annotation, or the signs that stand for one.
    Nag(u8),
    Comment(String),
    /// All that stands between a parenthesis and the one that closes it.
    Variation(String),
    Result(GameResult),
    Wrong(Fault),
}

/// A token and the line on which it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    pub token: Token,
    pub line: usize,
}

pub struct Tokens<R> {
    input: R,
    line: String,
    /// Where in the line the rest begins.
    at: usize,
    number: usize,
    bytes: u64,
    /// Nothing but tags stood on this line so far.
    fresh: bool,
}

impl<R: BufRead> Tokens<R> {
    pub fn new(input: R) -> Tokens<R> {
        Tokens { input, line: String::new(), at: 0, number: 0, bytes: 0, fresh: true }
    }

    /// How much of the input has been read.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The next token, or `None` at the end.
    pub fn next(&mut self) -> io::Result<Option<Placed>> {
        loop {
            self.skip_space();
            let Some(first) = self.rest().chars().next() else {
                if self.next_line()? {
                    continue;
                }
                return Ok(None);
            };
            let line = self.number;
            let token = match first {
                '[' if self.fresh => Some(self.tag()),
                '{' => Some(self.comment()?),
                ';' => Some(self.comment_to_end()),
                '(' => Some(self.variation()?),
                '$' | '!' | '?' => self.nag(),
                '*' => {
                    self.at += 1;
                    Some(Token::Result(GameResult::Unknown))
                }
                '}' | ')' => {
                    self.at += 1;
                    Some(Token::Wrong(Fault::ClosesNothing(first)))
                }
                _ => self.word(),
            };
            if let Some(token) = token {
                self.fresh = matches!(token, Token::Tag { .. });
                return Ok(Some(Placed { token, line }));
            }
        }
    }

    fn rest(&self) -> &str {
        &self.line[self.at..]
    }

    fn skip_space(&mut self) {
        self.at = self.line.len() - self.rest().trim_start().len();
    }

    /// Goes to the next line that is not escaped. Older files are not UTF-8 but Latin-1.
    fn next_line(&mut self) -> io::Result<bool> {
        loop {
            let mut bytes = Vec::new();
            self.input.by_ref().take(LONGEST as u64).read_until(b'\n', &mut bytes)?;
            if bytes.is_empty() {
                return Ok(false);
            }
            self.bytes += bytes.len() as u64;
            self.number += 1;
            let text = String::from_utf8(bytes).unwrap_or_else(|error| {
                error.as_bytes().iter().map(|&byte| char::from(byte)).collect()
            });
            self.line = text.trim_start_matches('\u{feff}').to_string();
            self.at = 0;
            self.fresh = true;
            if !self.line.starts_with('%') {
                return Ok(true);
            }
        }
    }

    /// Whether a game begins on this line, whatever was left open before it.
    fn begins_game(&self) -> bool {
        self.line.starts_with("[Event \"")
    }

    /// A quote that no bracket follows belongs to the value, whether escaped or not.
    fn tag(&mut self) -> Token {
        let text = self.rest()[1..].to_string();
        let Some((name, value)) = text.split_once('"') else { return self.wrong_tag() };
        let name = name.trim();
        let mut end = 0;
        while let Some(quote) = value[end..].find('"') {
            let after = &value[end + quote + 1..];
            if let Some(rest) = after.trim_start().strip_prefix(']') {
                if name.is_empty() || name.contains(char::is_whitespace) {
                    return self.wrong_tag();
                }
                self.at = self.line.len() - rest.len();
                let value = &value[..end + quote];
                let value = value.replace("\\\"", "\"").replace("\\\\", "\\");
                return Token::Tag { name: name.to_string(), value };
            }
            end += quote + 1;
        }
        self.wrong_tag()
    }

    fn wrong_tag(&mut self) -> Token {
        let text = self.rest().trim_end().to_string();
        self.at = self.line.len();
        Token::Wrong(Fault::Tag(text))
    }

    fn comment(&mut self) -> io::Result<Token> {
        self.at += 1;
        let mut text = String::new();
        loop {
            if let Some(end) = self.rest().find('}') {
                text += &self.rest()[..end];
                self.at += end + 1;
                return Ok(Token::Comment(one_line(&text)));
            }
            text += self.rest();
            self.at = self.line.len();
            if text.len() > LONGEST || !self.next_line()? || self.begins_game() {
                return Ok(Token::Wrong(Fault::OpenComment));
            }
        }
    }

    fn comment_to_end(&mut self) -> Token {
        let text = one_line(&self.rest()[1..]).replace('}', ")");
        self.at = self.line.len();
        Token::Comment(text)
    }

    fn variation(&mut self) -> io::Result<Token> {
        self.at += 1;
        let mut text = String::new();
        let mut depth = 1;
        loop {
            let Some(first) = self.rest().chars().next() else {
                if text.len() > LONGEST || !self.next_line()? || self.begins_game() {
                    return Ok(Token::Wrong(Fault::OpenVariation));
                }
                continue;
            };
            let comment = match first {
                '{' => Some(self.comment()?),
                ';' => Some(self.comment_to_end()),
                _ => None,
            };
            match comment {
                Some(Token::Comment(comment)) => text += &format!("{{ {comment} }} "),
                Some(wrong) => return Ok(wrong),
                None => {
                    self.at += first.len_utf8();
                    match first {
                        '(' => depth += 1,
                        ')' => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        return Ok(Token::Variation(one_line(&text)));
                    }
                    text.push(first);
                }
            }
        }
    }

    /// `$6`, or signs like `?!`. More signs than there are numbers for say nothing.
    fn nag(&mut self) -> Option<Token> {
        if let Some(number) = self.rest().strip_prefix('$') {
            let digits =
                number.len() - number.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let number = number[..digits].to_string();
            self.at += 1 + digits;
            return Some(match number.parse() {
                Ok(number) => Token::Nag(number),
                Err(_) => Token::Wrong(Fault::Unreadable(format!("${number}"))),
            });
        }
        let signs = self.rest().len() - self.rest().trim_start_matches(['!', '?']).len();
        let nag = match &self.rest()[..signs] {
            "!" => Some(1),
            "?" => Some(2),
            "!!" => Some(3),
            "??" => Some(4),
            "!?" => Some(5),
            "?!" => Some(6),
            _ => None,
        };
        self.at += signs;
        nag.map(Token::Nag)
    }

    /// A move or a result. Move numbers and ornaments are nothing.
    fn word(&mut self) -> Option<Token> {
        let ends = |letter: char| letter.is_whitespace() || "{}();$!?*".contains(letter);
        let length = self.rest().find(ends).unwrap_or(self.rest().len());
        let whole = self.rest()[..length].to_string();
        self.at += length;
        let dots = ['.', '…'];
        let word = match whole.trim_start_matches(|c: char| c.is_ascii_digit()) {
            "" => return None,
            rest if rest.starts_with(dots) => rest.trim_start_matches(dots),
            _ => &whole,
        };
        if let Some(result) = GameResult::read(word) {
            return Some(Token::Result(result));
        }
        let says_nothing = word.is_empty() || ORNAMENTS.contains(&word);
        (!says_nothing).then(|| Token::Word(word.to_string()))
    }
}

/// The words of a text with single spaces between them.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
