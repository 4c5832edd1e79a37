//! PGN tokens with line numbers.
//!
//! pgn-reader has no line numbers and silently drops invalid tokens; here they become faults.

use std::io::{self, BufRead};

use super::lines::{Lines, MOST_BYTES};
use super::pgn_game::{GameResult, PgnFault};

/// The longest tag, comment or variation.
const MAX_BYTES: usize = 1 << 20;

/// The memory that a token takes in addition to its text.
const TOKEN_BYTES: u64 = 64;

/// The symbols that books put after moves, with their NAGs.
const SYMBOLS: [(&str, u8); 19] = [
    ("=", 10),
    ("∞", 13),
    ("+=", 14),
    ("+/=", 14),
    ("⩲", 14),
    ("=+", 15),
    ("=/+", 15),
    ("⩱", 15),
    ("+/-", 16),
    ("±", 16),
    ("-/+", 17),
    ("∓", 17),
    ("+-", 18),
    ("-+", 19),
    ("□", 7),
    ("RR", 145),
    ("N", 146),
    ("TN", 146),
    ("D", 220),
];

/// Words after moves that carry no meaning.
const IGNORED: [&str; 4] = ["", "e.p.", "ep", "⌓"];

pub enum Token {
    Tag {
        name: String,
        value: String,
    },
    /// A word in the place of a move.
    San(String),
    /// A numeric annotation glyph, or a symbol for one.
    Nag(u8),
    Comment(String),
    /// The text between matching parentheses.
    Variation(String),
    Result(GameResult),
    Invalid(PgnFault),
}

impl Token {
    /// Whether the token can only be at the start of a game.
    pub fn is_event(&self) -> bool {
        match self {
            Token::Tag { name, .. } => name == "Event",
            Token::Invalid(PgnFault::Tag(text)) => text.starts_with("[Event "),
            _ => false,
        }
    }
}

pub struct Lexer<R> {
    lines: Lines<R>,
    line: String,
    line_number: usize,
    /// The offset in the line.
    at: usize,
    /// The memory that the current game has taken.
    game_bytes: u64,
    game_line: usize,
    /// The line of the last token, or of one that is still open.
    token_line: usize,
    /// The previous line is blank, or only lines of tags follow a blank one.
    after_blank: bool,
    /// Only tags so far on this line.
    tags_only: bool,
}

impl<R: BufRead> Lexer<R> {
    pub fn new(input: R) -> Lexer<R> {
        Lexer {
            lines: Lines::long(input),
            line: String::new(),
            line_number: 0,
            at: 0,
            game_bytes: 0,
            game_line: 1,
            token_line: 0,
            after_blank: true,
            tags_only: true,
        }
    }

