//! The reviews of games, and the positions of those that are not complete.

use redb::ReadableTable;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::file::{Library, LibraryError, json};
use super::tables::{FOUND, Place, REVIEWED, REVIEWS, has_game};

impl Library {
    /// The games that were reviewed with this many nodes per position.
    pub fn reviewed(&self, nodes: u64) -> Result<Vec<u64>, LibraryError> {
        self.read(|read| {
            let reviewed = read.open_table(REVIEWED)?;
            let mut ids = Vec::new();
            for entry in reviewed.iter()? {
                let (id, with) = entry?;
                ids.extend((with.value() == nodes).then_some(id.value()));
            }
            Ok(ids)
        })
    }

    /// The review of a game, if it has one.
    pub fn review<T: DeserializeOwned>(&self, id: u64) -> Result<Option<T>, LibraryError> {
        let bytes = self.read(|read| {
            let reviews = read.open_table(REVIEWS)?;
            Ok(reviews.get(id)?.map(|review| review.value().to_vec()))
        })?;
        bytes.map(|bytes| self.parse(&bytes)).transpose()
    }

    /// Stores the review of a game, unless the game is gone.
    pub fn keep_review(
        &self,
        id: u64,
        nodes: u64,
        review: &impl Serialize,
    ) -> Result<(), LibraryError> {
        self.write(|write| {
            if !has_game(write, id)? {
                return Ok(());
            }
            write.open_table(REVIEWS)?.insert(id, &*json(review))?;
            write.open_table(REVIEWED)?.insert(id, nodes)?;
            Ok(write.open_table(FOUND)?.retain_in((id, 0)..(id + 1, 0), |_, _| false)?)
        })
    }

    /// The analysis of a position in an incomplete review with this many nodes.
    pub fn found<T: DeserializeOwned>(
        &self,
        place: Place,
        nodes: u64,
    ) -> Result<Option<T>, LibraryError> {
        let bytes = self.read(|read| {
            let found = read.open_table(FOUND)?;
            let found = found.get(place)?;
            let found = found.as_ref().map(|found| found.value());
            Ok(found.filter(|(with, _)| *with == nodes).map(|(_, bytes)| bytes.to_vec()))
        })?;
        bytes.map(|bytes| self.parse(&bytes)).transpose()
    }

    /// Stores the analysis of a position, unless its game is gone.
    pub fn keep_found(
        &self,
        place: Place,
        nodes: u64,
        found: &impl Serialize,
    ) -> Result<(), LibraryError> {
        self.write_soon(|write| {
            if has_game(write, place.0)? {
                write.open_table(FOUND)?.insert(place, (nodes, &*json(found)))?;
            }
            Ok(())
        })
    }
}
