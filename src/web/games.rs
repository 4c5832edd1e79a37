//! The list of games: all that were opened, played or analysed and not yet deleted.

use std::collections::{BTreeMap, HashMap};

use crate::analysis::{GameAnalysis, GameData, head, readable};
use crate::page;
use engine::notation::{PgnError, PgnGame, PgnReader, to_pgn};
use engine::system::text::fingerprint;

/// The most games in one answer.
const MOST_TOLD: usize = 200;

/// The bytes of PGN after which an answer takes no further game.
const MOST_PGN: usize = 2 << 20;

/// A page is one file here, and larger ones load slowly.
const TOO_LARGE: &str = "So many games make too large a page: download their PGN and run `zebu analyse` on it, \
                         which divides a page into several files.";

#[derive(Default)]
pub struct Games {
    games: BTreeMap<usize, ListedGame>,
    /// The numbers of games by the hash of their PGN as opened.
    numbers: HashMap<u64, usize>,
    /// The number of changes so far.
    edition: u64,
}

struct ListedGame {
    /// The edition of its last change.
    edition: u64,
    /// The hash of its PGN as opened.
    hash: u64,
    content: Content,
}

enum Content {
    Opened {
        head: String,
        pgn: String,
    },
    /// The game with its analysis in JSON.
    Analysed(String),
    Deleted,
}

/// The result of adding a PGN: the numbers of its games, the errors of broken ones, and the lines to store.
#[derive(Default)]
pub struct Added {
    pub numbers: Vec<usize>,
    pub broken: Vec<String>,
    pub lines: String,
}

impl Games {
    /// Restores the list from its stored lines. A game that was deleted last still holds its number, so that no
    /// number is used again.
    pub fn of(lines: &str) -> Games {
        let mut games = Games::default();
        for line in lines.lines() {
            games.take(line);
        }
        let last = games.games.last_key_value().map(|(&last, _)| last);
        games.games.retain(|&number, kept| {
            Some(number) == last || !matches!(kept.content, Content::Deleted)
        });
        games
    }

    /// Reads a stored line: a game's number, its kind of change, the hash of its PGN, and its content.
    fn take(&mut self, line: &str) -> Option<()> {
        let mut words = line.splitn(4, ' ');
        let number = words.next()?.parse().ok()?;
        let kind = words.next()?;
        let hash = u64::from_str_radix(words.next()?, 16).ok()?;
        let rest = words.next()?;
        let content = match kind {
            "opened" => {
                let (head, pgn) = rest.split_once('\t')?;
                Content::Opened { head: head.to_string(), pgn: serde_json::from_str(pgn).ok()? }
            }
            "analysed" => Content::Analysed(rest.to_string()),
            _ => Content::Deleted,
        };
        self.put(number, hash, content);
        Some(())
    }

    fn put(&mut self, number: usize, hash: u64, content: Content) {
        self.edition += 1;
        match content {
            // Another game may have become the same meanwhile.
            Content::Deleted if self.numbers.get(&hash) != Some(&number) => {}
            Content::Deleted => _ = self.numbers.remove(&hash),
            _ => _ = self.numbers.insert(hash, number),
        }
        self.games.insert(number, ListedGame { edition: self.edition, hash, content });
    }

    /// All lines of the list, if the stored ones include outdated ones.
    pub fn lines(&self) -> String {
        let there = self.games.iter();
        there.map(|(&number, kept)| kept.line(number)).collect()
    }

    pub fn edition(&self) -> u64 {
        self.edition
    }

    /// Adds the games of a part of a PGN file, each once. `games` and `lines` count those of the parts before.
    pub fn add(&mut self, pgn: &[u8], games_before: usize, lines_before: usize) -> Added {
        let mut added = Added::default();
        for game in readable(PgnReader::new(pgn)) {
            match game {
                Ok(game) => added.numbers.push(self.open(game, None, &mut added.lines)),
                Err(mut error) => {
                    if let PgnError::Game { number, line, .. } = &mut error {
                        *number += games_before;
                        *line += lines_before;
                    }
                    let rest =
                        if error.beginning().is_some() { "; it is here up to there" } else { "" };
                    added.broken.push(format!("{error}{rest}"));
                }
            }
        }
        added
    }

    /// Adds a game or replaces another one, and returns its number.
    pub fn open(&mut self, mut game: PgnGame, place: Option<usize>, lines: &mut String) -> usize {
        let pgn = to_pgn(&game);
        let hash = fingerprint(pgn.bytes());
        if let Some(&number) = self.numbers.get(&hash) {
            return number;
        }
        let next = || self.games.last_key_value().map_or(1, |(last, _)| last + 1);
        let number = place.unwrap_or_else(next);
        if let Some(old) = self.games.get(&number) {
            self.numbers.remove(&old.hash);
        }
        game.number = number;
        let head = head(&GameData::of(&GameAnalysis::new(game, Vec::new())).json());
        self.put(number, hash, Content::Opened { head, pgn });
        self.add_line(number, lines);
        number
    }

