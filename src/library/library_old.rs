//! The library: a person's games, reviews and exercises in one file.
//!
//! The file is a redb database. Compared with SQLite (rusqlite, bundled) it needs no C compiler for any
//! target, builds in a third of the time, and adds half as much to the program. Above all it checksums
//! every page: of 300 damaged copies it noticed each one that mattered, where SQLite's quick check let 141
//! pass with wrong contents. Both keep what was committed through a kill. What redb does not have is a
//! query language; the heads of 50,000 games are read and sorted faster than one notices.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use redb::{
    Database, DatabaseError, ReadTransaction, ReadableDatabase, ReadableTable,
    ReadableTableMetadata, TableDefinition, WriteTransaction,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use engine::board::Color;
use engine::notation::{PgnError, PgnGame, PgnReader, Tags, to_pgn};
use engine::system::text;

/// The version of the schema.
const SCHEMA: u64 = 1;

const META: TableDefinition<&str, u64> = TableDefinition::new("meta");
/// The person's names, as in the files.
const NAMES: TableDefinition<&str, ()> = TableDefinition::new("names");
const GAMES: TableDefinition<u64, &str> = TableDefinition::new("games");
const HEADS: TableDefinition<u64, &[u8]> = TableDefinition::new("heads");
/// The game with this fingerprint.
const PRINTS: TableDefinition<u64, u64> = TableDefinition::new("prints");
const REVIEWS: TableDefinition<u64, &[u8]> = TableDefinition::new("reviews");
/// The nodes a position of each review.
const REVIEWED: TableDefinition<u64, u64> = TableDefinition::new("reviewed");
/// Analyses of games whose review is not complete: the nodes, and each position by game and place.
const FOUND: TableDefinition<Place, (u64, &[u8])> = TableDefinition::new("found");
const EXERCISES: TableDefinition<Place, &[u8]> = TableDefinition::new("exercises");
/// The person's own opening lines.
const LINES: TableDefinition<u64, &[u8]> = TableDefinition::new("lines");

/// The games whose exercises were made, even if they gave none.
const ASKED: TableDefinition<u64, ()> = TableDefinition::new("asked");

/// A game and a ply of it.
pub type Place = (u64, u64);

/// The size of the database's caches.
const CACHE: usize = 64 << 20;

/// The number of games per transaction of an import.
const BATCH: usize = 1000;

#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", .file.display())]
pub struct LibraryError {
    file: PathBuf,
    problem: Problem,
}

#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error("another program has this library open")]
    Locked,
    #[error("a newer version of Zebu wrote this library")]
    Newer,
    #[error("it is not a library of games")]
    Foreign,
    #[error("this library is damaged, and stays as it is: {0}")]
    Damaged(String),
    #[error("{0}; what was kept before is still there")]
    Io(io::Error),
    #[error("game {0} is there no longer")]
    Gone(u64),
    #[error("the export could not be written: {0}")]
    Unwritten(io::Error),
}

impl LibraryError {
    /// Whether a game was replaced since its id was read.
    pub fn is_gone(&self) -> bool {
        matches!(self.problem, Problem::Gone(_))
    }
}

impl From<redb::Error> for Problem {
    fn from(error: redb::Error) -> Problem {
        match error {
            redb::Error::DatabaseAlreadyOpen | redb::Error::LockProtocolMismatch => Problem::Locked,
            redb::Error::Corrupted(text) if text.contains("file format version") => Problem::Newer,
            redb::Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => {
                Problem::Foreign
            }
            redb::Error::Io(error) => Problem::Io(error),
            redb::Error::PreviousIo => Problem::Io(io::Error::other("it could not be written")),
            error => Problem::Damaged(error.to_string()),
        }
    }
}

/// The head of a game, for lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    pub players: [String; 2],
    pub ratings: [Option<u32>; 2],
    /// Day and time as in the file, with zeros for what is unknown, so that dates sort.
    pub date: String,
    pub result: String,
    pub plies: usize,
}

