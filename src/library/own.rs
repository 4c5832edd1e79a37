//! What a person adds to games: tags, lines and comments of one's own. And the state of the board.

use std::collections::BTreeMap;

use redb::ReadableTable;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::file::{Library, LibraryError, json};
use super::tables::{BOARD, META, MIGRATED, OWN, TAGS, has_game};

/// The one entry of its table.
const STATE: &str = "state";

impl Library {
    /// Gives games a tag, or takes it from them.
    pub fn tag(&self, ids: &[u64], tag: &str, is_on: bool) -> Result<(), LibraryError> {
        self.write(|write| {
            for &id in ids {
                if !is_on {
                    write.open_table(TAGS)?.remove((id, tag))?;
                } else if has_game(write, id)? {
                    write.open_table(TAGS)?.insert((id, tag), ())?;
                }
            }
            Ok(())
        })
    }

    /// The tags of each game that has some.
    pub fn tags(&self) -> Result<BTreeMap<u64, Vec<String>>, LibraryError> {
        self.read(|read| {
            let mut tags = BTreeMap::<u64, Vec<String>>::new();
            for entry in read.open_table(TAGS)?.iter()? {
                let entry = entry?;
                let (id, tag) = entry.0.value();
                tags.entry(id).or_default().push(tag.to_string());
            }
            Ok(tags)
        })
    }

    /// The person's own lines and comments in a game, as the page writes them.
    pub fn own(&self, id: u64) -> Result<Option<Value>, LibraryError> {
        let bytes = self.read(|read| {
            let own = read.open_table(OWN)?;
            Ok(own.get(id)?.map(|own| own.value().to_vec()))
        })?;
        bytes.map(|bytes| self.parse(&bytes)).transpose()
    }

    pub fn keep_own(&self, id: u64, own: &Value) -> Result<(), LibraryError> {
        self.write(|write| {
            if own.is_null() {
                write.open_table(OWN)?.remove(id)?;
            } else if has_game(write, id)? {
                write.open_table(OWN)?.insert(id, &*json(own))?;
            }
            Ok(())
        })
    }

    /// The state of the board, unless another version wrote it in another form.
    pub fn board<T: DeserializeOwned>(&self) -> Result<Option<T>, LibraryError> {
        let bytes = self.read(|read| {
            let board = read.open_table(BOARD)?;
            Ok(board.get(STATE)?.map(|state| state.value().to_vec()))
        })?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    pub fn keep_board(&self, state: &impl Serialize) -> Result<(), LibraryError> {
        self.write(|write| {
            write.open_table(BOARD)?.insert(STATE, &*json(state))?;
            Ok(())
        })
    }

    /// Whether the files of earlier versions were read in.
    pub fn is_migrated(&self) -> Result<bool, LibraryError> {
        self.read(|read| Ok(read.open_table(META)?.get(MIGRATED)?.is_some()))
    }

    pub fn set_migrated(&self) -> Result<(), LibraryError> {
        self.write(|write| Ok(write.open_table(META)?.insert(MIGRATED, 1).map(drop)?))
    }
}
