//! Files that users name. Only regular files are read: reading a device or a pipe may never end, and opening
//! one may block.

use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

/// Opens a file for reading.
pub fn open(path: &Path) -> io::Result<File> {
    check(&fs::metadata(path)?)?;
    File::open(path)
}

/// Reads a file of at most `most` bytes. Files without a size, such as those of the kernel, read as empty.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = open(path)?;
    if file.metadata()?.len() > 0 {
        file.take(most + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it has more than {} MB", most >> 20)));
    }
    Ok(bytes)
}

/// Reads a text file.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read(path, most)?).map_err(|_| io::Error::other("it is not text in UTF-8"))
}

/// Opens a file for appending, and creates it if necessary.
pub fn append(path: &Path) -> io::Result<File> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        found => check(&found?)?,
    }
    OpenOptions::new().create(true).append(true).open(path)
}

/// Replaces or creates a file, after all bytes have reached the disk under another name.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write(bytes)?;
    file.finish()
}

/// Replaces or creates a file without waiting for the disk. A power cut may leave it empty or torn.
pub fn replace_soon(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write(bytes)?;
    file.rename()
}

/// A file that gets its name when it is finished. Until then, an existing file of that name stays. An
/// unfinished file leaves nothing behind.
pub struct NewFile {
    path: PathBuf,
    /// The temporary name.
    part: Option<PathBuf>,
    file: File,
    length: u64,
}

impl NewFile {
    /// Fails if a file of this name could not be created or replaced.
    pub fn create(path: &Path) -> io::Result<NewFile> {
        // A link stays, and what it names is replaced.
        let path = &match fs::symlink_metadata(path) {
            Ok(there) if there.is_symlink() => fs::canonicalize(path)?,
            _ => path.to_owned(),
        };
        match fs::metadata(path) {
            Ok(there) if there.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Ok(there) if there.permissions().readonly() => {
                return Err(io::Error::other("it is there, and not to be written"));
            }
            Ok(there) => check(&there)?,
            Err(_) => {}
        }
        for number in 1.. {
            let mut part = path.as_os_str().to_owned();
            let number = if number == 1 { String::new() } else { number.to_string() };
            part.push(format!(".zebu.part{number}"));
            let part = PathBuf::from(part);
            remove_abandoned(&part);
            match File::create_new(&part) {
                // The temporary name is in use by another process.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                file => {
                    let file = file?;
                    file.try_lock().ok();
                    let (path, part) = (path.to_owned(), Some(part));
                    return Ok(NewFile { path, part, file, length: 0 });
                }
            }
        }
        unreachable!("there are more names than files")
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends all of the bytes or, on failure, none of them.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = self.file.write_all(bytes).inspect_err(|_| {
            self.file.set_len(self.length).ok();
        });
        self.length += bytes.len() as u64;
        written
    }

    /// Gives the file its name, after all bytes have reached the disk.
    pub fn finish(self) -> io::Result<()> {
        self.file.sync_all()?;
        self.rename()
    }

    fn rename(mut self) -> io::Result<()> {
        let Some(part) = &self.part else { return Ok(()) };
        fs::rename(part, &self.path)?;
        self.part = None;
        Ok(())
    }
}

/// Removes an unfinished file whose process was killed: whoever writes one holds its lock.
fn remove_abandoned(part: &Path) {
    if let Ok(file) = open(part)
        && file.try_lock().is_ok()
    {
        fs::remove_file(part).ok();
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        self.part.take().map(fs::remove_file);
    }
}

/// A file or pipe that is read by its own thread, so that nobody waits for it after a stop.
pub struct Stream {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: Vec<u8>,
    at: usize,
    read: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
}

impl Stream {
    /// Fails if the file cannot be read. Opening a pipe takes until another process writes to it.
    pub fn open(
        open: impl FnOnce() -> io::Result<Box<dyn Read>> + Send + 'static,
        stop: Arc<AtomicBool>,
    ) -> io::Result<Stream> {
        /// The number of blocks read ahead.
        const AHEAD: usize = 2;
        let (sender, blocks) = bounded(AHEAD);
        thread::Builder::new()
            .name("input".to_string())
            .spawn(move || send_blocks(open, &sender))?;
        let read = Arc::default();
        let mut stream = Stream { blocks, block: Vec::new(), at: 0, read, stop };
        stream.fill_buf()?;
        Ok(stream)
    }

    /// The number of bytes read so far.
    pub fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.read)
    }
}

fn send_blocks(
    open: impl FnOnce() -> io::Result<Box<dyn Read>>,
    blocks: &Sender<io::Result<Vec<u8>>>,
) {
    const BLOCK: usize = 1 << 16;
    let mut input = match open() {
        Ok(input) => input,
        Err(error) => return drop(blocks.send(Err(error))),
    };
    loop {
        let mut block = vec![0; BLOCK];
        let read = match input.read(&mut block) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            read => read,
        };
        let is_over = !matches!(read, Ok(1..));
        let block = read.map(|length| {
            block.truncate(length);
            block
        });
        // An empty block marks the end.
        if blocks.send(block).is_err() || is_over {
            return;
        }
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Stream {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        const STOP_CHECK: Duration = Duration::from_millis(20);
        while self.at == self.block.len() {
            if self.stop.load(Relaxed) {
                return Err(io::Error::other("it was stopped"));
            }
            match self.blocks.recv_timeout(STOP_CHECK) {
                Ok(block) => (self.block, self.at) = (block?, 0),
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => (self.block, self.at) = (Vec::new(), 0),
            }
            if self.block.is_empty() {
                break;
            }
        }
        Ok(&self.block[self.at..])
    }

    fn consume(&mut self, length: usize) {
        self.at += length;
        self.read.fetch_add(length as u64, Relaxed);
    }
}

/// Makes a write beyond the file size limit fail, as on a full disk, instead of ending the program.
pub fn survive_size_limits() {
    #[cfg(unix)]
    // SAFETY: an ignored signal runs nothing.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN)
    };
}

/// Whether a write failed because its reader is gone. Windows has several errors for that.
pub fn has_no_reader(error: &io::Error) -> bool {
    const PIPE_NOT_CONNECTED: i32 = 233;
    error.kind() == ErrorKind::BrokenPipe
        || cfg!(windows) && error.raw_os_error() == Some(PIPE_NOT_CONNECTED)
}

fn check(found: &fs::Metadata) -> io::Result<()> {
    if found.is_file() { Ok(()) } else { Err(io::Error::other("it is not a file")) }
}

/// Expands `~` at the start of a path.
pub fn at_home(path: &str) -> String {
    let home = || env::var("HOME").or_else(|_| env::var("USERPROFILE")).ok();
    match path.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(['/', '\\'])) {
        Some(rest) => home().map_or_else(|| path.to_string(), |home| home + rest),
        None => path.to_string(),
    }
}
