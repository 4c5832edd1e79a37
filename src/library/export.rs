//! Everything that is not in the games' PGN, as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};

use redb::ReadableTable;

use super::file::{Library, LibraryError, Problem, json};
use super::tables::{EXERCISES, LINES, OWN, REVIEWS};

impl Library {
    /// What the library has could not be written elsewhere.
    pub fn unwritten(&self, error: io::Error) -> LibraryError {
        self.failed(Problem::Unwritten(error))
    }

    /// Writes everything that is not in the PGN as JSON: names, reviews, exercises, lines,
    /// tags, and the person's own lines and comments. Games have their numbers
    /// in the PGN, from 1.
    pub fn export_json(&self, output: &mut impl Write) -> Result<(), LibraryError> {
        let (names, tags) = (self.names()?, self.tags()?);
        let numbers: BTreeMap<u64, usize> = self.ids()?.into_iter().zip(1..).collect();
        self.read(|read| {
            output.write_all(b"{\"schema\":1,\"names\":")?;
            output.write_all(&json(&names))?;
            output.write_all(b",\"reviews\":[")?;
            let mut count = 0;
            for review in read.open_table(REVIEWS)?.iter()? {
                let (id, review) = review?;
                // Earlier versions kept reviews of games that were gone.
                let Some(number) = numbers.get(&id.value()) else { continue };
                write!(output, "{}{{\"game\":{number},\"review\":", separator(count))?;
                count += 1;
                output.write_all(review.value())?;
                output.write_all(b"}")?;
            }
            output.write_all(b"],\"exercises\":[")?;
            for (i, exercise) in read.open_table(EXERCISES)?.iter()?.enumerate() {
                let (key, exercise) = exercise?;
                let (id, ply) = key.value();
                let number = numbers.get(&id).unwrap_or(&0);
                let start = separator(i);
                write!(output, "{start}{{\"game\":{number},\"ply\":{ply},\"exercise\":")?;
                output.write_all(exercise.value())?;
                output.write_all(b"}")?;
            }
            output.write_all(b"],\"lines\":[")?;
            for (i, line) in read.open_table(LINES)?.iter()?.enumerate() {
                output.write_all(separator(i).as_bytes())?;
                output.write_all(line?.1.value())?;
            }
            output.write_all(b"],\"tags\":[")?;
            let tagged = tags.iter().filter_map(|(id, tags)| Some((numbers.get(id)?, tags)));
            for (i, (number, tags)) in tagged.enumerate() {
                let start = separator(i);
                write!(
                    output,
                    "{start}{{\"game\":{number},\"tags\":{}}}",
                    serde_json::json!(tags)
                )?;
            }
            output.write_all(b"],\"own\":[")?;
            let mut count = 0;
            for own in read.open_table(OWN)?.iter()? {
                let (id, own) = own?;
                let Some(number) = numbers.get(&id.value()) else { continue };
                write!(output, "{}{{\"game\":{number},\"own\":", separator(count))?;
                count += 1;
                output.write_all(own.value())?;
                output.write_all(b"}")?;
            }
            Ok(output.write_all(b"]}\n")?)
        })
    }
}

/// The separator before an item of a list in JSON.
fn separator(index: usize) -> &'static str {
    if index == 0 { "\n" } else { ",\n" }
}
