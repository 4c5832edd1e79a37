//! The games: imports, lists, the person's names.

use std::collections::BTreeMap;
use std::io::BufRead;

use redb::{ReadableTable, ReadableTableMetadata, WriteTransaction};
use serde::Serialize;

use super::file::{Library, LibraryError, Problem, json};
use super::head::{Head, fingerprint};
use super::tables::{GAMES, HEADS, META, NAMES, NEXT, PLAYED, PLAYED_AS, PRINTS, remove};
use engine::notation::{PgnError, PgnGame, PgnReader, to_pgn};

/// The number of games per transaction of an import.
const BATCH: usize = 1000;

/// The result of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Taken {
    pub new: usize,
    pub known: usize,
    pub broken: usize,
    /// Games without a move, as sites export them when a player did not come.
    pub empty: usize,
}

/// Progress of an import.
pub enum Import<'a> {
    Progress(Taken),
    Broken(&'a str),
}

impl Library {
    /// Imports the games of a file, each once. Broken games and those of other variants are reported and
    /// skipped.
    pub fn import<R: BufRead>(
        &self,
        reader: PgnReader<R>,
        mut hear: impl FnMut(Import),
    ) -> Result<Taken, LibraryError> {
        let mut taken = Taken::default();
        let mut games = Vec::new();
        for game in reader {
            match game {
                Ok(game) if !game.moves.is_empty() => games.push(game),
                Ok(_) => taken.empty += 1,
                Err(error) => {
                    taken.broken += usize::from(matches!(error, PgnError::Game { .. }));
                    hear(Import::Broken(&error.to_string()));
                }
            }
            if games.len() == BATCH {
                self.add(&games, &mut taken)?;
                games.clear();
                hear(Import::Progress(taken));
            }
        }
        self.add(&games, &mut taken)?;
        hear(Import::Progress(taken));
        Ok(taken)
    }

    /// Adds a game, or replaces an earlier version that it went on from. Returns its id.
    pub fn add_game(&self, game: &PgnGame, earlier: Option<u64>) -> Result<u64, LibraryError> {
        self.write(|write| replace(write, game, earlier))
    }

    fn add(&self, games: &[PgnGame], taken: &mut Taken) -> Result<(), LibraryError> {
        let new = self.write(|write| insert(write, games))?;
        taken.new += new;
        taken.known += games.len() - new;
        Ok(())
    }

    /// The person's names.
    pub fn names(&self) -> Result<Vec<String>, LibraryError> {
        self.read(|read| {
            let names = read.open_table(NAMES)?;
            let names = names.iter()?.map(|name| Ok(name?.0.value().to_string()));
            names.collect()
        })
    }

    /// Replaces the person's names.
    pub fn set_names(&self, names: &[String]) -> Result<(), LibraryError> {
        self.write(|write| {
            let mut table = write.open_table(NAMES)?;
            table.retain(|_, ()| false)?;
            for name in names {
                table.insert(name.trim(), ())?;
            }
            Ok(())
        })
    }

    /// Adds a game that the person played, with its number on the board. If it went on after an earlier end, it
    /// takes the place of that version, unless the library never got it.
    pub fn add_played(
        &self,
        game: &PgnGame,
        name: &str,
        number: u64,
        went_on: bool,
    ) -> Result<(), LibraryError> {
        self.write(|write| {
            let earlier = {
                let meta = write.open_table(META)?;
                let is_last = meta.get(PLAYED_AS)?.is_some_and(|last| last.value() == number);
                meta.get(PLAYED)?.map(|id| id.value()).filter(|_| went_on && is_last)
            };
            let id = replace(write, game, earlier)?;
            let mut meta = write.open_table(META)?;
            meta.insert(PLAYED, id)?;
            meta.insert(PLAYED_AS, number)?;
            write.open_table(NAMES)?.insert(name, ())?;
            Ok(())
        })
    }

