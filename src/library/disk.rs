//! The library's file on the disk.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use log::warn;
use redb::{Database, DatabaseError};

use super::file::{Library, LibraryError, Problem};
use super::tables::begin;

/// The size of the database's caches.
const CACHE: usize = 64 << 20;

/// The least age of the copy that another one replaces.
const COPY_AGE: Duration = Duration::from_secs(24 * 3600);

impl Library {
    /// Opens a library or creates one. The whole file is checked.
    pub fn open(file: &Path) -> Result<Library, LibraryError> {
        let failed = |problem| LibraryError { file: file.to_owned(), problem };
        let database = open_or_create(file).map_err(|problem| failed(or_copy(problem, file)))?;
        let own = file.to_owned();
        Library::of(file.to_owned(), database, Box::new(move || checked(&own)))
    }
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
        close(file);
        return checked(file);
    }
    close(file);
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

/// The file is for its owner alone: it has the key of the board.
fn close(file: &Path) {
    #[cfg(unix)]
    fs::set_permissions(file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).ok();
    #[cfg(not(unix))]
    let _ = file;
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
