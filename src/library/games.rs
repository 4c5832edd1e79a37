//! The games: imports, lists, the person's names.

use std::collections::{BTreeMap, BTreeSet};

use redb::{ReadableTable, ReadableTableMetadata, WriteTransaction};
use serde::Serialize;

use super::file::{Library, LibraryError, Problem, json};
use super::head::{Head, fingerprint};
use super::tables::{
    GAMES, GONE, HEADS, META, NAMES, NEXT, OWN, PLAYED, PRINTS, TAGS, begin, is_current, remove,
};
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

impl Taken {
    pub fn and(self, more: Taken) -> Taken {
        Taken {
            new: self.new + more.new,
            known: self.known + more.known,
            broken: self.broken + more.broken,
            empty: self.empty + more.empty,
        }
    }
}

/// Progress of an import.
pub enum Import<'a> {
    /// So many so far, and the ids of those that have just come, new or known.
    Progress(Taken, &'a [u64]),
    Broken(&'a str),
}

impl Library {
    /// Imports the games of a file, each once. Broken games and those of other variants are reported and
    /// skipped.
    pub fn import(
        &self,
        reader: impl Iterator<Item = Result<PgnGame, PgnError>>,
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
                let ids = self.add(&games, &mut taken)?;
                games.clear();
                hear(Import::Progress(taken, &ids));
            }
        }
        let ids = self.add(&games, &mut taken)?;
        hear(Import::Progress(taken, &ids));
        Ok(taken)
    }

    /// Adds a game, or replaces an earlier version that it went on from. Returns its id.
    pub fn add_game(&self, game: &PgnGame, earlier: Option<u64>) -> Result<u64, LibraryError> {
        self.write(|write| replace(write, game, earlier))
    }

    fn add(&self, games: &[PgnGame], taken: &mut Taken) -> Result<Vec<u64>, LibraryError> {
        let (ids, new) = self.write(|write| insert(write, games))?;
        taken.new += new;
        taken.known += games.len() - new;
        Ok(ids)
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

    /// Adds the game on the board, or replaces it if it went on after an earlier end.
    pub fn add_played(&self, game: &PgnGame, name: &str) -> Result<u64, LibraryError> {
        self.write(|write| {
            let earlier = write.open_table(META)?.get(PLAYED)?.map(|id| id.value());
            let id = replace(write, game, earlier)?;
            write.open_table(META)?.insert(PLAYED, id)?;
            write.open_table(NAMES)?.insert(name, ())?;
            Ok(id)
        })
    }

    /// Another game is on the board.
    pub fn forget_played(&self) -> Result<(), LibraryError> {
        if self.played()?.is_some() {
            self.write(|write| Ok(write.open_table(META)?.remove(PLAYED).map(drop)?))?;
        }
        Ok(())
    }

    /// The game on the board, once it is here.
    pub fn played(&self) -> Result<Option<u64>, LibraryError> {
        self.read(|read| Ok(read.open_table(META)?.get(PLAYED)?.map(|id| id.value())))
    }

    /// Deletes games. They can be restored until the library is opened again.
    pub fn delete(&self, ids: &[u64]) -> Result<(), LibraryError> {
        self.write(|write| {
            let games = write.open_table(GAMES)?;
            let mut gone = write.open_table(GONE)?;
            for id in ids {
                if games.get(id)?.is_some() {
                    gone.insert(id, ())?;
                }
            }
            Ok(())
        })
    }

    pub fn restore(&self, ids: &[u64]) -> Result<(), LibraryError> {
        self.write(|write| {
            let mut gone = write.open_table(GONE)?;
            ids.iter().try_for_each(|id| Ok(gone.remove(id).map(drop)?))
        })
    }

    /// Completes a file of an earlier version, and forgets the games that are deleted.
    pub(super) fn tidy(&self) -> Result<(), LibraryError> {
        if !self.read(|read| is_current(&read))? {
            self.write(|write| {
                begin(write)?;
                renew_heads(write)
            })?;
        }
        let gone = self.gone()?;
        if gone.is_empty() {
            return Ok(());
        }
        self.write(|write| gone.iter().try_for_each(|&id| remove(write, id)))
    }

    /// The deleted games that can be restored.
    pub(super) fn gone(&self) -> Result<BTreeSet<u64>, LibraryError> {
        self.read(|read| {
            let gone = read.open_table(GONE)?;
            gone.iter()?.map(|id| Ok(id?.0.value())).collect()
        })
    }

    /// All games, newest first.
    pub fn heads(&self) -> Result<Vec<(u64, Head)>, LibraryError> {
        let gone = self.gone()?;
        let bytes: Vec<(u64, Vec<u8>)> = self.read(|read| {
            let heads = read.open_table(HEADS)?;
            heads
                .iter()?
                .map(|head| head.map(|(id, head)| (id.value(), head.value().to_vec())))
                .collect::<Result<_, _>>()
                .map_err(Into::into)
        })?;
        let bytes = bytes.iter().filter(|(id, _)| !gone.contains(id));
        let heads = bytes.map(|(id, head)| Ok((*id, self.parse(head)?)));
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
        let gone = self.gone()?;
        let ids: Vec<u64> = self.read(|read| {
            let games = read.open_table(HEADS)?;
            games.iter()?.map(|head| Ok(head?.0.value())).collect::<Result<_, redb::Error>>()
        })?;
        Ok(ids.into_iter().filter(|id| !gone.contains(id)).collect())
    }

    /// The PGN of a game, as it was added.
    pub fn pgn(&self, id: u64) -> Result<String, LibraryError> {
        let text = self.read(|read| {
            let games = read.open_table(GAMES)?;
            let is_gone = read.open_table(GONE)?.get(id)?.is_some();
            let text = games.get(id)?.filter(|_| !is_gone);
            Ok(text.map(|text| text.value().to_string()))
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
        self.read(|read| Ok(read.open_table(GAMES)?.len()? - read.open_table(GONE)?.len()?))
    }
}

/// Adds games that are not there yet, and returns the ids of all of them and the number of new ones.
fn insert(write: &WriteTransaction, games: &[PgnGame]) -> Result<(Vec<u64>, usize), redb::Error> {
    let mut meta = write.open_table(META)?;
    let mut prints = write.open_table(PRINTS)?;
    let mut texts = write.open_table(GAMES)?;
    let mut heads = write.open_table(HEADS)?;
    let mut gone = write.open_table(GONE)?;
    // No id is used again: a game that is gone may be under review, or known elsewhere. Files of earlier
    // versions have no next id.
    let next = meta.get(NEXT)?.map_or(0, |next| next.value());
    let last = texts.last()?.map(|(last, _)| last.value());
    let first = last.map_or(0, |last| last + 1).max(next);
    let mut id = first;
    let mut ids = Vec::new();
    for game in games {
        let head = Head::of(game);
        let print = fingerprint(game, &head);
        let known = prints.get(print)?.map(|known| known.value());
        if let Some(known) = known {
            // Who brings a deleted game wants it back.
            gone.remove(known)?;
            ids.push(known);
            continue;
        }
        prints.insert(print, id)?;
        texts.insert(id, &*to_pgn(game))?;
        heads.insert(id, &*json(&head))?;
        ids.push(id);
        id += 1;
    }
    meta.insert(NEXT, id)?;
    Ok((ids, (id - first) as usize))
}

/// Adds a game in the place of an earlier version, with its tags and the person's own lines, and returns its id.
fn replace(
    write: &WriteTransaction,
    game: &PgnGame,
    earlier: Option<u64>,
) -> Result<u64, redb::Error> {
    let (mut tags, mut own) = (Vec::new(), None);
    if let Some(id) = earlier {
        // A file of an earlier version may not know yet that the id of its last game is used.
        insert(write, &[])?;
        for tag in write.open_table(TAGS)?.range((id, "")..(id + 1, ""))? {
            tags.push(tag?.0.value().1.to_string());
        }
        own = write.open_table(OWN)?.get(id)?.map(|own| own.value().to_vec());
        remove(write, id)?;
    }
    let (ids, _) = insert(write, std::slice::from_ref(game))?;
    let id = ids[0];
    for tag in &tags {
        write.open_table(TAGS)?.insert((id, &**tag), ())?;
    }
    if let Some(own) = own {
        write.open_table(OWN)?.insert(id, &*own)?;
    }
    Ok(id)
}

/// Makes the heads of all games anew.
fn renew_heads(write: &WriteTransaction) -> Result<(), redb::Error> {
    let mut heads = write.open_table(HEADS)?;
    for game in write.open_table(GAMES)?.iter()? {
        let (id, text) = game?;
        if let Some(Ok(game)) = PgnReader::new(text.value().as_bytes()).next() {
            heads.insert(id.value(), &*json(&Head::of(&game)))?;
        }
    }
    Ok(())
}
