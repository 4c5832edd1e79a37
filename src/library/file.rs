//! The file: opening, transactions, and what is wrong with it.
//!
//! It is a redb database. Compared with SQLite (rusqlite, bundled) it needs no C compiler for any target,
//! builds in a third of the time, and adds half as much to the program. Above all it checksums every page: of
//! 300 damaged copies it noticed each one that mattered, where SQLite's quick check let 141 pass with wrong
//! contents. Both keep what was committed through a kill. What redb does not have is a query language; the
//! heads of 50,000 games are read and sorted faster than one notices.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use log::warn;
use redb::{
    Database, DatabaseError, Durability, ReadTransaction, ReadableDatabase, WriteTransaction,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::tables::{SCHEMA, begin, schema};

/// The size of the database's caches.
const CACHE: usize = 64 << 20;

/// The least age of the copy that another one replaces.
const COPY_AGE: Duration = Duration::from_secs(24 * 3600);

/// What can be found again reaches the disk this often.
const BETWEEN_SYNCS: Duration = Duration::from_secs(5);

#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", .file.display())]
pub struct LibraryError {
    file: PathBuf,
    problem: Problem,
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

/// A person's games and all that belongs to them.
pub struct Library {
    file: PathBuf,
    /// `None` after a write failed: the next use opens it again.
    database: RwLock<Option<Database>>,
    /// When everything last reached the disk.
    synced: Mutex<Instant>,
}

impl Library {
    /// Opens a library or creates one. The whole file is checked.
    pub fn open(file: &Path) -> Result<Library, LibraryError> {
        let failed = |problem| LibraryError { file: file.to_owned(), problem };
        let database = open_or_create(file).map_err(|problem| failed(or_copy(problem, file)))?;
        let library = Library {
            file: file.to_owned(),
            database: RwLock::new(Some(database)),
            synced: Mutex::new(Instant::now()),
        };
        match library.read(|read| schema(&read)) {
            Ok(Some(SCHEMA)) => Ok(library),
            Ok(Some(_)) => Err(failed(Problem::Newer)),
            Ok(None) => library.write(begin).map(|()| library),
            Err(error) => Err(error),
        }
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
                *closed = Some(checked(&self.file).map_err(|error| self.failed(error))?);
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

/// Opens the file, and copies it once a day.
fn open_or_create(file: &Path) -> Result<Database, Problem> {
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.map_or(Ok(()), fs::create_dir_all).map_err(Problem::Io)?;
    // Opening a pipe would block.
    if fs::metadata(file).is_ok_and(|found| !found.is_file()) {
        return Err(Problem::Foreign);
    }
    if is_unbegun(file) {
        create(file)?;
        return checked(file);
    }
    let database = checked(file)?;
    if !needs_copy(file) {
        return Ok(database);
    }
    // On some systems nobody else may read an open database, not even its program.
    drop(database);
    if let Err(error) = copy(file) {
        warn!("{}: no copy was made: {error}", file.display());
    }
    Ok(builder().open(file)?)
}

fn builder() -> redb::Builder {
    let mut builder = Database::builder();
    builder.set_cache_size(CACHE);
    builder
}

/// Opens a file and checks all of it.
fn checked(file: &Path) -> Result<Database, Problem> {
    Ok(builder().set_check_integrity_on_open(true).open(file)?)
}

/// Whether there is no file, or one that an earlier version had only begun when it was killed: without a first
/// word, and empty behind the header. A library whose beginning was lost has more behind it.
fn is_unbegun(file: &Path) -> bool {
    const FIRST_WORD: usize = 9;
    const HEADER: usize = 512;
    match File::open(file) {
        Err(error) => error.kind() == io::ErrorKind::NotFound,
        Ok(file) => {
            let mut bytes = BufReader::new(file).bytes().enumerate();
            bytes.all(|(at, byte)| {
                byte.is_ok_and(|byte| byte == 0 || (FIRST_WORD..HEADER).contains(&at))
            })
        }
    }
}

/// Creates a library under another name and renames it, so that a file of its own name is always whole.
fn create(file: &Path) -> Result<(), Problem> {
    let new = with_ending(file, ".new");
    if new.exists() {
        // A start that was killed left it, unless another program is just creating it.
        if let Err(DatabaseError::DatabaseAlreadyOpen) = builder().open(&new) {
            return Err(Problem::Locked);
        }
        fs::remove_file(&new).map_err(Problem::Io)?;
    }
    let begun = || -> Result<(), Problem> {
        let database = builder().create(&new)?;
        let transaction = database.begin_write().map_err(redb::Error::from)?;
        begin(&transaction)?;
        transaction.commit().map_err(redb::Error::from)?;
        drop(database);
        fs::rename(&new, file).map_err(Problem::Io)
    };
    begun().inspect_err(|_| {
        fs::remove_file(&new).ok();
    })
}

fn with_ending(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn copy_name(file: &Path) -> PathBuf {
    with_ending(file, ".copy")
}

/// The age of the copy, if there is one.
fn copy_age(file: &Path) -> Option<Duration> {
    let copied = fs::metadata(copy_name(file)).and_then(|copy| copy.modified()).ok()?;
    Some(copied.elapsed().unwrap_or_default())
}

fn needs_copy(file: &Path) -> bool {
    copy_age(file).is_none_or(|age| age >= COPY_AGE)
}

/// Copies a library that was found to be whole. The earlier copy stays until the new one is on the disk.
fn copy(file: &Path) -> io::Result<()> {
    let (part, copy) = (with_ending(file, ".copy.part"), copy_name(file));
    let copied = fs::copy(file, &part)
        .and_then(|_| File::options().write(true).open(&part)?.sync_all())
        .and_then(|()| fs::rename(&part, copy));
    copied.inspect_err(|_| {
        fs::remove_file(&part).ok();
    })
}

/// Adds to what is wrong with a file that there is a copy.
fn or_copy(problem: Problem, file: &Path) -> Problem {
    let Some(age) = copy_age(file) else { return problem };
    match problem {
        Problem::Damaged(_) | Problem::Foreign => {
            let days = age.as_secs() / (24 * 3600);
            let age = if days == 1 { "a day".to_string() } else { format!("{days} days") };
            let age = if days == 0 { "hours".to_string() } else { age };
            Problem::Copied { problem: Box::new(problem), copy: copy_name(file), age }
        }
        _ => problem,
    }
}
