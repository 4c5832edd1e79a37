//! Syzygy endgame tablebases, probed through shakmaty-syzygy.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fmt, io};

use shakmaty::{CastlingMode, Chess, PositionError, Setup};
use shakmaty_syzygy::{Dtz, Metric, ProbeError, SyzygyError};

use crate::board::{CastlingSide, Color, Position};

/// Win, cursed win, draw, blessed loss or loss for the side to move, with the fifty-move counter at 0.
pub use shakmaty_syzygy::Wdl as TablebaseWdl;

/// The limit of open files: enough for all tables of up to seven pieces.
const OPEN_FILES: u64 = 4096;

/// Why tablebases could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    #[error("{}: {reason}", .path.display())]
    Unreadable { path: PathBuf, reason: io::Error },
    #[error("{}: there are no tables in it", .0.display())]
    NoTables(PathBuf),
    #[error("{}: no whole table has this size", .0.display())]
    Damaged(PathBuf),
}

/// The tables in a list of folders. Each file is opened at its first probe.
pub struct Tablebase {
    tables: shakmaty_syzygy::Tablebase<Chess>,
    files: usize,
    errors: Mutex<Errors>,
}

/// Failed probes, each error once.
#[derive(Default)]
struct Errors {
    all: Vec<String>,
    reported: usize,
}

#[cfg(target_family = "wasm")]
impl Tablebase {
    /// A web page has no folders.
    pub fn open(folders: &Path) -> Result<Tablebase, TablebaseError> {
        Err(TablebaseError::NoTables(folders.to_path_buf()))
    }
}

#[cfg(not(target_family = "wasm"))]
impl Tablebase {
    /// `folders` are separated as in `PATH`.
    pub fn open(folders: &Path) -> Result<Tablebase, TablebaseError> {
        // If the system refuses, later probes fail one by one.
        rlimit::increase_nofile_limit(OPEN_FILES).ok();
        let tables = shakmaty_syzygy::Tablebase::new();
        let mut tablebase = Tablebase { tables, files: 0, errors: Mutex::default() };
        for folder in std::env::split_paths(folders).filter(|path| !path.as_os_str().is_empty()) {
            let before = tablebase.files;
            tablebase.add(&folder)?;
            if tablebase.files == before {
                return Err(TablebaseError::NoTables(folder));
            }
        }
        if tablebase.files == 0 {
            return Err(TablebaseError::NoTables(folders.to_path_buf()));
        }
        Ok(tablebase)
    }

    fn add(&mut self, folder: &Path) -> Result<(), TablebaseError> {
        let unreadable =
            |path: &Path, reason| TablebaseError::Unreadable { path: path.to_path_buf(), reason };
        for entry in std::fs::read_dir(folder).map_err(|reason| unreadable(folder, reason))? {
            let file = entry.map_err(|reason| unreadable(folder, reason))?.path();
            match self.tables.add_file(&file) {
                Ok(()) => self.files += 1,
                // A file that is not a table.
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    return Err(TablebaseError::Damaged(file));
                }
                Err(reason) => return Err(unreadable(&file, reason)),
            }
        }
        Ok(())
    }
}

impl Tablebase {
    /// Includes the kings.
    pub fn max_pieces(&self) -> usize {
        self.tables.max_pieces()
    }

    pub fn probe_wdl(&self, position: &Position) -> Option<TablebaseWdl> {
        let position = self.converted(position)?;
        self.found(self.tables.probe_wdl_after_zeroing(&position))
    }

    /// Distance to zeroing: plies to the next capture, pawn move or mate with best play. Negative for losses,
    /// 0 for a draw, beyond 100 for a cursed win or a blessed loss. Some tables round, so the value may be
    /// one too low.
    pub fn probe_dtz(&self, position: &Position) -> Option<i32> {
        let position = self.converted(position)?;
        let dtz = self.found(self.tables.probe_dtz(&position))?;
        Some(dtz.ignore_rounding().0)
    }

    /// Converts to shakmaty's position; `None` with too many pieces or with castling rights.
    fn converted(&self, position: &Position) -> Option<Chess> {
        let rights = |color| CastlingSide::BOTH.map(|side| position.castling_rook(color, side));
        let can_castle = Color::BOTH.into_iter().flat_map(rights).any(|rook| rook.is_some());
        if can_castle || position.occupied().len() as usize > self.max_pieces() {
            return None;
        }
        let mut setup = Setup::empty();
        for (square, piece) in position.pieces() {
            setup.board.set_piece_at(square.into(), piece.into());
        }
        setup.turn = position.side().into();
        setup.ep_square = position.en_passant().map(Into::into);
        let read = setup.position::<Chess>(CastlingMode::Chess960);
        read.or_else(PositionError::ignore_impossible_check).ok()
    }

    /// Records errors of damaged tables. A missing table is not an error.
    fn found<T>(&self, probe: Result<T, SyzygyError>) -> Option<T> {
        match probe {
            Ok(value) => Some(value),
            Err(SyzygyError::ProbeFailed { metric, material, error }) => {
                let kind = if metric == Metric::Wdl { "rtbw" } else { "rtbz" };
                let reason = match *error {
                    ProbeError::Read { error } => error.to_string(),
                    ProbeError::Magic { .. } | ProbeError::CorruptedTable { .. } => {
                        "it is damaged".to_string()
                    }
                };
                self.note(format!("{material}.{kind}: {reason}"));
                None
            }
            Err(_) => None,
        }
    }

    fn note(&self, error: String) {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        if !errors.all.contains(&error) {
            errors.all.push(error);
        }
    }

    /// The next unreported error of a probe.
    pub fn next_error(&self) -> Option<String> {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let error = errors.all.get(errors.reported).cloned()?;
        errors.reported += 1;
        Some(error)
    }
}

impl fmt::Display for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} tables of up to {} pieces", self.files, self.max_pieces())
    }
}

/// The DTZ before a capture or pawn move that leads to `wdl`.
pub fn dtz_before_zeroing(wdl: TablebaseWdl) -> i32 {
    Dtz::before_zeroing(wdl).0
}
