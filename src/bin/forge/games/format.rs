//! What a file of games looks like.
//!
//! It begins with 16 bytes: `ZEBUGAME`, the version of the format and a zero, four bytes each. Games
//! follow back to back, in version 1 as [`plain`] describes and in version 2 as [`compact`] does. All
//! numbers are little endian.

use std::path::{Path, PathBuf};

use super::record::GameRecord;
use super::{compact, plain};
use crate::files::FileError;

pub const FILE_HEAD: usize = 16;
const MAGIC: [u8; 8] = *b"ZEBUGAME";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    Plain = 1,
    Compact = 2,
}

#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{} is not a file of games", .0.display())]
    Foreign(PathBuf),
    #[error("{}: version {found} of the format is unknown; this program knows 1 and 2", .path.display())]
    Version { path: PathBuf, found: u32 },
    #[error("{} is there already", .0.display())]
    Exists(PathBuf),
    #[error("{}: another program is writing to it", .0.display())]
    Busy(PathBuf),
    #[error("a game of {0} plies is too long, or has an illegal move")]
    NotEncodable(usize),
}

impl Version {
    /// The head of a file.
    pub fn file_head(self) -> [u8; FILE_HEAD] {
        let mut head = [0; FILE_HEAD];
        head[..8].copy_from_slice(&MAGIC);
        head[8..12].copy_from_slice(&(self as u32).to_le_bytes());
        head
    }

    /// From the head of a file.
    pub fn read(head: &[u8], path: &Path) -> Result<Version, GamesError> {
        let head: Option<&[u8; FILE_HEAD]> = head.first_chunk();
        let head = head.filter(|head| head.starts_with(&MAGIC));
        let head = head.ok_or_else(|| GamesError::Foreign(path.to_owned()))?;
        match u32::from_le_bytes([head[8], head[9], head[10], head[11]]) {
            1 => Ok(Version::Plain),
            2 => Ok(Version::Compact),
            found => Err(GamesError::Version { path: path.to_owned(), found }),
        }
    }

    /// Bytes that tell the length of a game.
    pub fn game_head(self) -> usize {
        match self {
            Version::Plain => plain::HEAD,
            Version::Compact => compact::HEAD,
        }
    }

    /// The length of the game that begins here; `None` if none does.
    pub fn game_length(self, bytes: &[u8]) -> Option<usize> {
        match self {
            Version::Plain => plain::length(bytes.first_chunk()?),
            Version::Compact => compact::length(bytes.first_chunk()?),
        }
    }

    pub fn encode(self, game: &GameRecord) -> Result<Vec<u8>, GamesError> {
        let bytes = match self {
            Version::Plain => plain::encode(game),
            Version::Compact => compact::encode(game),
        };
        bytes.ok_or(GamesError::NotEncodable(game.plies.len()))
    }

    /// The game in these bytes, if they are whole and its moves legal.
    pub fn decode(self, bytes: &[u8]) -> Option<GameRecord> {
        match self {
            Version::Plain => plain::decode(bytes),
            Version::Compact => compact::decode(bytes),
        }
    }
}
