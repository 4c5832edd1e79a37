//! The reviews of games, and the positions of those that are not complete.

use std::collections::BTreeMap;

use redb::ReadableTable;
use serde::de::DeserializeOwned;

use super::file::{Library, LibraryError, json};
use super::findings::{Finding, Summary};
use super::tables::{
    ASKED, EXERCISES, FOUND, OPENINGS, Place, REVIEWED, REVIEWS, SUMMARIES, has_game,
};

impl Library {
    /// The games that were reviewed with at least this many nodes per position.
    pub fn reviewed(&self, nodes: u64) -> Result<Vec<u64>, LibraryError> {
        self.read(|read| {
            let reviewed = read.open_table(REVIEWED)?;
            let mut ids = Vec::new();
            for entry in reviewed.iter()? {
                let (id, with) = entry?;
                ids.extend((with.value() >= nodes).then_some(id.value()));
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

    /// The nodes per position of a game's review, or 0 if it has none.
    pub fn review_nodes(&self, id: u64) -> Result<u64, LibraryError> {
        self.read(|read| Ok(read.open_table(REVIEWED)?.get(id)?.map_or(0, |nodes| nodes.value())))
    }

    /// What lists show of reviews.
    pub fn summaries(&self) -> Result<BTreeMap<u64, Summary>, LibraryError> {
        let bytes: Vec<(u64, Vec<u8>)> = self.read(|read| {
            let all = read.open_table(SUMMARIES)?;
            let all = all.iter()?.map(|it| it.map(|(id, it)| (id.value(), it.value().to_vec())));
            Ok(all.collect::<Result<_, _>>()?)
        })?;
        bytes.iter().map(|(id, summary)| Ok((*id, self.parse(summary)?))).collect()
    }

    pub fn keep_summary(&self, id: u64, summary: &Summary) -> Result<(), LibraryError> {
        self.write_soon(|write| {
            write.open_table(SUMMARIES)?.insert(id, &*json(summary))?;
            Ok(())
        })
    }

    /// Stores what was found, unless its game is gone.
    pub fn keep(&self, finding: Finding) -> Result<(), LibraryError> {
        match &finding {
            Finding::Position { place, nodes, found } => self.write_soon(|write| {
                if has_game(write, place.0)? {
                    write.open_table(FOUND)?.insert(place, (*nodes, &*json(found)))?;
                }
                Ok(())
            })?,
            Finding::Review { id, nodes, review, summary } => self.write(|write| {
                if !has_game(write, *id)? {
                    return Ok(());
                }
                write.open_table(REVIEWS)?.insert(id, &*json(review))?;
                write.open_table(REVIEWED)?.insert(id, nodes)?;
                write.open_table(SUMMARIES)?.insert(id, &*json(summary))?;
                Ok(write.open_table(FOUND)?.retain_in((*id, 0)..(id + 1, 0), |_, _| false)?)
            })?,
            Finding::Exercises { id, exercises } => self.write(|write| {
                if !has_game(write, *id)? {
                    return Ok(());
                }
                let mut table = write.open_table(EXERCISES)?;
                for (ply, exercise) in exercises {
                    table.insert((*id, *ply as u64), &*json(exercise))?;
                }
                write.open_table(ASKED)?.insert(id, ())?;
                Ok(())
            })?,
            Finding::Opening { position, mv, found } => self.write(|write| {
                write.open_table(OPENINGS)?.insert((*position, &**mv), &*json(found))?;
                Ok(())
            })?,
            Finding::Lines(exercises) => self.write(|write| {
                let mut table = write.open_table(EXERCISES)?;
                for (place, exercise) in exercises {
                    table.insert(place, &*json(exercise))?;
                }
                Ok(())
            })?,
        }
        self.hear.iter().for_each(|hear| hear(&finding));
        Ok(())
    }

    /// What a long search found of a move in a position, which is given by its key.
    pub fn checked<T: DeserializeOwned>(
        &self,
        position: u64,
        mv: &str,
    ) -> Result<Option<T>, LibraryError> {
        let bytes = self.read(|read| {
            let openings = read.open_table(OPENINGS)?;
            Ok(openings.get((position, mv))?.map(|found| found.value().to_vec()))
        })?;
        bytes.map(|bytes| self.parse(&bytes)).transpose()
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
}