impl Head {
    fn of(game: &PgnGame) -> Head {
        let tag = |names: &[&str]| {
            let known = names.iter().filter_map(|name| game.tags.get(name));
            known.map(|value| value.replace('?', "0")).next().unwrap_or_default()
        };
        let date = format!("{} {}", tag(&["UTCDate", "Date"]), tag(&["UTCTime", "StartTime"]));
        Head {
            players: Color::BOTH.map(|color| game.tags.player(color).to_string()),
            ratings: Color::BOTH.map(|color| rating(&game.tags, color)),
            date: date.trim().to_string(),
            result: game.result.to_string(),
            plies: game.moves.len(),
        }
    }

    /// The side of a person with these names. `None`: neither or both.
    pub fn side_of(&self, names: &[String]) -> Option<Color> {
        let is_me = |player: &str| names.iter().any(|name| same_name(name, player));
        match [0, 1].map(|side: usize| is_me(&self.players[side])) {
            [true, false] => Some(Color::White),
            [false, true] => Some(Color::Black),
            _ => None,
        }
    }
}

fn same_name(one: &str, other: &str) -> bool {
    one.trim().to_lowercase() == other.trim().to_lowercase()
}

/// The rating of a side, if the file has it.
pub fn rating(tags: &Tags, color: Color) -> Option<u32> {
    let name = if color == Color::White { "WhiteElo" } else { "BlackElo" };
    tags.get(name)?.trim().parse().ok().filter(|&rating| rating > 0)
}

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

pub struct Library {
    database: Database,
    file: PathBuf,
}

impl Library {
    /// Opens a library or creates one. The whole file is checked.
    pub fn open(file: &Path) -> Result<Library, LibraryError> {
        let failed = |problem| LibraryError { file: file.to_owned(), problem };
        let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
        parent.map_or(Ok(()), fs::create_dir_all).map_err(|error| failed(Problem::Io(error)))?;
        // Opening a pipe would block.
        if fs::metadata(file).is_ok_and(|found| !found.is_file()) {
            return Err(failed(Problem::Foreign));
        }
        let mut builder = Database::builder();
        let opened = builder.set_cache_size(CACHE).set_check_integrity_on_open(true).create(file);
        let database = opened.map_err(|error| failed(opening(error)))?;
        let library = Library { database, file: file.to_owned() };
        match library.read(|read| schema(&read)) {
            Ok(Some(SCHEMA)) => Ok(library),
            Ok(Some(_)) => Err(failed(Problem::Newer)),
            Ok(None) => library.write(begin).map(|()| library),
            Err(error) => Err(error),
        }
    }

    /// What the library has could not be written elsewhere.
    pub fn unwritten(&self, error: io::Error) -> LibraryError {
        self.failed(Problem::Unwritten(error))
    }

    fn failed(&self, problem: impl Into<Problem>) -> LibraryError {
        LibraryError { file: self.file.clone(), problem: problem.into() }
    }

    fn read<T>(
        &self,
        read: impl FnOnce(ReadTransaction) -> Result<T, redb::Error>,
    ) -> Result<T, LibraryError> {
        let begun = self.database.begin_read().map_err(redb::Error::from);
        begun.and_then(read).map_err(|error| self.failed(error))
    }

    /// Runs a transaction.
    fn write<T>(
        &self,
        write: impl FnOnce(&WriteTransaction) -> Result<T, redb::Error>,
    ) -> Result<T, LibraryError> {
        let run = || -> Result<T, redb::Error> {
            let transaction = self.database.begin_write()?;
            let done = write(&transaction)?;
            transaction.commit()?;
            Ok(done)
        };
        run().map_err(|error| self.failed(error))
    }