    /// The number of bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.lines.bytes()
    }

    /// Resets the limit for the next game.
    pub fn begin_game(&mut self) {
        self.game_bytes = 0;
        self.game_line = self.line_number.max(1);
    }

    /// Counts memory, up to the limit of a game.
    fn spend(&mut self, bytes: u64) -> io::Result<()> {
        self.game_bytes += bytes;
        if self.game_bytes <= MOST_BYTES {
            return Ok(());
        }
        let text = format!("the game from line {} on has more than 16 MB", self.game_line);
        Err(io::Error::other(text))
    }

    /// The next token, and the line on which it starts.
    pub fn next(&mut self) -> io::Result<Option<(Token, usize)>> {
        self.spend(TOKEN_BYTES)?;
        loop {
            self.skip_space();
            self.token_line = self.line_number;
            let Some(first) = self.rest().chars().next() else {
                if self.next_line()? {
                    continue;
                }
                return Ok(None);
            };
            let token = match first {
                '[' if self.tags_only => Some(self.tag()),
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
                    Some(Token::Invalid(PgnFault::ClosesNothing(first)))
                }
                _ => self.word(),
            };
            if let Some(token) = token {
                // An unclosed comment ends where the next game starts.
                self.tags_only = matches!(token, Token::Tag { .. }) || self.at == 0;
                return Ok(Some((token, self.token_line)));
            }
        }
    }

    fn rest(&self) -> &str {
        &self.line[self.at..]
    }

    fn skip_space(&mut self) {
        self.at = self.line.len() - self.rest().trim_start().len();
    }

    /// Advances to the next line that is not escaped by `%`.
    fn next_line(&mut self) -> io::Result<bool> {
        loop {
            let before = self.lines.bytes();
            let Some(line) = self.lines.next_line()? else { return Ok(false) };
            self.spend(self.lines.bytes() - before)?;
            let is_tag = self.line.starts_with(['[', '%']);
            self.after_blank = self.line.trim().is_empty() || self.after_blank && is_tag;
            self.line_number = self.lines.number();
            self.line = line.text + "\n";
            self.at = 0;
            self.tags_only = true;
            if !self.line.starts_with('%') {
                return Ok(true);
            }
        }
    }

    /// Advances by a line inside an open token. If a game starts or the file ends, the token is lost: returns
    /// how many further lines it swallowed.
    fn lost_since(&mut self, first: usize) -> io::Result<Option<usize>> {
        if !self.next_line()? {
            return Ok(Some(self.line_number - first));
        }
        Ok(self.starts_game().then(|| self.line_number - first - 1))
    }

    /// Whether a game starts on this line, even inside an open token: with an `Event` tag, or with any tag
    /// after a blank line.
    fn starts_game(&self) -> bool {
        let of_name = |c: char| c.is_ascii_alphanumeric() || "_+#=:-".contains(c);
        let tag = self.line.trim_start().strip_prefix('[').and_then(|tag| tag.split_once('"'));
        let name = tag.map_or("", |(name, _)| name.trim());
        !name.is_empty() && name.chars().all(of_name) && (self.after_blank || name == "Event")
    }

    fn tag(&mut self) -> Token {
        match read_tag(&self.rest()[1..]) {
            Some((name, value, length)) if length <= MAX_BYTES => {
                let (name, value) = (name.to_string(), unescaped(value));
                self.at += 1 + length;
                Token::Tag { name, value }
            }
            _ => self.invalid_tag(),
        }
    }

    fn invalid_tag(&mut self) -> Token {
        let text = self.rest().trim_end().to_string();
        self.at = self.line.len();
        Token::Invalid(PgnFault::Tag(text))
    }

    fn comment(&mut self) -> io::Result<Token> {
        self.at += 1;
        self.token_line = self.line_number;
        let mut text = Text::default();
        loop {
            let end = self.rest().find('}');
            text.push(&self.rest()[..end.unwrap_or(self.rest().len())]);
            if let Some(end) = end {
                self.at += end + 1;
                return Ok(text.finish("comment", Token::Comment));
            }
            self.at = self.line.len();
            if let Some(lost) = self.lost_since(self.token_line)? {
                return Ok(Token::Invalid(PgnFault::OpenComment(lost)));
            }
        }
    }

    fn comment_to_end(&mut self) -> Token {
        let text = single_spaced(&self.rest()[1..]).replace('}', ")");
        self.at = self.line.len();
        Token::Comment(text)
    }

    fn variation(&mut self) -> io::Result<Token> {
        self.at += 1;
        let first_line = self.line_number;
        let mut text = Text::default();
        let mut depth = 1;
        loop {
            let Some(first) = self.rest().chars().next() else {
                if let Some(lost) = self.lost_since(first_line)? {
                    return Ok(Token::Invalid(PgnFault::OpenVariation(lost)));
                }
                continue;
            };
            let comment = match first {
                '{' => Some(self.comment()?),
                ';' => Some(self.comment_to_end()),
                _ => None,
            };
            match comment {
                Some(Token::Comment(comment)) => text.push(&format!("{{ {comment} }} ")),
                Some(invalid) => return Ok(invalid),
                None => {
                    self.at += first.len_utf8();
                    match first {
                        '(' => depth += 1,
                        ')' => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        return Ok(text.finish("variation", Token::Variation));
                    }
                    text.push(first.encode_utf8(&mut [0; 4]));
                }
            }
            self.token_line = first_line;
        }
    }

    /// `$6` or a symbol like `?!`. Others are ignored.
    fn nag(&mut self) -> Option<Token> {
        if let Some(number) = self.rest().strip_prefix('$') {
            let digits =
                number.len() - number.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let number = number[..digits].to_string();
            self.at += 1 + digits;
            return number.parse().ok().map(Token::Nag);
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

    /// A move, a symbol after it, or a result. Move numbers are ignored.
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
        if let Some(result) = GameResult::parse(word) {
            return Some(Token::Result(result));
        }
        if let Some(&(_, nag)) = SYMBOLS.iter().find(|(symbol, _)| *symbol == word) {
            return Some(Token::Nag(nag));
        }
        (!IGNORED.contains(&word)).then(|| Token::San(word.to_string()))
    }
}

/// Name, value and length of a tag after its bracket. A quote, escaped or not, belongs to the value unless a
/// bracket follows.
fn read_tag(text: &str) -> Option<(&str, &str, usize)> {
    let quote = text.find('"')?;
    let (name, start) = (text[..quote].trim(), quote + 1);
    let mut end = start;
    loop {
        end += text[end..].find('"')?;
        let rest = text[end + 1..].trim_start();
        if rest.starts_with(']') {
            break;
        }
        end += 1;
    }
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    let behind = text[end..].find(']')? + 1;
    is_name.then_some((name, &text[start..end], end + behind))
}

fn unescaped(value: &str) -> String {
    value.replace("\\\"", "\"").replace("\\\\", "\\")
}

/// The text of a comment or variation, up to the limit.
#[derive(Default)]
struct Text {
    text: String,
    is_cut: bool,
}

impl Text {
    fn push(&mut self, part: &str) {
        self.is_cut |= self.text.len() + part.len() > MAX_BYTES;
        if !self.is_cut {
            self.text += part;
        }
    }

    fn finish(self, name: &'static str, token: impl Fn(String) -> Token) -> Token {
        if self.is_cut {
            return Token::Invalid(PgnFault::TooLong(name));
        }
        token(single_spaced(&self.text))
    }
}

fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
