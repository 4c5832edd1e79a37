//! The database: transactions, and what is wrong with it.
//!
//! It is a redb database. Compared with SQLite (rusqlite, bundled) it needs no C compiler for any target,
//! builds in a third of the time, and adds half as much to the program. Above all it checksums every page: of
//! 300 damaged copies it noticed each one that mattered, where SQLite's quick check let 141 pass with wrong
//! contents. Both keep what was committed through a kill. What redb does not have is a query language; the
//! heads of 50,000 games are read and sorted faster than one notices.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use redb::{
    Database, DatabaseError, Durability, ReadTransaction, ReadableDatabase, WriteTransaction,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::findings::Finding;
use super::tables::{SCHEMA, begin, schema};
use engine::system::time::Instant;

/// What can be found again reaches the disk this often.
const BETWEEN_SYNCS: Duration = Duration::from_secs(5);

#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", .file.display())]
pub struct LibraryError {
    pub(super) file: PathBuf,
    pub(super) problem: Problem,
}

#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error("another program has this library open; if that is zebu board, its page has the coach")]
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
    #[error("{problem}. {} is a copy from {age} ago: rename it to go on with that", .copy.display())]
    Copied { problem: Box<Problem>, copy: PathBuf, age: String },
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

impl From<DatabaseError> for Problem {
    fn from(error: DatabaseError) -> Problem {
        Problem::from(redb::Error::from(error))
    }
}

/// Opens the database again after a failed write.
type Reopen = Box<dyn Fn() -> Result<Database, Problem> + Send + Sync>;

/// Is told what is found, once it is kept.
type Hear = Box<dyn Fn(&Finding) + Send + Sync>;

/// A person's games and all that belongs to them.
pub struct Library {
    /// The file, for messages.
    file: PathBuf,
    /// `None` after a write failed: the next use opens it again.
    database: RwLock<Option<Database>>,
    reopen: Reopen,
    /// When everything last reached the disk.
    synced: Mutex<Instant>,
    pub(super) hear: Option<Hear>,
}

impl Library {
    /// A library in this database, which may be empty.
    pub(super) fn of(
        file: PathBuf,
        database: Database,
        reopen: Reopen,
    ) -> Result<Library, LibraryError> {
        let library = Library {
            file,
            database: RwLock::new(Some(database)),
            reopen,
            synced: Mutex::new(Instant::now()),
            hear: None,
        };
        match library.read(|read| schema(&read))? {
            Some(SCHEMA) => {}
            Some(_) => return Err(library.failed(Problem::Newer)),
            None => library.write(begin)?,
        }
        library.tidy()?;
        Ok(library)
    }

    /// Tells what is found, once it is kept.
    pub fn tell(&mut self, hear: impl Fn(&Finding) + Send + Sync + 'static) {
        self.hear = Some(Box::new(hear));
    }

    pub(super) fn failed(&self, problem: impl Into<Problem>) -> LibraryError {
        LibraryError { file: self.file.clone(), problem: problem.into() }
    }

    /// The database, opened again if it has been closed.
    fn database(&self) -> Result<RwLockReadGuard<'_, Option<Database>>, LibraryError> {
        loop {
            let database = self.database.read().unwrap_or_else(PoisonError::into_inner);
            if database.is_some() {
                return Ok(database);
            }
            drop(database);
            let mut closed = self.database.write().unwrap_or_else(PoisonError::into_inner);
            if closed.is_none() {
                *closed = Some((self.reopen)().map_err(|error| self.failed(error))?);
            }
        }
    }

    pub(super) fn read<T>(
        &self,
        read: impl FnOnce(ReadTransaction) -> Result<T, redb::Error>,
    ) -> Result<T, LibraryError> {
        let database = self.database()?;
        let begun = database.iter().map(|database| database.begin_read()).next();
        let begun = begun.expect("it is open").map_err(redb::Error::from);
        begun.and_then(read).map_err(|error| self.failed(error))
    }

    /// Runs a transaction. When it returns, all of it is on the disk.
    pub(super) fn write<T>(
        &self,
        write: impl FnOnce(&WriteTransaction) -> Result<T, redb::Error>,
    ) -> Result<T, LibraryError> {
        self.run(write, Durability::Immediate)
    }

    /// Runs a transaction of what can be found again. It reaches the disk with a later one, and after a few
    /// seconds at the latest.
    pub(super) fn write_soon<T>(
        &self,
        write: impl FnOnce(&WriteTransaction) -> Result<T, redb::Error>,
    ) -> Result<T, LibraryError> {
        let synced = *self.synced.lock().unwrap_or_else(PoisonError::into_inner);
        let is_time = synced.elapsed() >= BETWEEN_SYNCS;
        self.run(write, if is_time { Durability::Immediate } else { Durability::None })
    }

    fn run<T>(
        &self,
        write: impl FnOnce(&WriteTransaction) -> Result<T, redb::Error>,
        durability: Durability,
    ) -> Result<T, LibraryError> {
        let database = self.database()?;
        let run = |database: &Database| -> Result<T, redb::Error> {
            let mut transaction = database.begin_write()?;
            transaction.set_durability(durability)?;
            let done = write(&transaction)?;
            transaction.commit()?;
            Ok(done)
        };
        let done = run(database.as_ref().expect("it is open")).map_err(Problem::from);
        drop(database);
        match done {
            Ok(done) => {
                if let Durability::Immediate = durability {
                    *self.synced.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
                }
                Ok(done)
            }
            Err(problem) => {
                // After a failed write, such as on a full disk, redb writes nothing until it is opened again.
                if let Problem::Io(_) = problem {
                    *self.database.write().unwrap_or_else(PoisonError::into_inner) = None;
                }
                Err(self.failed(problem))
            }
        }
    }

    pub(super) fn parse<T: DeserializeOwned>(&self, bytes: &[u8]) -> Result<T, LibraryError> {
        serde_json::from_slice(bytes)
            .map_err(|error| self.failed(Problem::Damaged(error.to_string())))
    }
}

pub(super) fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("text, numbers and lists are JSON")
}
