//! Reads a PGN file game by game. A broken game is an error that does not affect the next game.

use std::io::{self, BufRead};

use super::pgn_game::{GameResult, PgnError, PgnFault, PgnGame, PgnMove, Tags};
use super::pgn_lexer::{Lexer, Token};
use crate::board::Position;

/// Values of the `Variant` tag for chess and Chess960, in lower case without separators.
const CHESS: [&str; 12] = [
    "",
    "standard",
    "normal",
    "chess",
    "classical",
    "fromposition",
    "chess960",
    "fischerandom",
    "fischerrandom",
    "freestyle",
    "frc",
    "dfrc",
];

pub struct PgnReader<R> {
    lexer: Lexer<R>,
    /// The first token of the next game, if it ended the previous one.
    peeked: Option<(Token, usize)>,
    number: usize,
    /// Whether the end, or an error of the file, was reached.
    is_over: bool,
}

impl<R: BufRead> PgnReader<R> {
    pub fn new(input: R) -> PgnReader<R> {
        PgnReader { lexer: Lexer::new(input), peeked: None, number: 0, is_over: false }
    }

    /// The number of bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.lexer.bytes()
    }

    fn token(&mut self) -> io::Result<Option<(Token, usize)>> {
        match self.peeked.take() {
            Some(token) => Ok(Some(token)),
            None => self.lexer.next(),
        }
    }

    /// Adds comments on the result's own line to the game.
    fn add_last_comments(&mut self, builder: &mut GameBuilder, line: usize) -> io::Result<()> {
        loop {
            match self.lexer.next()? {
                Some((Token::Comment(text), at)) if at == line => builder.comment(text),
                next => {
                    self.peeked = next;
                    return Ok(());
                }
            }
        }
    }

    fn read(&mut self) -> io::Result<Option<Result<PgnGame, PgnError>>> {
        loop {
            self.lexer.begin_game();
            let mut builder = GameBuilder::default();
            let mut fault = None;
            let (mut has_movetext, mut has_result) = (false, false);
            // The last line that may belong to the value of a broken tag.
            let mut torn = None;
            while let Some((token, line)) = self.token()? {
                let is_tag = matches!(token, Token::Tag { .. } | Token::Invalid(PgnFault::Tag(_)));
                if torn.is_some_and(|torn| line <= torn + 1) && !token.is_event() {
                    torn = Some(line);
                    has_movetext &= !is_tag;
                }
                if is_tag && has_movetext {
                    self.peeked = Some((token, line));
                    break;
                }
                if matches!(token, Token::Invalid(PgnFault::Tag(_))) {
                    torn = Some(line);
                }
                has_movetext |= !is_tag;
                has_result |= matches!(token, Token::Result(_));
                // The tags of a broken game still name its players.
                if fault.is_none() || is_tag {
                    fault = fault.or(builder.add(token, line).err());
                }
                // A broken game extends to the next tags.
                if has_result && (fault.is_none() || builder.tags.is_empty()) {
                    self.add_last_comments(&mut builder, line)?;
                    break;
                }
            }
            if builder.is_empty() && fault.is_none() {
                if self.peeked.is_none() && !has_result {
                    return Ok(None);
                }
                continue;
            }
            self.number += 1;
            let number = self.number;
            let players = builder.tags.players();
            let game = builder.finish(number);
            let Some((line, fault)) = fault.or_else(|| game.as_ref().err().cloned()) else {
                return Ok(game.ok().map(Ok));
            };
            let beginning = game.ok().filter(|game| !game.moves.is_empty()).map(Box::new);
            return Ok(Some(Err(PgnError::Game { number, players, line, fault, beginning })));
        }
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        self.read().unwrap_or_else(|error| {
            self.is_over = true;
            Some(Err(PgnError::Io(error)))
        })
    }
}

#[derive(Default)]
struct GameBuilder {
    tags: Tags,
    /// The line of each tag.
    tag_lines: Vec<usize>,
    /// The starting and the current position, once they are needed.
    positions: Option<(Position, Position)>,
    preface: Vec<String>,
    moves: Vec<PgnMove>,
    result: Option<GameResult>,
}

/// A fault and its line.
type Located = (usize, PgnFault);

impl GameBuilder {
    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves.is_empty()
    }

    fn add(&mut self, token: Token, line: usize) -> Result<(), Located> {
        let last = self.moves.last_mut();
        match token {
            Token::Tag { name, value } => {
                self.tags.push(name, value);
                self.tag_lines.push(line);
            }
            Token::San(word) => self.play(word, line)?,
            Token::Nag(nag) => last.into_iter().for_each(|mv| mv.nags.push(nag)),
            Token::Comment(text) => self.comment(text),
            Token::Variation(text) => {
                last.ok_or((line, PgnFault::EarlyVariation))?.variations.push(text);
            }
            Token::Result(result) => self.result = Some(result),
            Token::Invalid(fault) => return Err((line, fault)),
        }
        Ok(())
    }

    /// A comment on the last move, or before the first.
    fn comment(&mut self, text: String) {
        self.moves.last_mut().map_or(&mut self.preface, |mv| &mut mv.comments).push(text);
    }

    fn play(&mut self, word: String, line: usize) -> Result<(), Located> {
        let (start, position) = self.positions()?;
        let mv = position.parse_san(&word).map_err(|error| {
            let (number, color) = (position.move_number(), position.side());
            (line, PgnFault::Move { word, number, color, error })
        })?;
        self.moves.push(PgnMove::new(mv));
        self.positions = Some((start, position.after(mv)));
        Ok(())
    }

    /// The starting and the current position.
    fn positions(&mut self) -> Result<(Position, Position), Located> {
        if let Some(positions) = self.positions {
            return Ok(positions);
        }
        let line = |name: &str| {
            let index = self.tags.iter().position(|(key, _)| key == name);
            index.and_then(|index| self.tag_lines.get(index)).copied().unwrap_or_default()
        };
        let variant = self.tags.get("Variant").unwrap_or_default();
        let name = variant.to_lowercase().replace([' ', '-', '_'], "");
        if !CHESS.contains(&name.as_str()) {
            return Err((line("Variant"), PgnFault::Variant(variant.to_string())));
        }
        let start = match self.tags.get("FEN") {
            None | Some("") => Position::start(),
            Some(fen) => fen.parse().map_err(|error| (line("FEN"), PgnFault::Fen(error)))?,
        };
        self.positions = Some((start, start));
        Ok((start, start))
    }

    fn finish(mut self, number: usize) -> Result<PgnGame, Located> {
        let (start, _) = self.positions()?;
        let tagged = self.tags.get("Result").and_then(GameResult::parse);
        let result = self.result.or(tagged).unwrap_or(GameResult::Unknown);
        Ok(PgnGame {
            number,
            tags: self.tags,
            start,
            preface: self.preface,
            moves: self.moves,
            result,
        })
    }
}
