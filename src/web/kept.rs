//! What outlives the server: its key, the settings and the game in hand, in one file of the configuration
//! folder; and beside it the games that are over.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
    /// Nothing is kept without a folder, or while another server has it.
    #[serde(skip)]
    folder: Option<(PathBuf, File)>,
}

impl Kept {
    /// What an earlier server left in a folder, and what is wrong there.
    pub fn load(folder: Option<PathBuf>) -> (Kept, Option<String>) {
        let locked = folder.map(|folder| lock(&folder).map(|file| (folder, file)));
        let (mut kept, problem) = match locked {
            None => (Kept::default(), None),
            Some(Err(problem)) => (Kept::default(), Some(problem)),
            Some(Ok(place)) => {
                let (mut kept, problem) = match read(&place.0.join("board.json")) {
                    Ok(kept) => (kept, None),
                    Err(problem) => (Kept::default(), Some(problem)),
                };
                kept.folder = Some(place);
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
        self.folder.as_ref().map(|(folder, _)| folder.join("games.pgn"))
    }

    pub fn save(&self) -> io::Result<()> {
        let Some((folder, _)) = &self.folder else { return Ok(()) };
        files::replace(&folder.join("board.json"), serde_json::to_string(self)?.as_bytes())
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
fn lock(folder: &Path) -> Result<File, String> {
    let wrong = |error: io::Error| format!("{}: nothing is kept there: {error}", folder.display());
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(wrong)?;
    let file = File::create(folder.join("lock")).map_err(wrong)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => Err(format!("another board has {}: this one keeps nothing", folder.display())),
    }
}