    fn parse<T: DeserializeOwned>(&self, bytes: &[u8]) -> Result<T, LibraryError> {
        serde_json::from_slice(bytes)
            .map_err(|error| self.failed(Problem::Damaged(error.to_string())))
    }

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
                self.add(&games, None, &mut taken)?;
                games.clear();
                hear(Import::Progress(taken));
            }
        }
        self.add(&games, None, &mut taken)?;
        hear(Import::Progress(taken));
        Ok(taken)
    }

    /// Adds a game, or replaces an earlier version that it went on from. Returns its id, unless it was there
    /// already.
    pub fn add_game(&self, game: &PgnGame, earlier: Option<u64>) -> Result<u64, LibraryError> {
        self.add(std::slice::from_ref(game), earlier, &mut Taken::default())?;
        let head = Head::of(game);
        self.read(|read| {
            let prints = read.open_table(PRINTS)?;
            Ok(prints.get(fingerprint(game, &head))?.map_or(0, |id| id.value()))
        })
    }

    fn add(
        &self,
        games: &[PgnGame],
        earlier: Option<u64>,
        taken: &mut Taken,
    ) -> Result<(), LibraryError> {
        let new = self.write(|write| {
            // A new game never gets the id of the one it replaces, which may be under review.
            let last = write.open_table(GAMES)?.last()?.map(|(last, _)| last.value());
            earlier.map_or(Ok(()), |id| remove(write, id))?;
            let mut prints = write.open_table(PRINTS)?;
            let mut texts = write.open_table(GAMES)?;
            let mut heads = write.open_table(HEADS)?;
            let mut id = last.map_or(0, |last| last + 1);
            let first = id;
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
            Ok((id - first) as usize)
        })?;
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

    pub fn add_names(&self, names: &[String]) -> Result<(), LibraryError> {
        self.write(|write| {
            let mut table = write.open_table(NAMES)?;
            for name in names {
                table.insert(name.trim(), ())?;
            }
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

    /// The games that were reviewed with this many nodes per position.
    pub fn reviewed(&self, nodes: u64) -> Result<Vec<u64>, LibraryError> {
        self.read(|read| {
            let reviewed = read.open_table(REVIEWED)?;
            let mut ids = Vec::new();
            for entry in reviewed.iter()? {
                let (id, with) = entry?;
                ids.extend((with.value() == nodes).then_some(id.value()));
            }
            Ok(ids)
        })
    }

    /// The review of a game, if it has one.
    pub fn review<T: DeserializeOwned>(&self, id: u64) -> Result<Option<T>, LibraryError> {
        let bytes = self.read(|read| {
            let reviews = read.open_table(REVIEWS)?;
            Ok(reviews.get(id)?.map(|review| review.value().to_vec()))
        })?;
        bytes.map(|bytes| self.parse(&bytes)).transpose()
    }

    /// Stores the review of a game, unless the game is gone.
    pub fn keep_review(
        &self,
        id: u64,
        nodes: u64,
        review: &impl Serialize,
    ) -> Result<(), LibraryError> {
        self.write(|write| {
            if !has_game(write, id)? {
                return Ok(());
            }
            write.open_table(REVIEWS)?.insert(id, &*json(review))?;
            write.open_table(REVIEWED)?.insert(id, nodes)?;
            Ok(write.open_table(FOUND)?.retain_in((id, 0)..(id + 1, 0), |_, _| false)?)
        })
    }

    /// The analysis of a position in an incomplete review with this many nodes.
    pub fn found<T: DeserializeOwned>(
        &self,
        place: Place,
        nodes: u64,
    ) -> Result<Option<T>, LibraryError> {
        let bytes = self.read(|read| {
            let found = read.open_table(FOUND)?;
            let found = found.get(place)?;
            let found = found.as_ref().map(|found| found.value());
            Ok(found.filter(|(with, _)| *with == nodes).map(|(_, bytes)| bytes.to_vec()))
        })?;
        bytes.map(|bytes| self.parse(&bytes)).transpose()
    }

    /// Stores the analysis of a position, unless its game is gone.
    pub fn keep_found(
        &self,
        place: Place,
        nodes: u64,
        found: &impl Serialize,
    ) -> Result<(), LibraryError> {
        self.write(|write| {
            if has_game(write, place.0)? {
                write.open_table(FOUND)?.insert(place, (nodes, &*json(found)))?;
            }
            Ok(())
        })
    }

    /// All of the person's own lines.
    pub fn lines<T: DeserializeOwned>(&self) -> Result<Vec<(u64, T)>, LibraryError> {
        let bytes: Vec<(u64, Vec<u8>)> = self.read(|read| {
            let lines = read.open_table(LINES)?;
            let all = lines.iter()?.map(|it| it.map(|(id, it)| (id.value(), it.value().to_vec())));
            Ok(all.collect::<Result<_, _>>()?)
        })?;
        bytes.iter().map(|(id, line)| Ok((*id, self.parse(line)?))).collect()
    }

    pub fn keep_line(&self, line: &impl Serialize) -> Result<u64, LibraryError> {
        self.write(|write| {
            let mut lines = write.open_table(LINES)?;
            let id = lines.last()?.map_or(0, |(last, _)| last.value() + 1);
            lines.insert(id, &*json(line))?;
            Ok(id)
        })
    }

    /// Deletes a line, and the exercises at these places.
    pub fn forget_line(&self, id: u64, places: Range<Place>) -> Result<(), LibraryError> {
        self.write(|write| {
            write.open_table(LINES)?.remove(id)?;
            Ok(write.open_table(EXERCISES)?.retain_in(places, |_, _| false)?)
        })
    }

    /// All exercises, by game and ply.
    pub fn exercises<T: DeserializeOwned>(&self) -> Result<Vec<(Place, T)>, LibraryError> {
        let bytes: Vec<(Place, Vec<u8>)> = self.read(|read| {
            let table = read.open_table(EXERCISES)?;
            let all = table
                .iter()?
                .map(|entry| entry.map(|(key, value)| (key.value(), value.value().to_vec())));
            Ok(all.collect::<Result<_, _>>()?)
        })?;
        bytes.iter().map(|(key, exercise)| Ok((*key, self.parse(exercise)?))).collect()
    }

    /// Stores the exercises of a game by ply, unless the game is gone.
    pub fn keep_exercises(
        &self,
        id: u64,
        exercises: &[(usize, impl Serialize)],
    ) -> Result<(), LibraryError> {
        self.write(|write| {
            if !has_game(write, id)? {
                return Ok(());
            }
            let mut table = write.open_table(EXERCISES)?;
            for (ply, exercise) in exercises {
                table.insert((id, *ply as u64), &*json(exercise))?;
            }
            write.open_table(ASKED)?.insert(id, ())?;
            Ok(())
        })
    }

    /// The games whose exercises were made, in their order.
    pub fn asked(&self) -> Result<Vec<u64>, LibraryError> {
        self.read(|read| {
            let asked = read.open_table(ASKED)?;
            asked.iter()?.map(|entry| Ok(entry?.0.value())).collect()
        })
    }

    /// Stores exercises that belong to no game.
    pub fn add_exercises(&self, exercises: &[(Place, impl Serialize)]) -> Result<(), LibraryError> {
        self.write(|write| {
            let mut table = write.open_table(EXERCISES)?;
            for (place, exercise) in exercises {
                table.insert(place, &*json(exercise))?;
            }
            Ok(())
        })
    }

    pub fn exercise<T: DeserializeOwned>(&self, key: Place) -> Result<Option<T>, LibraryError> {
        let bytes = self.read(|read| {
            let exercises = read.open_table(EXERCISES)?;
            Ok(exercises.get(key)?.map(|exercise| exercise.value().to_vec()))
        })?;
        bytes.map(|bytes| self.parse(&bytes)).transpose()
    }

    /// Replaces an exercise, unless it is gone.
    pub fn keep_exercise(&self, key: Place, exercise: &impl Serialize) -> Result<(), LibraryError> {
        self.write(|write| {
            let mut table = write.open_table(EXERCISES)?;
            if table.get(key)?.is_some() {
                table.insert(key, &*json(exercise))?;
            }
            Ok(())
        })
    }

    /// Writes everything that is not in the PGN as JSON: names, reviews and exercises. Games have their numbers
    /// in the PGN, from 1.
    pub fn export_json(&self, output: &mut impl Write) -> Result<(), LibraryError> {
        let names = self.names()?;
        self.read(|read| {
            let ids = read.open_table(HEADS)?;
            let ids = ids.iter()?.map(|head| Ok(head?.0.value()));
            let ids = ids.collect::<Result<Vec<u64>, redb::Error>>()?;
            let numbers: BTreeMap<u64, usize> = ids.into_iter().zip(1..).collect();
            output.write_all(b"{\"schema\":1,\"names\":")?;
            output.write_all(&json(&names))?;
            output.write_all(b",\"reviews\":[")?;
            let mut count = 0;
            for review in read.open_table(REVIEWS)?.iter()? {
                let (id, review) = review?;
                // Earlier versions kept reviews of games that were gone.
                let Some(number) = numbers.get(&id.value()) else { continue };
                write!(output, "{}{{\"game\":{number},\"review\":", separator(count))?;
                count += 1;
                output.write_all(review.value())?;
                output.write_all(b"}")?;
            }
            output.write_all(b"],\"exercises\":[")?;
            for (i, exercise) in read.open_table(EXERCISES)?.iter()?.enumerate() {
                let (key, exercise) = exercise?;
                let (id, ply) = key.value();
                let number = numbers.get(&id).unwrap_or(&0);
                let start = separator(i);
                write!(output, "{start}{{\"game\":{number},\"ply\":{ply},\"exercise\":")?;
                output.write_all(exercise.value())?;
                output.write_all(b"}")?;
            }
            output.write_all(b"],\"lines\":[")?;
            for (i, line) in read.open_table(LINES)?.iter()?.enumerate() {
                output.write_all(separator(i).as_bytes())?;
                output.write_all(line?.1.value())?;
            }
            Ok(output.write_all(b"]}\n")?)
        })
    }

    /// The number of games.
    pub fn count(&self) -> Result<u64, LibraryError> {
        self.read(|read| Ok(read.open_table(GAMES)?.len()?))
    }
}

fn opening(error: DatabaseError) -> Problem {
    Problem::from(redb::Error::from(error))
}

/// The version of a library, if it has one.
fn schema(read: &ReadTransaction) -> Result<Option<u64>, redb::Error> {
    match read.open_table(META) {
        Ok(meta) => Ok(meta.get("schema")?.map(|version| version.value())),
        Err(redb::TableError::TableDoesNotExist(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn begin(write: &WriteTransaction) -> Result<(), redb::Error> {
    write.open_table(META)?.insert("schema", SCHEMA)?;
    write.open_table(NAMES)?;
    write.open_table(GAMES)?;
    write.open_table(HEADS)?;
    write.open_table(PRINTS)?;
    write.open_table(REVIEWS)?;
    write.open_table(REVIEWED)?;
    write.open_table(FOUND)?;
    write.open_table(EXERCISES)?;
    write.open_table(LINES)?;
    write.open_table(ASKED)?;
    Ok(())
}

fn has_game(write: &WriteTransaction, id: u64) -> Result<bool, redb::Error> {
    Ok(write.open_table(GAMES)?.get(id)?.is_some())
}

/// Removes a game and everything that was found in it.
fn remove(write: &WriteTransaction, id: u64) -> Result<(), redb::Error> {
    write.open_table(GAMES)?.remove(id)?;
    write.open_table(HEADS)?.remove(id)?;
    write.open_table(PRINTS)?.retain(|_, of| of != id)?;
    write.open_table(REVIEWS)?.remove(id)?;
    write.open_table(REVIEWED)?.remove(id)?;
    write.open_table(FOUND)?.retain_in((id, 0)..(id + 1, 0), |_, _| false)?;
    write.open_table(EXERCISES)?.retain_in((id, 0)..(id + 1, 0), |_, _| false)?;
    write.open_table(ASKED)?.remove(id)?;
    Ok(())
}

/// The separator before an item of a list in JSON.
fn separator(index: usize) -> &'static str {
    if index == 0 { "\n" } else { ",\n" }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("text, numbers and lists are JSON")
}

/// A fingerprint of players, date, start and moves.
fn fingerprint(game: &PgnGame, head: &Head) -> u64 {
    let players = head.players.iter().map(|player| player.trim().to_lowercase());
    let date = head.date.split(' ').next().unwrap_or_default().to_string();
    let mut bytes = Vec::new();
    for part in players.chain([date, game.start.fen().to_string()]) {
        bytes.extend(part.bytes().chain([0]));
    }
    for mv in game.moves.iter().map(|played| played.mv) {
        let promoted = mv.promoted().map_or(0, |kind| kind.letter() as u8);
        bytes.extend([mv.from().index(), mv.to().index(), promoted, 0]);
    }
    text::fingerprint(bytes)
}
