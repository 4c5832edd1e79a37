//! Exercises, and the person's own opening lines.

use std::ops::Range;

use redb::ReadableTable;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::file::{Library, LibraryError, json};
use super::tables::{ASKED, EXERCISES, LINES, Place};

impl Library {
    /// All of the person's own lines.
    pub fn lines<T: DeserializeOwned>(&self) -> Result<Vec<(u64, T)>, LibraryError> {
        let bytes: Vec<(u64, Vec<u8>)> = self.read(|read| {
            let lines = read.open_table(LINES)?;
            let all = lines.iter()?.map(|it| it.map(|(id, it)| (id.value(), it.value().to_vec())));
            Ok(all.collect::<Result<_, _>>()?)
        })?;
        bytes.iter().map(|(id, line)| Ok((*id, self.parse(line)?))).collect()
    }

    pub fn keep_line(&self, line: &impl Serialize) -> Result<u64, LibraryError> {
        self.write(|write| {
            let mut lines = write.open_table(LINES)?;
            let id = lines.last()?.map_or(0, |(last, _)| last.value() + 1);
            lines.insert(id, &*json(line))?;
            Ok(id)
        })
    }

    /// Deletes a line, and the exercises at these places.
    pub fn forget_line(&self, id: u64, places: Range<Place>) -> Result<(), LibraryError> {
        self.write(|write| {
            write.open_table(LINES)?.remove(id)?;
            Ok(write.open_table(EXERCISES)?.retain_in(places, |_, _| false)?)
        })
    }

    /// All exercises, by game and ply.
    pub fn exercises<T: DeserializeOwned>(&self) -> Result<Vec<(Place, T)>, LibraryError> {
        let gone = self.gone()?;
        let bytes: Vec<(Place, Vec<u8>)> = self.read(|read| {
            let table = read.open_table(EXERCISES)?;
            let all = table
                .iter()?
                .map(|entry| entry.map(|(key, value)| (key.value(), value.value().to_vec())));
            Ok(all.collect::<Result<_, _>>()?)
        })?;
        let bytes = bytes.iter().filter(|((game, _), _)| !gone.contains(game));
        bytes.map(|(key, exercise)| Ok((*key, self.parse(exercise)?))).collect()
    }

    /// The games whose exercises were made, in their order.
    pub fn asked(&self) -> Result<Vec<u64>, LibraryError> {
        self.read(|read| {
            let asked = read.open_table(ASKED)?;
            asked.iter()?.map(|entry| Ok(entry?.0.value())).collect()
        })
    }

    pub fn exercise<T: DeserializeOwned>(&self, key: Place) -> Result<Option<T>, LibraryError> {
        let bytes = self.read(|read| {
            let exercises = read.open_table(EXERCISES)?;
            Ok(exercises.get(key)?.map(|exercise| exercise.value().to_vec()))
        })?;
        bytes.map(|bytes| self.parse(&bytes)).transpose()
    }

    /// Replaces an exercise, unless it is gone.
    pub fn keep_exercise(&self, key: Place, exercise: &impl Serialize) -> Result<(), LibraryError> {
        self.write(|write| {
            let mut table = write.open_table(EXERCISES)?;
            if table.get(key)?.is_some() {
                table.insert(key, &*json(exercise))?;
            }
            Ok(())
        })
    }
}
