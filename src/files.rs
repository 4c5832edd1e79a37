//! Files that people name. Only regular ones are read: a device or a pipe may never end, or keep who
//! opens it waiting.

use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// Larger files are none that an engine reads as a whole.
const MOST_BYTES: u64 = 1 << 30;

/// Opens a file to be read.
pub fn open(path: &Path) -> io::Result<File> {
    check(&fs::metadata(path)?)?;
    File::open(path)
}

/// All that is in a file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!("it has more than {} MB", MOST_BYTES >> 20)));
    }
    Ok(bytes)
}

/// All of a file of text.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| io::Error::other("it is not text in UTF-8"))
}

/// A line that is longer than this has no end.
const LONGEST_LINE: u64 = 16 << 20;

/// The next line with its end, of which bytes beyond the most are left out, and how many bytes it has.
/// `None` at the end. A line without an end is an error.
pub fn bounded_line(input: &mut impl BufRead, most: usize) -> io::Result<Option<(Vec<u8>, u64)>> {
    let mut line = Vec::new();
    let mut read = 0;
    loop {
        let bytes = input.fill_buf()?;
        let end = bytes.iter().position(|&byte| byte == b'\n').map(|at| at + 1);
        let part = &bytes[..end.unwrap_or(bytes.len())];
        line.extend(part.iter().take(most.saturating_sub(line.len())));
        let length = part.len();
        read += length as u64;
        input.consume(length);
        if end.is_some() || length == 0 {
            return Ok((read > 0).then_some((line, read)));
        }
        if read > LONGEST_LINE {
            return Err(io::Error::other("a line of more than 16 megabytes"));
        }
    }
}

/// Opens a file to be written at its end, a new one if there is none.
pub fn append(path: &Path) -> io::Result<File> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        found => check(&found?)?,
    }
    OpenOptions::new().create(true).append(true).open(path)
}

/// Replaces a file, or makes it, once all bytes are on the disk under another name.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().inspect_err(|_| {
        fs::remove_file(&new).ok();
    })
}

/// From now on a write beyond the limit of a file's size fails, as on a full disk, and no longer ends
/// the program.
pub fn survive_size_limits() {
    #[cfg(unix)]
    // SAFETY: an ignored signal runs nothing.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN)
    };
}

/// Whether nobody reads any more what could not be written. Windows has several errors for it.
pub fn has_no_reader(error: &io::Error) -> bool {
    const PIPE_NOT_CONNECTED: i32 = 233;
    error.kind() == ErrorKind::BrokenPipe
        || cfg!(windows) && error.raw_os_error() == Some(PIPE_NOT_CONNECTED)
}

fn check(found: &fs::Metadata) -> io::Result<()> {
    if found.is_file() { Ok(()) } else { Err(io::Error::other("it is not a file")) }
}

/// A path with `~` for the user's folder.
pub fn at_home(path: &str) -> String {
    let home = || env::var("HOME").or_else(|_| env::var("USERPROFILE")).ok();
    match path.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(['/', '\\'])) {
        Some(rest) => home().map_or_else(|| path.to_string(), |home| home + rest),
        None => path.to_string(),
    }
}
