//! What outlives the server: its key, the settings and the game in hand, in the configuration folder; and
//! beside them the games that are over.
//!
//! The loop that runs the clocks does not wait for the disk. It writes `board.next`, which outlives the
//! program however it ends, and a thread makes `board.json` of that, which outlives a power cut too. Of the
//! two the one with more saves counts.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::{Builder, JoinHandle};

use crossbeam_channel::{Sender, bounded};
use log::warn;
use rand::RngExt;
use rand::distr::Alphanumeric;
use serde::{Deserialize, Serialize};

use super::messages::{Match, Settings};
use super::server::MOST_BYTES;
use crate::files;

/// Letters and digits of a key: 190 bits.
const KEY_LENGTH: usize = 32;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    key: String,
    pub settings: Settings,
    pub terms: Match,
    pub pgn: String,
    /// How the game ended.
    pub over: Option<String>,
    /// Where it then begins and ends in the file of games.
    place: Option<(u64, u64)>,
    /// How often this was saved.
    saves: u64,
    /// Nothing is kept without a folder, or while another server has it.
    #[serde(skip)]
    folder: Option<Folder>,
}

/// A folder that is locked, and the thread that waits for its disk.
struct Folder {
    path: PathBuf,
    _lock: File,
    saver: Option<(Sender<()>, JoinHandle<()>)>,
}

/// What was written last is on the disk when this is dropped.
impl Drop for Folder {
    fn drop(&mut self) {
        if let Some((wake, saver)) = self.saver.take() {
            drop(wake);
            saver.join().ok();
        }
    }
}

impl Kept {
    /// What an earlier server left in a folder, and what is wrong there.
    pub fn load(folder: Option<PathBuf>) -> (Kept, Option<String>) {
        let locked = folder.map(lock);
        let (mut kept, problem) = match locked {
            None => (Kept::default(), None),
            Some(Err(problem)) => (Kept::default(), Some(problem)),
            Some(Ok(folder)) => {
                let (mut kept, mut problem) = match read(&folder.path.join("board.json")) {
                    Ok(kept) => (kept, None),
                    Err(problem) => (Kept::default(), Some(problem)),
                };
                // A power cut may have torn it.
                if let Ok(next) = read(&folder.path.join("board.next"))
                    && next.saves > kept.saves
                {
                    (kept, problem) = (next, None);
                }
                kept.folder = Some(folder);
                (kept, problem)
            }
        };
        if kept.key.len() != KEY_LENGTH {
            let letters = rand::rng().sample_iter(Alphanumeric).take(KEY_LENGTH);
            kept.key = letters.map(char::from).collect();
        }
        (kept, problem)
    }

    pub fn key(&self) -> &str {
        &self.key
    }

    /// The file of the games that are over.
    pub fn games(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.path.join("games.pgn"))
    }

    pub fn save(&mut self) -> io::Result<()> {
        self.saves += 1;
        let Some(folder) = &self.folder else { return Ok(()) };
        let text = serde_json::to_string(self)?;
        files::replace_soon(&folder.path.join("board.next"), text.as_bytes())?;
        match &folder.saver {
            Some((wake, _)) => {
                // If it was woken already, it takes what is written now.
                wake.try_send(()).ok();
                Ok(())
            }
            None => copy_to_disk(&folder.path),
        }
    }

    /// Keeps a game that is over, once, though it goes on and ends again.
    pub fn add_game(&mut self, pgn: &str) -> io::Result<()> {
        let Some(file) = self.games() else { return Ok(()) };
        let mut file = files::append(&file)?;
        let end = file.metadata()?.len();
        let begin = self.place.filter(|place| place.1 == end).map_or(end, |place| place.0);
        file.set_len(begin)?;
        file.write_all(pgn.as_bytes())?;
        self.place = Some((begin, begin + pgn.len() as u64));
        Ok(())
    }

    /// Whether the game was over before, and went on.
    pub fn has_game(&self) -> bool {
        self.place.is_some()
    }

    /// Another game begins.
    pub fn forget_game(&mut self) {
        self.place = None;
    }
}

/// What a file says that an earlier server left, if there is one.
fn read(file: &Path) -> Result<Kept, String> {
    let wrong = |error: io::Error| format!("{}: {error}; the board begins anew", file.display());
    match files::read_text(file, MOST_BYTES as u64) {
        Ok(text) => serde_json::from_str(&text).map_err(|error| wrong(error.into())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Kept::default()),
        Err(error) => Err(wrong(error)),
    }
}

/// Makes the folder, for its owner alone, and takes it until this program ends.
fn lock(path: PathBuf) -> Result<Folder, String> {
    let wrong = |error: io::Error| format!("{}: nothing is kept there: {error}", path.display());
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(&path).map_err(wrong)?;
    let lock = File::create(path.join("lock")).map_err(wrong)?;
    match lock.try_lock() {
        Ok(()) => {
            let saver = saver(path.clone()).ok();
            Ok(Folder { path, _lock: lock, saver })
        }
        Err(_) => Err(format!("another board has {}: this one keeps nothing", path.display())),
    }
}

/// A thread that copies what was saved to the disk each time it is woken.
fn saver(folder: PathBuf) -> io::Result<(Sender<()>, JoinHandle<()>)> {
    let (wake, woken) = bounded(1);
    let copy = move || {
        for () in woken {
            if let Err(error) = copy_to_disk(&folder) {
                warn!("{}: {error}", folder.display());
            }
        }
    };
    Ok((wake, Builder::new().name("saver".to_string()).spawn(copy)?))
}

fn copy_to_disk(folder: &Path) -> io::Result<()> {
    let text = files::read(&folder.join("board.next"), MOST_BYTES as u64)?;
    files::replace(&folder.join("board.json"), &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(folder: &Path) -> Kept {
        let (kept, problem) = Kept::load(Some(folder.to_owned()));
        assert_eq!(problem, None);
        kept
    }

    #[test]
    fn the_newer_file_counts_and_a_torn_one_does_not() {
        let folder = std::env::temp_dir().join(format!("zebu-kept-{}", std::process::id()));
        let save = |pgn: &str| {
            let mut kept = load(&folder);
            kept.pgn = pgn.to_string();
            kept.save().expect("it is saved");
        };
        let next = folder.join("board.next");
        save("1. e4 *");
        let first = fs::read(&next).expect("the first save");
        save("1. d4 *");
        assert_eq!(load(&folder).pgn, "1. d4 *");
        let last = fs::read(&next).expect("the last save");
        assert_eq!(fs::read(folder.join("board.json")).expect("its copy"), last);
        // A power cut leaves an older one, or a part.
        for old in [&first[..], &last[..20], b""] {
            fs::write(&next, old).expect("it is written");
            assert_eq!(load(&folder).pgn, "1. d4 *");
        }
        // A kill came before the copy.
        fs::write(&next, &last).expect("it is written");
        fs::write(folder.join("board.json"), &first).expect("it is written");
        assert_eq!(load(&folder).pgn, "1. d4 *");
        fs::remove_dir_all(folder).ok();
    }
}
