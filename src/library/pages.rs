//! A library in memory, whose changed blocks are handed over at each sync: in a web page the browser keeps them.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redb::{Database, StorageBackend};

use super::file::{Library, LibraryError, Problem};

/// The size of a block in bytes.
pub const BLOCK: usize = 16 << 10;

/// Takes the length of the file and its changed blocks, each with its number. All of them belong together.
pub type Keep = Box<dyn Fn(usize, &[(usize, &[u8])]) + Send + Sync>;

/// A file in memory.
pub struct Pages {
    file: Mutex<MemoryFile>,
    keep: Keep,
}

#[derive(Default)]
struct MemoryFile {
    bytes: Vec<u8>,
    /// The numbers of the blocks that changed since the last sync.
    changed: BTreeSet<usize>,
}

impl Pages {
    pub fn new(bytes: Vec<u8>, keep: Keep) -> Arc<Pages> {
        let file = MemoryFile { bytes, changed: BTreeSet::new() };
        Arc::new(Pages { file: Mutex::new(file), keep })
    }

    fn file(&self) -> MutexGuard<'_, MemoryFile> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All of the file.
    pub fn bytes(&self) -> Vec<u8> {
        self.file().bytes.clone()
    }
}

impl Library {
    /// A library in memory that nobody keeps.
    pub fn in_memory() -> Result<Library, LibraryError> {
        Library::of_pages(&Pages::new(Vec::new(), Box::new(|_, _| ())))
    }

    /// The library in these pages, begun if they are empty.
    pub fn of_pages(pages: &Arc<Pages>) -> Result<Library, LibraryError> {
        let file = PathBuf::from("the library in memory");
        let backend = Backend(Arc::clone(pages));
        let mut builder = Database::builder();
        builder.set_check_integrity_on_open(!pages.file().bytes.is_empty());
        match builder.create_with_backend(backend) {
            Ok(database) => Library::of(file, database, Box::new(|| Err(lost()))),
            Err(error) => Err(LibraryError { file, problem: error.into() }),
        }
    }
}

/// Memory does not fail, so it is never opened again.
fn lost() -> Problem {
    Problem::Io(io::Error::other("it is lost"))
}

struct Backend(Arc<Pages>);

impl fmt::Debug for Backend {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("pages")
    }
}

impl StorageBackend for Backend {
    fn len(&self) -> Result<u64, io::Error> {
        Ok(self.0.file().bytes.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> Result<(), io::Error> {
        let file = self.0.file();
        let from = offset as usize;
        let found = file.bytes.get(from..from + out.len());
        out.copy_from_slice(found.ok_or(io::Error::from(io::ErrorKind::UnexpectedEof))?);
        Ok(())
    }

    fn set_len(&self, len: u64) -> Result<(), io::Error> {
        let mut file = self.0.file();
        let before = file.bytes.len().min(len as usize);
        file.bytes.resize(len as usize, 0);
        // The block at the end is shorter or longer now, and those behind it are new.
        file.changed.extend(before / BLOCK..(len as usize).div_ceil(BLOCK));
        Ok(())
    }

    fn sync_data(&self) -> Result<(), io::Error> {
        let mut file = self.0.file();
        let changed = std::mem::take(&mut file.changed);
        let len = file.bytes.len();
        let blocks = changed.into_iter().filter(|number| number * BLOCK < len);
        let block =
            |number: usize| (number, &file.bytes[number * BLOCK..len.min((number + 1) * BLOCK)]);
        let blocks: Vec<(usize, &[u8])> = blocks.map(block).collect();
        if !blocks.is_empty() {
            (self.0.keep)(len, &blocks);
        }
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> Result<(), io::Error> {
        let mut file = self.0.file();
        let (from, to) = (offset as usize, offset as usize + data.len());
        let place = file.bytes.get_mut(from..to);
        place.ok_or(io::Error::from(io::ErrorKind::UnexpectedEof))?.copy_from_slice(data);
        file.changed.extend(from / BLOCK..to.div_ceil(BLOCK));
        Ok(())
    }
}