    fn add_line(&self, number: usize, lines: &mut String) {
        let line = self.games.get(&number).map(|kept| kept.line(number));
        lines.push_str(&line.unwrap_or_default());
    }

    /// Adds the analysis of a game, and returns the line to store.
    pub fn analysed(&mut self, number: usize, json: String) -> String {
        let mut line = String::new();
        if let Some(ListedGame {
            hash,
            content: Content::Opened { .. } | Content::Analysed(_),
            ..
        }) = self.games.get(&number)
        {
            self.put(number, *hash, Content::Analysed(json));
            self.add_line(number, &mut line);
        }
        line
    }

    /// Deletes games, and returns the lines to store.
    pub fn delete(&mut self, numbers: &[usize]) -> String {
        let mut lines = String::new();
        for &number in numbers {
            if let Some(kept) = self.games.get(&number) {
                let hash = kept.hash;
                self.put(number, hash, Content::Deleted);
                self.add_line(number, &mut lines);
            }
        }
        lines
    }

    /// Some of the changes since an edition, in JSON.
    pub fn items(&self, after: u64) -> String {
        let mut changed: Vec<_> =
            self.games.iter().filter(|(_, kept)| kept.edition > after).collect();
        changed.sort_by_key(|(_, kept)| kept.edition);
        let items =
            changed.iter().take(MOST_TOLD).map(|(number, ListedGame { edition, content, .. })| {
                let head = match content {
                    Content::Opened { head, .. } => head.clone(),
                    Content::Analysed(json) => head(json),
                    Content::Deleted => "null".to_string(),
                };
                format!("{{\"edition\":{edition},\"number\":{number},\"head\":{head}}}")
            });
        format!("{{\"items\":[{}]}}", items.collect::<Vec<_>>().join(","))
    }

    /// A game in JSON.
    pub fn game(&self, number: usize) -> Option<String> {
        match &self.games.get(&number)?.content {
            Content::Opened { pgn, .. } => {
                let mut game = PgnReader::new(pgn.as_bytes()).next()?.ok()?;
                game.number = number;
                Some(GameData::of(&GameAnalysis::new(game, Vec::new())).json())
            }
            Content::Analysed(json) => Some(json.clone()),
            Content::Deleted => None,
        }
    }

    /// The PGN of a game.
    fn pgn_of(&self, number: usize) -> Option<String> {
        match &self.games.get(&number)?.content {
            Content::Opened { pgn, .. } => Some(pgn.clone()),
            Content::Analysed(json) => {
                #[derive(serde::Deserialize)]
                struct Annotated {
                    pgn: String,
                }
                serde_json::from_str(json).ok().map(|it: Annotated| it.pgn)
            }
            Content::Deleted => None,
        }
    }

    /// The PGN of games, for an analysis.
    pub fn pgn(&self, numbers: &[usize]) -> Vec<(usize, String)> {
        let pgn = |&number: &usize| Some((number, self.pgn_of(number)?));
        numbers.iter().filter_map(pgn).collect()
    }

    /// The PGN of the first of these games, as many as one answer takes. Those that are gone are empty.
    pub fn some_pgn(&self, numbers: &[usize]) -> Vec<String> {
        let mut bytes = 0;
        let taken = numbers.iter().map_while(|&number| {
            let pgn = (bytes < MOST_PGN).then(|| self.pgn_of(number).unwrap_or_default())?;
            bytes += pgn.len();
            Some(pgn)
        });
        taken.collect()
    }

    /// A self-contained page of games, unless it would be too large for a browser.
    pub fn page(&self, numbers: &[usize]) -> Result<String, String> {
        let mut games = String::new();
        for json in numbers.iter().filter_map(|&number| self.game(number)) {
            games += &page::game(&json);
            if games.len() > page::MOST_IN_PAGE {
                return Err(TOO_LARGE.to_string());
            }
        }
        Ok(page::head("games") + &games + page::FOOT)
    }
}

impl ListedGame {
    fn line(&self, number: usize) -> String {
        let hash = self.hash;
        match &self.content {
            Content::Opened { head, pgn } => {
                let pgn = serde_json::to_string(pgn).unwrap_or_default();
                format!("{number} opened {hash:x} {head}\t{pgn}\n")
            }
            Content::Analysed(json) => format!("{number} analysed {hash:x} {json}\n"),
            Content::Deleted => format!("{number} deleted {hash:x} \n"),
        }
    }
}
