//! The state that survives a restart of the server, in the configuration folder: its key, the settings, the
//! current game, the finished games, and the list of games.
//!
//! The loop that runs the clocks does not wait for the disk. It writes `board.next`, which survives any end of
//! the program. A thread then turns it into `board.json`, which also survives a power cut. Of the two, the one
//! with more saves counts.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::{Builder, JoinHandle};

use crossbeam_channel::{Sender, bounded};
use log::warn;
use rand::RngExt;
use rand::distr::Alphanumeric;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::messages::{Match, Settings};
use super::server::MOST_BYTES;
use engine::system::files;

/// Letters and digits of a key: 190 bits.
const KEY_LENGTH: usize = 32;

const GAMES: &str = "games.pgn";
const LIST: &str = "games.list";

/// The size limit of the list of games.
const MOST_LIST: u64 = 4 << 30;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedState {
    key: String,
    pub settings: Settings,
    pub terms: Match,
    pub pgn: String,
    /// How the game ended.
    pub over: Option<String>,
    /// The number of the game in the list of games, once it is there.
    pub number: Option<usize>,
    /// The byte range of the game in the file of finished games.
    place: Option<(u64, u64)>,
    /// The number of saves so far.
    saves: u64,
    /// `None`: there is no folder, or another server uses it. Nothing is saved.
    #[serde(skip)]
    folder: Option<Folder>,
}

/// The locked folder, and the thread that writes to its disk.
struct Folder {
    path: PathBuf,
    _lock: File,
    saver: Option<(Sender<()>, JoinHandle<()>)>,
}

/// The last save is on the disk when this is dropped.
impl Drop for Folder {
    fn drop(&mut self) {
        if let Some((wake, saver)) = self.saver.take() {
            drop(wake);
            saver.join().ok();
        }
    }
}

impl SavedState {
    /// Loads the state of an earlier server from a folder, with a message if something is wrong there. A new
    /// key is saved at once: the address stays, whatever happens next.
    pub fn load(folder: Option<PathBuf>) -> (SavedState, Option<String>) {
        let locked = folder.map(lock);
        let (mut kept, mut problem) = match locked {
            None => (SavedState::default(), None),
            Some(Err(problem)) => (SavedState::default(), Some(problem)),
            Some(Ok(folder)) => {
                let file = folder.path.join("board.json");
                let (mut kept, mut problem) = read(&file);
                // A power cut may have left it incomplete.
                let (next, _) = read(&folder.path.join("board.next"));
                if next.saves > kept.saves {
                    (kept, problem) = (next, None);
                }
                if let Some(problem) = &mut problem {
                    *problem += &keep_beside(&file);
                }
                kept.folder = Some(folder);
                (kept, problem)
            }
        };
        if kept.key.len() != KEY_LENGTH || !kept.key.bytes().all(|it| it.is_ascii_alphanumeric()) {
            kept.key = new_key();
            if let Err(error) = kept.save() {
                problem.get_or_insert(format!("the board's address could not be kept: {error}"));
            }
        }
        (kept, problem)
    }

    pub fn key(&self) -> &str {
        &self.key
    }

    /// The file of finished games.
    pub fn games(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.path.join(GAMES))
    }

    /// The lines of the list of games.
    pub fn list(&self) -> io::Result<String> {
        let Some(folder) = &self.folder else { return Ok(String::new()) };
        match files::read_text(&folder.path.join(LIST), MOST_LIST) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            lines => lines,
        }
    }

    pub fn add_to_list(&self, lines: &str) -> io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        files::append(&folder.path.join(LIST))?.write_all(lines.as_bytes())
    }

    /// Replaces the list of games by these lines.
    pub fn replace_list(&self, lines: &str) -> io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        files::replace(&folder.path.join(LIST), lines.as_bytes())
    }

    pub fn save(&mut self) -> io::Result<()> {
        self.saves += 1;
        let Some(folder) = &self.folder else { return Ok(()) };
        let text = serde_json::to_string(self)?;
        files::replace_soon(&folder.path.join("board.next"), text.as_bytes())?;
        match &folder.saver {
            Some((wake, _)) => {
                // If the thread was woken already, it copies this save too.
                wake.try_send(()).ok();
                Ok(())
            }
            None => copy_to_disk(&folder.path),
        }
    }

    /// Stores a finished game. If it went on after an earlier end, it replaces the earlier version.
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

    /// Whether the game went on after an earlier end.
    pub fn has_game(&self) -> bool {
        self.place.is_some()
    }

    /// Forgets the place of the last game, since another one begins.
    pub fn forget_game(&mut self) {
        self.place = None;
        self.number = None;
    }
}

