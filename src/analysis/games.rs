//! The games of a PGN file, one after the other. A broken one is named and passed over.

use std::io::{self, BufRead};

use super::record::{Fault, GameResult, PgnError, Ply, Record, players, tag};
use super::tokens::{Placed, Token, Tokens};
use crate::board::Position;

/// Names of chess in the `Variant` tag, without the signs between their words.
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

pub struct Games<R> {
    tokens: Tokens<R>,
    /// The token that ended the game before.
    ahead: Option<Placed>,
    number: usize,
}

impl<R: BufRead> Games<R> {
    pub fn new(input: R) -> Games<R> {
        Games { tokens: Tokens::new(input), ahead: None, number: 0 }
    }

    /// How much of the input has been read.
    pub fn bytes(&self) -> u64 {
        self.tokens.bytes()
    }

    fn token(&mut self) -> io::Result<Option<Placed>> {
        match self.ahead.take() {
            Some(placed) => Ok(Some(placed)),
            None => self.tokens.next(),
        }
    }

    fn read(&mut self) -> io::Result<Option<Result<Record, PgnError>>> {
        loop {
            let mut draft = Draft::default();
            let mut wrong = None;
            let (mut has_text, mut ended) = (false, false);
            while let Some(placed) = self.token()? {
                let tags = matches!(placed.token, Token::Tag { .. } | Token::Wrong(Fault::Tag(_)));
                if tags && has_text {
                    self.ahead = Some(placed);
                    break;
                }
                has_text |= !tags;
                ended |= matches!(placed.token, Token::Result(_));
                // The tags of a broken game still tell whose it is.
                if wrong.is_none() || tags {
                    wrong = wrong.or(draft.take(placed).err());
                }
                // What stands between a broken game and the next tags still belongs to it.
                if ended && (wrong.is_none() || draft.tags.is_empty()) {
                    break;
                }
            }
            let over = self.ahead.is_none() && !ended;
            if draft.is_empty() && wrong.is_none() {
                if over {
                    return Ok(None);
                }
                continue;
            }
            self.number += 1;
            let number = self.number;
            let names = players(&draft.tags);
            let read = wrong.map_or_else(|| draft.finish(number), Err);
            return Ok(Some(read.map_err(|(line, fault)| PgnError::Game {
                number,
                players: names,
                line,
                fault,
            })));
        }
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<Record, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().unwrap_or_else(|error| Some(Err(PgnError::Unreadable(error))))
    }
}

/// A game that is being read.
#[derive(Default)]
struct Draft {
    tags: Vec<(String, String)>,
    /// The lines of the tags.
    lines: Vec<usize>,
    /// The first position and the present one, once they are asked for.
    positions: Option<(Position, Position)>,
    preface: Vec<String>,
    plies: Vec<Ply>,
    result: Option<GameResult>,
}

/// A fault and its line.
type Misplaced = (usize, Fault);

impl Draft {
    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.plies.is_empty()
    }

    fn take(&mut self, Placed { token, line }: Placed) -> Result<(), Misplaced> {
        let ply = self.plies.last_mut();
        match token {
            Token::Tag { name, value } => {
                self.tags.push((name, value));
                self.lines.push(line);
            }
            Token::Word(word) => self.play(word, line)?,
            Token::Nag(nag) => ply.into_iter().for_each(|ply| ply.nags.push(nag)),
            Token::Comment(text) => {
                ply.map_or(&mut self.preface, |ply| &mut ply.comments).push(text);
            }
            Token::Variation(text) => {
                ply.ok_or((line, Fault::EarlyVariation))?.variations.push(text);
            }
            Token::Result(result) => self.result = Some(result),
            Token::Wrong(fault) => return Err((line, fault)),
        }
        Ok(())
    }

    fn play(&mut self, word: String, line: usize) -> Result<(), Misplaced> {
        let (start, position) = self.positions()?;
        let mv = position.parse_san(&word).map_err(|problem| {
            let (number, color) = (position.move_number(), position.side());
            (line, Fault::Move { word, number, color, problem })
        })?;
        self.plies.push(Ply::new(mv));
        self.positions = Some((start, position.after(mv)));
        Ok(())
    }

    /// The first position and the present one.
    fn positions(&mut self) -> Result<(Position, Position), Misplaced> {
        if let Some(positions) = self.positions {
            return Ok(positions);
        }
        let line = |name: &str| {
            let place = self.tags.iter().position(|(key, _)| key == name);
            place.and_then(|place| self.lines.get(place)).copied().unwrap_or_default()
        };
        let variant = tag(&self.tags, "Variant").unwrap_or_default();
        let plain = variant.to_lowercase().replace([' ', '-', '_'], "");
        if !CHESS.contains(&plain.as_str()) {
            return Err((line("Variant"), Fault::Variant(variant.to_string())));
        }
        let start = match tag(&self.tags, "FEN") {
            None | Some("") => Position::start(),
            Some(fen) => fen.parse().map_err(|error| (line("FEN"), Fault::Fen(error)))?,
        };
        self.positions = Some((start, start));
        Ok((start, start))
    }

    fn finish(mut self, number: usize) -> Result<Record, Misplaced> {
        let (start, _) = self.positions()?;
        let told = tag(&self.tags, "Result").and_then(GameResult::read);
        let result = self.result.or(told).unwrap_or(GameResult::Unknown);
        Ok(Record {
            number,
            tags: self.tags,
            start,
            preface: self.preface,
            plies: self.plies,
            result,
        })
    }
}
