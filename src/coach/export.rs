//! Everything in a library, for other programs: the games as PGN, and the rest as JSON.

use std::io::{self, BufWriter, Write};

use super::reviews::analysis;
use crate::analysis::GameData;
use crate::library::{Library, LibraryError};

/// The size of the pieces in which an export is handed over.
const PIECE: usize = 64 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// All games, those that are reviewed with their annotations.
    Pgn,
    /// Names, reviews, exercises and lines.
    Json,
}

/// Takes the pieces of an export, and the error if it is incomplete. `false`: nobody takes more.
pub type Sink = Box<dyn FnMut(Result<Vec<u8>, String>) -> bool + Send>;

impl Export {
    pub fn write(self, library: &Library, output: &mut impl Write) -> Result<(), LibraryError> {
        match self {
            Export::Pgn => write_games(library, output),
            Export::Json => library.export_json(output),
        }
    }

    /// Hands it over piece by piece, so that none of it stays in memory.
    pub fn hand_over(self, library: &Library, sink: Sink) {
        let mut output = BufWriter::with_capacity(PIECE, Pieces(sink));
        let written = self.write(library, &mut output);
        let written =
            written.and_then(|()| output.flush().map_err(|error| library.unwritten(error)));
        if let Err(error) = written {
            (output.get_mut().0)(Err(error.to_string()));
        }
    }
}

fn write_games(library: &Library, output: &mut impl Write) -> Result<(), LibraryError> {
    for id in library.ids()? {
        match annotated(library, id) {
            Err(error) if error.is_gone() => {}
            pgn => {
                let written = output.write_all(pgn?.as_bytes());
                written.map_err(|error| library.unwritten(error))?;
            }
        }
    }
    Ok(())
}

/// The PGN of a game, with annotations if it is reviewed.
pub fn annotated(library: &Library, id: u64) -> Result<String, LibraryError> {
    match analysis(library, id)? {
        Some(analysis) => Ok(GameData::of(&analysis).pgn),
        None => library.pgn(id),
    }
}

struct Pieces(Sink);

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match (self.0)(Ok(bytes.to_vec())) {
            true => Ok(bytes.len()),
            false => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