pub fn new_key() -> String {
    rand::rng().sample_iter(Alphanumeric).take(KEY_LENGTH).map(char::from).collect()
}

/// Reads the state file of an earlier server, with a message if something is wrong. Of a file of another
/// version, it takes the fields that it knows.
fn read(file: &Path) -> (SavedState, Option<String>) {
    let anew = |error: &dyn std::fmt::Display| {
        let problem = format!("{}: {error}; the board begins anew", file.display());
        (SavedState::default(), Some(problem))
    };
    let text = match files::read_text(file, MOST_BYTES as u64) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return (SavedState::default(), None);
        }
        Err(error) => return anew(&error),
    };
    let found: Value = match serde_json::from_str(&text) {
        Ok(found @ Value::Object(_)) => found,
        Ok(_) => return anew(&"it is no object"),
        Err(error) => return anew(&error),
    };
    let mut problem = None;
    let kept = SavedState {
        key: part(&found, "key", &mut problem),
        settings: part(&found, "settings", &mut problem),
        terms: part(&found, "terms", &mut problem),
        pgn: part(&found, "pgn", &mut problem),
        over: part(&found, "over", &mut problem),
        number: part(&found, "number", &mut problem),
        place: part(&found, "place", &mut problem),
        saves: part(&found, "saves", &mut problem),
        folder: None,
    };
    let known = serde_json::to_value(&kept).unwrap_or_default();
    let fields = found.as_object().into_iter().flat_map(|found| found.keys());
    let unknown = fields.filter(|field| known.get(field).is_none());
    unknown.for_each(|field| problem = Some(format!("unknown field '{field}'")));
    (kept, problem.map(|problem| format!("{}: {problem}; the rest is read", file.display())))
}

/// A field, if it is present and valid.
fn part<T: DeserializeOwned + Default>(
    found: &Value,
    name: &str,
    problem: &mut Option<String>,
) -> T {
    let value = found.get(name).cloned().map(serde_json::from_value);
    value
        .transpose()
        .map_err(|error| *problem = Some(format!("{name}: {error}")))
        .ok()
        .flatten()
        .unwrap_or_default()
}

/// Copies a file that cannot be read completely to another name, and returns a message.
fn keep_beside(file: &Path) -> String {
    let names = (1..1000).map(|number| file.with_extension(format!("json.{number}")));
    let copied =
        names.into_iter().find(|name| !name.exists()).map(|name| (fs::copy(file, &name), name));
    match copied {
        Some((Ok(_), name)) => format!(". It is kept as {}", name.display()),
        _ => String::new(),
    }
}

/// Creates the folder for its owner alone, and locks it until the program ends.
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
            tidy(&path).map_err(wrong)?;
            let saver = saver(path.clone()).ok();
            Ok(Folder { path, _lock: lock, saver })
        }
        Err(_) => Err(format!("another board has {}: this one keeps nothing", path.display())),
    }
}

/// Makes files private to their owner, and removes incomplete ones of a killed program.
fn tidy(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    let close = |path: &Path, mode| {
        fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))
    };
    #[cfg(unix)]
    close(folder, 0o700)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let is_part = |name: &str| {
            name.rsplit_once(".part")
                .is_some_and(|(_, end)| end.bytes().all(|it| it.is_ascii_digit()))
        };
        if !entry.file_type()?.is_file() {
            continue;
        }
        if entry.file_name().to_str().is_some_and(is_part) {
            fs::remove_file(path)?;
            continue;
        }
        #[cfg(unix)]
        close(&path, 0o600)?;
    }
    Ok(())
}

/// Starts a thread that copies the last save to the disk each time it is woken.
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
    // The finished game must be on the disk before the state that refers to it.
    match File::open(folder.join(GAMES)) {
        Ok(games) => games.sync_all()?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let text = files::read(&folder.join("board.next"), MOST_BYTES as u64)?;
    files::replace(&folder.join("board.json"), &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(folder: &Path) -> SavedState {
        let (kept, problem) = SavedState::load(Some(folder.to_owned()));
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
        // A power cut leaves an older save or a part of one.
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