    /// All games, newest first.
    pub fn heads(&self) -> Result<Vec<(u64, Head)>, LibraryError> {
        let bytes: Vec<(u64, Vec<u8>)> = self.read(|read| {
            let heads = read.open_table(HEADS)?;
            heads
                .iter()?
                .map(|head| head.map(|(id, head)| (id.value(), head.value().to_vec())))
                .collect::<Result<_, _>>()
                .map_err(Into::into)
        })?;
        let heads = bytes.iter().map(|(id, head)| Ok((*id, self.parse(head)?)));
        let mut heads: Vec<(u64, Head)> = heads.collect::<Result<_, _>>()?;
        heads.sort_by(|(one_id, one), (id, other)| (&other.date, id).cmp(&(&one.date, one_id)));
        Ok(heads)
    }

    /// The players with the most games, and their number of games.
    pub fn players(&self) -> Result<Vec<(String, usize)>, LibraryError> {
        let mut counts = BTreeMap::new();
        for name in self.heads()?.into_iter().flat_map(|(_, head)| head.players) {
            *counts.entry(name).or_default() += 1;
        }
        let mut players: Vec<(String, usize)> = counts.into_iter().collect();
        players.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        Ok(players)
    }

    /// All games, in the order in which they were added.
    pub fn ids(&self) -> Result<Vec<u64>, LibraryError> {
        self.read(|read| {
            let games = read.open_table(HEADS)?;
            games.iter()?.map(|head| Ok(head?.0.value())).collect()
        })
    }

    /// The PGN of a game, as it was added.
    pub fn pgn(&self, id: u64) -> Result<String, LibraryError> {
        let text = self.read(|read| {
            let games = read.open_table(GAMES)?;
            Ok(games.get(id)?.map(|text| text.value().to_string()))
        })?;
        text.ok_or_else(|| self.failed(Problem::Gone(id)))
    }

    /// A game, with its id as its number.
    pub fn game(&self, id: u64) -> Result<PgnGame, LibraryError> {
        let text = self.pgn(id)?;
        let game = PgnReader::new(text.as_bytes()).next().and_then(Result::ok);
        let mut game = game.ok_or_else(|| self.failed(Problem::Damaged(format!("game {id}"))))?;
        game.number = id as usize;
        Ok(game)
    }

    /// The number of games.
    pub fn count(&self) -> Result<u64, LibraryError> {
        self.read(|read| Ok(read.open_table(GAMES)?.len()?))
    }
}

/// Adds games that are not there yet, and returns how many those are.
fn insert(write: &WriteTransaction, games: &[PgnGame]) -> Result<usize, redb::Error> {
    let mut meta = write.open_table(META)?;
    let mut prints = write.open_table(PRINTS)?;
    let mut texts = write.open_table(GAMES)?;
    let mut heads = write.open_table(HEADS)?;
    // No id is used again: a game that is gone may be under review, or known elsewhere. Files of earlier
    // versions have no next id.
    let next = meta.get(NEXT)?.map_or(0, |next| next.value());
    let last = texts.last()?.map(|(last, _)| last.value());
    let first = last.map_or(0, |last| last + 1).max(next);
    let mut id = first;
    for game in games {
        let head = Head::of(game);
        if prints.get(fingerprint(game, &head))?.is_some() {
            continue;
        }
        prints.insert(fingerprint(game, &head), id)?;
        texts.insert(id, &*to_pgn(game))?;
        heads.insert(id, &*json(&head))?;
        id += 1;
    }
    meta.insert(NEXT, id)?;
    Ok((id - first) as usize)
}

/// Adds a game in the place of an earlier version, and returns its id.
fn replace(
    write: &WriteTransaction,
    game: &PgnGame,
    earlier: Option<u64>,
) -> Result<u64, redb::Error> {
    if let Some(id) = earlier {
        // A file of an earlier version may not know yet that the id of its last game is used.
        insert(write, &[])?;
        remove(write, id)?;
    }
    insert(write, std::slice::from_ref(game))?;
    let print = fingerprint(game, &Head::of(game));
    Ok(write.open_table(PRINTS)?.get(print)?.map_or(0, |id| id.value()))
}
