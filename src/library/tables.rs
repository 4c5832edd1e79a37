//! The tables of the file.

use redb::{ReadTransaction, ReadableTable, TableDefinition, WriteTransaction};

/// The version of the schema.
pub const SCHEMA: u64 = 1;

/// The version of the schema and of the heads, the next game's id, the game on the board once it is here, and
/// whether earlier versions' files were read in.
pub const META: TableDefinition<&str, u64> = TableDefinition::new("meta");
pub const VERSION: &str = "schema";
pub const HEADS_VERSION: &str = "heads";
pub const NEXT: &str = "next";
pub const PLAYED: &str = "played";
pub const MIGRATED: &str = "migrated";
/// The person's names, as in the files.
pub const NAMES: TableDefinition<&str, ()> = TableDefinition::new("names");
pub const GAMES: TableDefinition<u64, &str> = TableDefinition::new("games");
pub const HEADS: TableDefinition<u64, &[u8]> = TableDefinition::new("heads");
/// The game with this fingerprint.
pub const PRINTS: TableDefinition<u64, u64> = TableDefinition::new("prints");
pub const REVIEWS: TableDefinition<u64, &[u8]> = TableDefinition::new("reviews");
/// The nodes a position of each review.
pub const REVIEWED: TableDefinition<u64, u64> = TableDefinition::new("reviewed");
/// Of each review what lists show.
pub const SUMMARIES: TableDefinition<u64, &[u8]> = TableDefinition::new("summaries");
/// Analyses of games whose review is not complete: the nodes, and each position by game and place.
pub const FOUND: TableDefinition<Place, (u64, &[u8])> = TableDefinition::new("found");
/// What long searches found of opening moves, by the position's key and the move.
pub const OPENINGS: TableDefinition<(u64, &str), &[u8]> = TableDefinition::new("openings");
pub const EXERCISES: TableDefinition<Place, &[u8]> = TableDefinition::new("exercises");
/// The person's own opening lines.
pub const LINES: TableDefinition<u64, &[u8]> = TableDefinition::new("lines");

/// The games whose exercises were made, even if they gave none.
pub const ASKED: TableDefinition<u64, ()> = TableDefinition::new("asked");

/// Each game's tags.
pub const TAGS: TableDefinition<(u64, &str), ()> = TableDefinition::new("tags");
/// The person's own lines and comments in a game.
pub const OWN: TableDefinition<u64, &[u8]> = TableDefinition::new("own");
/// The games that are deleted, until the library is opened again.
pub const GONE: TableDefinition<u64, ()> = TableDefinition::new("gone");
/// The state of the board: settings, and the game that runs.
pub const BOARD: TableDefinition<&str, &[u8]> = TableDefinition::new("board");

/// The version of `Head`.
const HEADS_NOW: u64 = 2;

/// A game and a ply of it.
pub type Place = (u64, u64);

/// The version of a library, if it has one.
pub fn schema(read: &ReadTransaction) -> Result<Option<u64>, redb::Error> {
    match read.open_table(META) {
        Ok(meta) => Ok(meta.get(VERSION)?.map(|version| version.value())),
        Err(redb::TableError::TableDoesNotExist(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Creates the tables that are missing.
pub fn begin(write: &WriteTransaction) -> Result<(), redb::Error> {
    let mut meta = write.open_table(META)?;
    meta.insert(VERSION, SCHEMA)?;
    meta.insert(HEADS_VERSION, HEADS_NOW)?;
    write.open_table(NAMES)?;
    write.open_table(GAMES)?;
    write.open_table(HEADS)?;
    write.open_table(PRINTS)?;
    write.open_table(REVIEWS)?;
    write.open_table(REVIEWED)?;
    write.open_table(SUMMARIES)?;
    write.open_table(FOUND)?;
    write.open_table(OPENINGS)?;
    write.open_table(EXERCISES)?;
    write.open_table(LINES)?;
    write.open_table(ASKED)?;
    write.open_table(TAGS)?;
    write.open_table(OWN)?;
    write.open_table(GONE)?;
    write.open_table(BOARD)?;
    Ok(())
}

/// Whether a library has all tables, with the heads of this version.
pub fn is_current(read: &ReadTransaction) -> Result<bool, redb::Error> {
    let heads = read.open_table(META)?.get(HEADS_VERSION)?.map(|version| version.value());
    Ok(heads == Some(HEADS_NOW))
}

pub fn has_game(write: &WriteTransaction, id: u64) -> Result<bool, redb::Error> {
    Ok(write.open_table(GAMES)?.get(id)?.is_some())
}

/// Removes a game and everything that was found in it.
pub fn remove(write: &WriteTransaction, id: u64) -> Result<(), redb::Error> {
    write.open_table(GAMES)?.remove(id)?;
    write.open_table(HEADS)?.remove(id)?;
    write.open_table(PRINTS)?.retain(|_, of| of != id)?;
    write.open_table(REVIEWS)?.remove(id)?;
    write.open_table(REVIEWED)?.remove(id)?;
    write.open_table(SUMMARIES)?.remove(id)?;
    write.open_table(FOUND)?.retain_in((id, 0)..(id + 1, 0), |_, _| false)?;
    write.open_table(EXERCISES)?.retain_in((id, 0)..(id + 1, 0), |_, _| false)?;
    write.open_table(ASKED)?.remove(id)?;
    write.open_table(TAGS)?.retain_in((id, "")..(id + 1, ""), |_, ()| false)?;
    write.open_table(OWN)?.remove(id)?;
    write.open_table(GONE)?.remove(id)?;
    Ok(())
}
